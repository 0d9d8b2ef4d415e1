// A fabric as dumps in a folder of its own.
#pragma once

#include "host/formats/formats.hpp"
#include "host/model/tables.hpp"
#include "tests/support/programs/temporary_folder.hpp"

#include <fstream>
#include <string>

namespace tailback {

class DumpedFabric {
public:
    explicit DumpedFabric(model::Fabric const& fabric) {
        std::ofstream net(network()), lfts(tables());
        formats::write_ibnetdiscover(net, fabric.network);
        formats::write_lft_dump(lfts, fabric);
    }
    std::string network() const { return folder_ / "net"; }
    std::string tables() const { return folder_ / "lfts"; }

private:
    TemporaryFolder folder_;
};

}  // namespace tailback
