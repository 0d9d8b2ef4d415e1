// The input graph, coloured by congestion: what ORCS writes for get_cable_cong.
#include "host/formats/read/orcs_dot.hpp"

#include "host/formats/read/dot_graph.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace tailback::formats {

#ifdef TAILBACK_HAS_CGRAPH

namespace {

std::string written(Agraph_t* graph) {
    char* bytes = nullptr;
    std::size_t size = 0;
    std::FILE* const memory = open_memstream(&bytes, &size);
    if (memory == nullptr) throw std::bad_alloc();
    bool const done = agwrite(graph, memory) == 0;
    bool const flushed = std::fclose(memory) == 0;
    std::string const text = done && flushed ? std::string(bytes, size) : std::string();
    std::free(bytes);
    if (text.empty()) throw std::bad_alloc();
    return text;
}

void set(void* edge, Agsym_t* attribute, std::string text) { agxset(edge, attribute, text.data()); }

std::string six_digits(float value) {
    char text[64];
    std::snprintf(text, sizeof text, "%f", static_cast<double>(value));
    return text;
}

}  // namespace

std::string dot_with_congestion(std::string const& text, std::string const& file,
                                std::vector<std::uint64_t> const& sums) {
    DotGraph const graph = parse_dot(text, file);
    auto declare = [&](std::string name) {
        std::string empty;
        return agattr(graph.get(), AGEDGE, name.data(), empty.data());
    };
    Agsym_t* const edge_id = declare("edge_id");
    Agsym_t* const congestion = declare("congestion");
    Agsym_t* const color = declare("color");
    std::uint64_t const largest = sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
    std::size_t id = 0;
    for (Agnode_t* n = agfstnode(graph.get()); n != nullptr; n = agnxtnode(graph.get(), n))
        for (Agedge_t* e = agfstout(graph.get(), n); e != nullptr; e = agnxtout(graph.get(), e), ++id) {
            float const share = largest == 0 || id >= sums.size() ? 0.0F : float(sums[id]) / float(largest);
            set(e, edge_id, std::to_string(id));
            set(e, congestion, six_digits(share));
            // Hue 0.4 is green, 0 is red.
            set(e, color, six_digits(float((1.0F - share) * 0.4)) + " " + six_digits(0.9F) + " " + six_digits(0.9F));
        }
    return written(graph.get());
}

#else

std::string dot_with_congestion(std::string const& text, std::string const& file, std::vector<std::uint64_t> const&) {
    model::Disagreements disagreements;
    parse_orcs_dot(text, file, disagreements);  // says what is missing
    return "";
}

#endif

}  // namespace tailback::formats
