// Values that a file tells again and again, a line a cable: what most lines say counts.
#pragma once

#include "host/model/network.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tailback::formats {

/// What the lines of a file say of a LID, or of a port GUID, of ports.
class ToldValues {
public:
    /// Port 0: the switch itself. A value of 0 tells nothing.
    void add(model::Node node, model::Port port, std::uint64_t value, std::size_t line);

    struct Value {
        std::uint64_t value = 0;
        std::size_t line = 0, times = 0;  ///< the first line that says so, and how many do
    };
    struct Told {
        model::Node node;
        model::Port port = 0;
        std::vector<Value> values;
    };
    /// Ports of which two values are told, in the order of their first lines; what most lines say first, and of those
    /// said equally often what is said first.
    std::vector<Told> contradicted() const;

private:
    std::vector<Told> told_;
    std::unordered_map<std::uint64_t, std::size_t> at_;  ///< (node, port) to its place in told_
};

enum class ToldValue : std::uint8_t { lid, port_guid };

/// Gives ports in `builder` what most lines say, and notes each other value at the first line that tells it.
void take_most_told(ToldValues const& values, ToldValue what, std::string const& file, model::NetworkBuilder& builder,
                    model::Disagreements& disagreements);

}  // namespace tailback::formats
