#include "host/formats/write/cable_plan_writer.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/formats/device_names.hpp"
#include "host/formats/interface_names.hpp"
#include "host/formats/write/cabling.hpp"

#include <fmt/format.h>

#include <map>
#include <ostream>
#include <string_view>
#include <utility>

namespace tailback::formats {
namespace {

/// In quotes where a separator, a quote or a blank at an end would not be read again, or the line would be a comment.
std::string plan_field(std::string const& text) {
    bool const plain = text.find_first_of(",;\t\"") == text.npos && base::trimmed(text) == text && text[0] != '#';
    if (plain) return text;
    std::string quoted = "\"";
    for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

void refuse_formula(std::string const& whose, std::string const& name, std::string const& which) {
    if (name.empty() || std::string_view("=+-@").find(name[0]) == std::string_view::npos) return;
    throw base::InputError({}, whose + "'s name begins as a formula does", which,
                           "spreadsheets would compute it: give it another name");
}

class PlanWriter {
public:
    explicit PlanWriter(model::Network const& network) : network_(network), cabling_(network) {}

    void write(std::ostream& out) {
        take_names();
        out << "#StartDevice,StartPort,EndDevice,EndPort,LinkType,Speed\n";
        for (bool const of_hosts : {true, false})
            each_cable([&](model::Node node, CableEnd const& end) {
                bool const here = network_.is_switch(node), there = network_.is_switch(end.far);
                if (!here && !there) refuse_between_hosts(node, end.far);
                if ((here && there) == of_hosts || inside_director(node, end.far)) return;
                std::string const a = text_of(node, end.port), b = text_of(end.far, end.far_port);
                out << (there ? a : b) << ',' << (there ? b : a) << ",Data," << end.rate.text() << '\n';
            });
    }

    std::vector<std::string> left_out() {
        std::uint64_t inside = 0, alone = 0, odd = 0;
        std::string first_odd;
        each_cable([&](model::Node node, CableEnd const& end) { inside += inside_director(node, end.far); });
        for (std::size_t n = 0; n < network_.nodes().size(); ++n) {
            model::Node const node{n};
            alone += cabling_.ends[node].empty();
            for (CableEnd const& end : cabling_.ends[node]) {
                if (!network_.is_switch(node) || reads_as_of_switch(network_.given_port_name(node, end.port))) continue;
                if (odd++ == 0) first_odd = network_.describe(node) + " " + network_.given_port_name(node, end.port);
            }
        }
        std::vector<std::string> sentences;
        if (inside > 0)
            sentences.push_back(fmt::format(
                "{} inside directors {} not written: a plan has those outside; read again, a director has the spine "
                "chips that its leaf chips need",
                base::counted(inside, "cable", "cables"), inside == 1 ? "is" : "are"));
        if (alone > 0)
            sentences.push_back(fmt::format("{} without a cable {} not written",
                                            base::counted(alone, "device", "devices"), alone == 1 ? "is" : "are"));
        if (odd > 0)
            sentences.push_back(fmt::format(
                "{} of switches {} not called as ports of switches are (the first: {}): where a plan is read as a "
                "network, devices without other ports are taken for hosts",
                base::counted(odd, "port", "ports"), odd == 1 ? "is" : "are", first_odd));
        return sentences;
    }

private:
    /// Without a name they are written as `Port N`.
    static bool reads_as_of_switch(std::string const& port) {
        return port.find_first_not_of("0123456789/:") == port.npos || is_router_interface(base::lower_case(port));
    }
    /// Each once, at its smaller end.
    template <class Take>
    void each_cable(Take const& take) const {
        for (std::size_t n = 0; n < network_.nodes().size(); ++n)
            for (CableEnd const& end : cabling_.ends[model::Node{n}])
                if (std::pair(n, end.port) < std::pair(std::size_t{end.far.value}, end.far_port))
                    take(model::Node{n}, end);
    }
    bool inside_director(model::Node a, model::Node b) const {
        return network_.is_switch(a) && network_.is_switch(b) &&
               are_of_one_director(folded_name(network_[a].name), folded_name(network_[b].name));
    }

    void take_names() {
        std::map<std::string, model::Node> seen;
        for (std::size_t n = 0; n < network_.nodes().size(); ++n) {
            model::Node const node{n};
            if (cabling_.ends[node].empty()) continue;
            std::string const name = folded_name(network_[node].name);
            if (name.empty())
                throw base::InputError({}, "a device has no name", network_.describe(node),
                                       "a plan of cables tells devices by their names: give it one (--names)");
            refuse_formula("a device", name, network_.describe(node));
            if (name.front() == '/' || name.back() == '/' || base::trimmed(name) != name || folded_name(name) != name)
                throw base::InputError({}, "a device's name would be read as another", network_.describe(node),
                                       "leave out slashes, blanks and colons at its ends, or choose graphml");
            auto const [at, is_new] = seen.emplace(name, node);
            if (!is_new)
                throw base::InputError({}, "two devices have one name",
                                       network_.describe(at->second) + " and " + network_.describe(node),
                                       "a plan of cables tells devices by their names: give them others");
            if (!network_.is_switch(node) && name.find_first_of("abcdefghijklmnopqrstuvwxyz") == name.npos)
                throw base::InputError({}, "a host's name has no letter", network_.describe(node),
                                       "a plan of cables would read it as a switch: give it another");
        }
    }
    [[noreturn]] void refuse_between_hosts(model::Node a, model::Node b) const {
        throw base::InputError({}, "a cable joins two hosts", network_.describe(a) + " and " + network_.describe(b),
                               "a plan of cables has cables of switches alone: choose ibnetdiscover or graphml");
    }

    /// `leaf-1,Port 3`
    std::string text_of(model::Node node, model::Port port) const {
        std::string const device = bare_name(network_[node].name);
        std::string const given = network_.given_port_name(node, port);
        if (given.empty() && port > greatest_port)
            throw base::InputError({}, fmt::format("a plan of cables has no port above {}", greatest_port),
                                   network_.describe(node) + " has a cable at port " + std::to_string(port),
                                   "choose ibnetdiscover or graphml");
        refuse_formula("a port", given, network_.describe(node) + " " + given);
        if (network_.is_switch(node))
            return plan_field(device) + ',' + plan_field(given.empty() ? fmt::format("Port {}", port) : given);
        bool const named = !given.empty() && given.find('/') == given.npos && !base::trimmed(given).empty() &&
                           !is_router_interface(base::lower_case(given)) && has_letters_first(given);
        return plan_field(device) + ',' + plan_field(named ? given : fmt::format("{}/{}", device, port));
    }
    /// `eth0`, not `p1` nor `1`, which are ports of switches.
    static bool has_letters_first(std::string const& port) {
        std::size_t const end = base::lower_case(port).find_first_not_of("abcdefghijklmnopqrstuvwxyz");
        return end == port.npos
                   ? port.size() > 1
                   : end > 1 && !base::lower_case(port).starts_with("port") &&
                         !base::lower_case(port).starts_with("blade") && !base::lower_case(port).starts_with("leaf");
    }

    model::Network const& network_;
    Cabling cabling_;
};

}  // namespace

void write_cable_plan(std::ostream& out, model::Network const& network) { PlanWriter(network).write(out); }

std::vector<std::string> left_out_of_plan(model::Network const& network) { return PlanWriter(network).left_out(); }

}  // namespace tailback::formats
