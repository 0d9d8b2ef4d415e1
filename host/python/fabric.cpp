#include "host/python/fabric.hpp"

#include "host/api/study.hpp"
#include "host/api/write_formats.hpp"
#include "host/base/error.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/io/disk_room.hpp"
#include "host/io/output_file.hpp"
#include "host/model/locate.hpp"
#include "host/model/routes/trace.hpp"
#include "host/python/apart.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <span>

namespace tailback::python {
namespace {

using model::Host;
using model::Link;
using model::Node;

/// A column of the network's links, as it lies in memory.
template <class Number>
py::array column(std::shared_ptr<model::Fabric const> const& fabric,
                 Number const& (*number)(model::LinkRecord const&)) {
    auto const& links = fabric->network.links();
    static Number const none{};
    return view_of(fabric, links.empty() ? &none : &number(links.front()), links.size(), sizeof(model::LinkRecord));
}

py::dict links_of(Fabric& self) {
    auto const fabric = self.kept();
    py::dict columns;
    columns["source"] = column<std::uint32_t>(
        fabric, [](auto const& l) -> auto const& { return l.from.value; });
    columns["source_port"] = column<std::uint32_t>(
        fabric, [](auto const& l) -> auto const& { return l.from_port; });
    columns["target"] = column<std::uint32_t>(
        fabric, [](auto const& l) -> auto const& { return l.to.value; });
    columns["target_port"] = column<std::uint32_t>(
        fabric, [](auto const& l) -> auto const& { return l.to_port; });
    std::vector<double> rates;
    for (model::LinkRecord const& link : fabric->network.links())
        rates.push_back(link.rate.stated() ? double(link.rate.elevenths_of_gbps()) / 11 : 0);
    columns["gbps"] = array_of(std::move(rates));
    return columns;
}

py::dict nodes_of(Fabric& self) {
    auto const fabric = self.kept();
    py::list names;
    std::vector<std::uint8_t> switches;
    std::vector<std::uint64_t> guids;
    for (model::NodeRecord const& node : fabric->network.nodes()) {
        names.append(node.name);
        switches.push_back(node.kind == model::NodeKind::switch_node);
        guids.push_back(node.guid);
    }
    py::dict columns;
    columns["name"] = names;
    columns["is_switch"] = array_of(std::move(switches)).attr("astype")("bool");
    columns["guid"] = array_of(std::move(guids));
    return columns;
}

py::dict hosts_of(Fabric& self) {
    auto const fabric = self.kept();
    py::list names;
    std::vector<std::uint32_t> lids, nodes, ports;
    for (model::HostRecord const& host : fabric->network.hosts()) {
        names.append(fabric->network[host.node].name);
        lids.push_back(host.lid);
        nodes.push_back(host.node.value);
        ports.push_back(host.port);
    }
    py::dict columns;
    columns["name"] = names;
    columns["lid"] = array_of(std::move(lids));
    columns["node"] = array_of(std::move(nodes));
    columns["port"] = array_of(std::move(ports));
    return columns;
}

/// To the destination's LID `lid`.
model::Route route_between(model::Fabric const& fabric, Host source, Host destination, model::Lid lid) {
    if (source == destination) {
        model::Route none;
        none.end = fabric.network[source].node;
        return none;
    }
    if (!fabric.routed)
        throw base::InputError({}, "the fabric has no routes", "its files hold the network alone",
                               "give tables= or routing=");
    return fabric.routing->trace(fabric, source, lid);
}
model::Route route_between(model::Fabric const& fabric, Host source, Host destination) {
    return route_between(fabric, source, destination, fabric.network[destination].lid);
}

char const* fate_name(model::Fate fate) {
    switch (fate) {
        case model::Fate::delivered: return "delivered";
        case model::Fate::unreachable: return "unreachable";
        case model::Fate::loop: return "loop";
        default: return "misdelivered";
    }
}

py::dict route(Fabric& self, py::handle source, py::handle destination) {
    auto const fabric = self.kept();
    Host const from = self.host(source), to = self.host(destination);
    model::Lid const lid = py::isinstance<py::str>(destination)
                               ? model::locate(fabric->network, destination.cast<std::string>()).lid
                               : fabric->network[to].lid;
    model::Route const found = route_between(*fabric, from, to, lid);
    std::vector<std::uint32_t> links;
    py::list nodes;
    nodes.append(fabric->network[fabric->network[from].node].name);
    for (Link const link : found.links) {
        links.push_back(link.value);
        nodes.append(fabric->network[fabric->network[link].to].name);
    }
    py::dict result;
    result["fate"] = fate_name(found.fate);
    result["why"] = from == to ? "" : found.why(*fabric, lid);
    result["links"] = array_of(std::move(links));
    result["nodes"] = nodes;
    return result;
}

using Numbers = py::array_t<std::int64_t, py::array::forcecast>;  // columns of a table are not copied whole

/// Arrays are worked on piece by piece: what is copied for work that runs apart stays small, and signals are looked for
/// between two pieces.
constexpr py::ssize_t piece_of_rows = 1 << 18;

std::vector<std::int64_t> piece_of(Numbers const& numbers, py::ssize_t first) {
    auto const all = numbers.unchecked<1>();
    std::vector<std::int64_t> piece(std::size_t(std::min(piece_of_rows, all.shape(0) - first)));
    for (std::size_t i = 0; i < piece.size(); ++i) piece[i] = all(first + py::ssize_t(i));
    return piece;
}

/// Of numbers that must be hosts. @throws InputError
void check_hosts(model::Network const& network, std::vector<std::int64_t> const& numbers, char const* what) {
    for (std::int64_t const number : numbers)
        if (number < 0 || std::uint64_t(number) >= network.hosts().size())
            throw base::InputError({}, std::string(what) + " has no host " + std::to_string(number),
                                   "the fabric has " + std::to_string(network.hosts().size()) + ", counted from 0", "");
}

/// Ctrl-C between two pieces. @throws what the signal's handler raises
void heed_signals() {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

struct FoundRoutes {
    std::vector<std::uint64_t> begins = {0};
    std::vector<std::uint32_t> links;
    std::vector<std::uint8_t> fates;
};

/// The routes of sources[i] -> destinations[i]: links one after the other, where each begins, how each ends.
py::tuple routes(Fabric& self, Numbers const& sources, Numbers const& destinations) {
    auto const fabric = self.kept();
    if (sources.ndim() != 1 || destinations.ndim() != 1 || sources.size() != destinations.size())
        throw base::InputError({}, "sources and destinations differ in shape", "",
                               "give two arrays of the same length");
    FoundRoutes found;
    for (py::ssize_t first = 0; first < sources.size(); first += piece_of_rows) {
        heed_signals();
        auto from = piece_of(sources, first), to = piece_of(destinations, first);
        check_hosts(fabric->network, from, "sources");
        check_hosts(fabric->network, to, "destinations");
        found = apart([fabric, all = std::move(found), from = std::move(from), to = std::move(to)]() mutable {
            auto const stop = kernels::StopWish::now();
            for (std::size_t i = 0; i < from.size(); ++i) {
                stop.heed();
                model::Route const one = route_between(*fabric, Host{std::size_t(from[i])}, Host{std::size_t(to[i])});
                for (Link const link : one.links) all.links.push_back(link.value);
                all.begins.push_back(all.links.size());
                all.fates.push_back(static_cast<std::uint8_t>(one.fate));
            }
            return std::move(all);
        });
    }
    return py::make_tuple(array_of(std::move(found.begins)), array_of(std::move(found.links)),
                          array_of(std::move(found.fates)));
}

/// Flows i: from[i] -> to[i] of size[i]. Adds to the sums of the links. @throws InputError
void add_flows(model::Fabric const& fabric, std::span<std::int64_t const> from, std::span<std::int64_t const> to,
               std::span<std::int64_t const> size, std::span<std::uint64_t> sums) {
    auto const stop = kernels::StopWish::now();
    for (std::size_t i = 0; i < from.size(); ++i) {
        stop.heed();
        if (size[i] < 0) throw base::InputError({}, "a flow has a negative size", "", "give 0 or more");
        if (from[i] == to[i]) continue;
        model::Route const found = route_between(fabric, Host{std::size_t(from[i])}, Host{std::size_t(to[i])});
        if (found.fate != model::Fate::delivered) continue;
        for (Link const link : found.links)
            if (__builtin_add_overflow(sums[link.value], std::uint64_t(size[i]), &sums[link.value]))
                throw base::InputError({}, "the load of a link passes 2^64", "", "give smaller sizes");
    }
}

/// By link: the sum of what flows put on it; an undelivered flow puts nothing.
py::array loads(Fabric& self, Numbers const& sources, Numbers const& destinations, Numbers const& sizes) {
    auto const fabric = self.kept();
    if (sources.size() != destinations.size() || sources.size() != sizes.size())
        throw base::InputError({}, "sources, destinations and sizes differ in length", "", "");
    constexpr py::ssize_t few = 1000;  // flows: not worth a thread
    bool const here = sources.size() <= few && !is_forked();
    std::vector<std::uint64_t> sums(fabric->network.links().size());
    for (py::ssize_t first = 0; first < sources.size(); first += piece_of_rows) {
        heed_signals();
        auto from = piece_of(sources, first), to = piece_of(destinations, first), size = piece_of(sizes, first);
        check_hosts(fabric->network, from, "flows");
        check_hosts(fabric->network, to, "flows");
        auto add = [fabric, all = std::move(sums), from = std::move(from), to = std::move(to),
                    size = std::move(size)]() mutable {
            add_flows(*fabric, from, to, size, all);
            return std::move(all);
        };
        sums = here ? add() : apart(std::move(add));
    }
    return array_of(std::move(sums));
}

/// The writer of a format, where the fabric has what it writes. @throws InputError
api::WriteFormat const& writer_for(std::string const& format, model::Fabric const& fabric) {
    api::WriteFormat const& writer = api::find_write_format(format, "format");
    if (writer.wants_tables && !fabric.routed)
        throw base::InputError({}, "there are no tables to write as " + format,
                               "the fabric's files hold the network alone", "give tables= or routing=");
    if (writer.wants_tables) api::require_tables(fabric, "the format " + format);
    return writer;
}

/// As `tailback convert --output PATH` writes it.
void save(Fabric& self, std::string const& path, std::string const& format) {
    io::check_writable(path);
    auto const fabric = self.kept();
    api::WriteFormat const& writer = writer_for(format, *fabric);
    apart([fabric, &writer, path] {
        auto const stop = kernels::StopWish::now();
        if (writer.least_bytes != nullptr) io::require_room(path, writer.least_bytes(*fabric));
        io::OutputFile file(path);
        writer.write(file.stream(), *fabric);
        file.stage();
        stop.heed();
        file.commit();
    });
}

}  // namespace

Fabric::Fabric(std::vector<std::string> words) : words_(std::move(words)) {
    struct Made {
        api::NetworkChoice choice;
        std::shared_ptr<model::Fabric const> fabric;
    };
    Made made = apart([words = words_] {
        api::StudyRequest request = commands::parse_study_options(options::evaluate, words).request;
        request.study.placement.ranks = 1;  // whether all pairs fit is for a study to say
        return Made{request.network, api::obtain_shared(api::fabric_request(request, listener().note), listener())};
    });
    choice_ = std::move(made.choice);
    studied_ = std::move(made.fabric);
}

std::shared_ptr<model::Fabric const> Fabric::kept() {
    if (!studied_->formula) return studied_;
    if (kept_) return kept_;
    auto const made = apart([choice = choice_] {
        return api::obtain_shared({.network = choice, .wanted = api::Wanted::routes}, listener());
    });
    if (!kept_) kept_ = made;  // somebody else may have been faster
    return kept_;
}

Host Fabric::host(py::handle word) {
    auto const fabric = kept();
    if (py::isinstance<py::str>(word)) return model::locate_host(fabric->network, word.cast<std::string>());
    auto const number = word.cast<std::int64_t>();
    if (number < 0 || std::uint64_t(number) >= fabric->network.hosts().size())
        throw base::InputError({}, "there is no host " + std::to_string(number),
                               "the fabric has " + std::to_string(fabric->network.hosts().size()), "count from 0");
    return Host{std::size_t(number)};
}

void declare_fabric(py::module_& module) {
    py::class_<Fabric, std::shared_ptr<Fabric>> made(module, "Fabric");
    refuse_new(made);
    module.def("fabric", [](std::vector<std::string> words) { return std::make_shared<Fabric>(std::move(words)); });
    made.def_property_readonly("words", &Fabric::words)
        .def_property_readonly("endpoints", [](Fabric& f) { return f.studied()->endpoints(); })
        .def_property_readonly("switches", [](Fabric& f) { return f.studied()->switches(); })
        .def_property_readonly("link_count", [](Fabric& f) { return f.studied()->links(); })
        .def("links", &links_of)
        .def("nodes", &nodes_of)
        .def("hosts", &hosts_of)
        .def("route", &route)
        .def("routes", &routes)
        .def("loads", &loads)
        .def("save", &save);
}

}  // namespace tailback::python
