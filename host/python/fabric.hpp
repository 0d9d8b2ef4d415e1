// A routed fabric as Python holds it: made once, asked many times.
#pragma once

#include "host/api/obtain.hpp"
#include "host/python/arrays.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tailback::python {

class Fabric {
public:
    /// @param words the network as on a command line (`--network`, `--tables`, `--routing`, .., `--routes`). Reads or
    /// makes it. @throws InputError
    explicit Fabric(std::vector<std::string> words);

    std::vector<std::string> const& words() const { return words_; }
    /// As studies take it: a formula where its routes are not stored.
    std::shared_ptr<model::Fabric const> studied() const { return studied_; }
    /// With all nodes and links: made when it is first asked for, where `studied` is a formula. @throws InputError
    std::shared_ptr<model::Fabric const> kept();
    /// The host that a name, an LID or a GUID stands for, or of that number. @throws InputError
    model::Host host(py::handle word);

private:
    std::vector<std::string> words_;
    api::NetworkChoice choice_;
    std::shared_ptr<model::Fabric const> studied_, kept_;
};

void declare_fabric(py::module_& module);

}  // namespace tailback::python
