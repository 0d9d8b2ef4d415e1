#include "host/formats/registry.hpp"

#include "host/base/extensions.hpp"

namespace tailback::formats {

Registry const& tables() {
    static Registry const all = base::with_extensions(Registry{});
    return all;
}

NetworkFile const* added_file(Format format) {
    std::size_t const at = std::size_t(format);
    return at < first_added_format ? nullptr : &tables().files.at(at - first_added_format);
}

NetworkFolder const* folder_named(std::string_view network) {
    for (NetworkFolder const& folder : tables().folders)
        if (network.substr(0, network.find(':')) == folder.kind && network.size() > folder.kind.size()) return &folder;
    return nullptr;
}

}  // namespace tailback::formats
