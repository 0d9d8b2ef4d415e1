#include "tests/support/networks/rebuilt.hpp"

#include "host/formats/formats.hpp"
#include "tests/support/programs/reading.hpp"

#include <algorithm>
#include <random>
#include <sstream>

namespace tailback {

std::vector<Link> cables_of_switches(Network const& net) {
    std::vector<Link> found;
    for (std::size_t l = 0; l < net.links().size(); ++l)
        if (LinkRecord const& link = net[Link{l}];
            net.is_switch(link.from) && net.is_switch(link.to) && link.from.value < link.to.value)
            found.push_back(Link{l});
    return found;
}

Network rebuilt(Network const& net, std::set<Link> const& gone, std::vector<NewCable> const& more,
                std::function<Port(Node, Port)> const& port) {
    NetworkBuilder builder(true);
    for (NodeRecord node : net.nodes()) {
        node.ports = 0;
        builder.add_node(node);
    }
    for (HostRecord const& host : net.hosts()) builder.add_host(host);
    for (std::size_t l = 0; l < net.links().size(); ++l) {
        LinkRecord link = net[Link{l}];
        if (gone.contains(Link{l}) || (link.reverse.exists() && gone.contains(link.reverse))) continue;
        if (net.is_switch(link.from)) link.from_port = port(link.from, link.from_port);
        if (net.is_switch(link.to)) link.to_port = port(link.to, link.to_port);
        link.reverse = Link{};
        builder.add_link(link);
    }
    Port next = 200;
    for (auto const& [a, b] : more) {
        for (bool const turned : {false, true}) {
            LinkRecord link;
            link.from = turned ? b : a;
            link.to = turned ? a : b;
            link.from_port = link.to_port = next;
            builder.add_link(link);
        }
        ++next;
    }
    Disagreements unsaid;
    return builder.finish(unsaid, "");
}

Network shuffled(Network const& net, unsigned seed) {
    std::ostringstream written;
    write_ibnetdiscover(written, net);
    std::istringstream lines(written.str());
    std::vector<std::string> paragraphs(1);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("vendid")) paragraphs.emplace_back();
        paragraphs.back() += line + "\n";
    }
    std::shuffle(paragraphs.begin() + 1, paragraphs.end(), std::mt19937(seed));
    std::string text;
    for (std::string const& paragraph : paragraphs) text += paragraph + "\n";
    Disagreements disagreements;
    return read_topology(text, disagreements);
}

}  // namespace tailback
