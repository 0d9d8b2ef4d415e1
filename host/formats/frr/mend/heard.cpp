#include "host/formats/frr/mend/heard.hpp"

namespace tailback::formats {

std::map<End, End> hearers(Devices const& devices) {
    std::map<End, End> found;
    for (auto const& [name, device] : devices)
        for (LldpNeighbour const& one : device.neighbours)
            found.try_emplace({known_name(devices, one.name), one.port}, name, one.interface);
    return found;
}

std::map<std::string, std::size_t> heard_as(Devices const& devices, Device const& device) {
    std::map<std::string, std::size_t> names;
    for (LldpNeighbour const& one : device.neighbours) {
        auto const other = devices.find(known_name(devices, one.name));
        if (other == devices.end() || &other->second == &device) continue;
        for (LldpNeighbour const& back : other->second.neighbours)
            if (back.interface == one.port && back.port == one.interface) ++names[known_name(devices, back.name)];
    }
    return names;
}

void note_contradiction(model::Disagreements& disagreements, diagnosis::Code code, std::string const& file,
                        std::string const& where, std::string const& text) {
    disagreements.note(code, {file, 0}, text, 1, {where, {}, 0, 0, {}, {}});
}

}  // namespace tailback::formats
