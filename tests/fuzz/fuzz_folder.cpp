// Fuzz target: a folder as a network (routers, ibdiagnet2), audited. A line `@NAME` begins a file, whose name may have
// one folder in it: `@leaf1/lldp.json`.
#include "host/api/audit.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace tailback {
namespace {

bool is_name(std::string_view text) {
    return !text.empty() && text.size() < 40 && text.front() != '.' &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
           });
}

/// Is it one that may be written?
bool make_place(std::string const& folder, std::string_view name) {
    std::size_t const slash = name.find('/');
    if (slash == std::string_view::npos) return is_name(name);
    if (!is_name(name.substr(0, slash)) || !is_name(name.substr(slash + 1))) return false;
    std::error_code ignored;
    std::filesystem::create_directory(folder + "/" + std::string(name.substr(0, slash)), ignored);
    return true;
}

void write_files(TemporaryFolder const& folder, std::string_view text) {
    constexpr std::size_t most_files = 40;
    for (std::size_t files = 0; !text.empty() && files < most_files; ++files) {
        std::size_t const line = std::min(text.find('\n'), text.size());
        std::string_view const name = text.starts_with('@') ? text.substr(1, line - 1) : std::string_view();
        text.remove_prefix(std::min(line + 1, text.size()));
        std::size_t const end = std::min(text.find("\n@"), text.size());
        if (make_place(folder.path(), name)) folder.write(std::string(name), std::string(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

}  // namespace
}  // namespace tailback

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    TemporaryFolder const folder;
    write_files(folder, {reinterpret_cast<char const*>(data), size});
    answer_words([&] {  // an audit of fewer than two hosts is refused, whatever files say them
        AuditChoice choice;
        choice.network = NetworkChoice(folder.path());
        choice.threads = 1;
        FabricAudit const audit(choice);
        check(audit.fabric().network);
        check(audit.fabric());
        bool const any_lid = std::ranges::any_of(
            audit.found().request.hosts, [&](Host const host) { return audit.fabric().network[host].lid != 0; });
        must(audit.found().fates().total > 0 || !any_lid);
    });
    return 0;
}
