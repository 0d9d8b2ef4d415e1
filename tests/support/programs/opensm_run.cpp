// Reads manifests and ibtracert's output.
#include "tests/support/programs/opensm_run.hpp"

#include "host/base/scanner.hpp"
#include "host/io/line_reader.hpp"
#include "tests/support/rooms.hpp"

#include <algorithm>
#include <fstream>

namespace tailback {
namespace {

std::string trim(std::string text) {
    text.erase(0, text.find_first_not_of(' '));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::vector<std::string> cells(std::string const& row) {
    std::vector<std::string> result;
    std::size_t from = row.find('|');
    for (std::size_t to = 0; from != std::string::npos && (to = row.find('|', from + 1)) != std::string::npos;
         from = to)
        result.push_back(trim(row.substr(from + 1, to - from - 1)));
    return result;
}

void read_manifest(std::filesystem::path const& fabric, std::vector<OpensmRun>& runs) {
    std::ifstream in(fabric / "MANIFEST.md");
    std::string line;
    while (std::getline(in, line)) {
        std::vector<std::string> const cell = cells(line);
        if (cell.size() != 13 || cell[2] != "yes" || cell[11].empty()) continue;
        OpensmRun run{.fabric = fabric, .name = cell[0]};
        run.topology = (fabric / cell[11]).string();
        run.tables = (fabric / run.name / cell[12]).string();
        for (std::string* const path : {&run.topology, &run.tables})
            if (!std::filesystem::exists(*path)) *path += ".xz";
        Scanner pairs(cell[6]);
        while (!pairs.at_end()) {
            std::string_view word;
            std::uint64_t count = 0;
            if (!pairs.blanks().until(' ', word) || !pairs.decimal(count)) break;
            run.pairs[std::string(word)] = count;
            pairs.accept(',');
        }
        if (cell[9].find("no credit loops found") != std::string::npos) run.credit_loops = false;
        else if (cell[9].find("credit loops in routing") != std::string::npos) run.credit_loops = true;
        Scanner trace(cell[8]);
        trace.decimal(run.agree);
        trace.accept('/');
        trace.decimal(run.unprobed);
        runs.push_back(run);
    }
}

}  // namespace

std::optional<std::string> OpensmRun::path(std::string const& file) const {
    for (char const* const suffix : {"", ".xz"})
        if (std::filesystem::path const p = fabric / name / (file + suffix); std::filesystem::exists(p))
            return p.string();
    return std::nullopt;
}

std::vector<OpensmRun> opensm_runs(std::filesystem::path const& root) {
    std::vector<OpensmRun> runs;
    std::error_code ignored;
    std::vector<std::filesystem::path> fabrics;
    for (auto const& entry : std::filesystem::directory_iterator(root, ignored))
        if (std::filesystem::exists(entry.path() / "MANIFEST.md")) fabrics.push_back(entry.path());
    std::sort(fabrics.begin(), fabrics.end());
    for (auto const& fabric : fabrics) read_manifest(fabric, runs);
    return runs;
}

bool IbtracertBlock::says(std::string const& text) const {
    return std::any_of(messages.begin(), messages.end(),
                       [&](std::string const& m) { return m.find(text) != std::string::npos; });
}

std::vector<IbtracertBlock> read_ibtracert(std::string const& path) {
    LineReader lines(open_source(path), path);
    std::vector<IbtracertBlock> blocks;
    std::string_view line;
    bool torn = false;  // a message came in the middle of the last line of the route
    while (lines.next(line)) {
        Scanner scan(line);
        if (scan.accept("# ibtracert ")) {
            std::uint64_t source = 0, destination = 0, code = 0;
            scan.decimal(source);
            scan.blanks().decimal(destination);
            scan.behind("rc ");
            scan.decimal(code);
            blocks.push_back({static_cast<Lid>(source), static_cast<Lid>(destination), static_cast<int>(code), {}, {}});
            torn = false;
            continue;
        }
        if (blocks.empty()) continue;
        IbtracertBlock& block = blocks.back();
        std::size_t const message = std::min(line.find("ibwarn:"), line.find("ibtracert: "));
        if (message != std::string_view::npos) {
            if (message > 0) block.route.emplace_back(line.substr(0, message));
            torn = torn || message > 0;
            block.messages.emplace_back(line.substr(message));
        } else if (torn) {
            block.route.back() += line;
            torn = false;
        } else {
            block.route.emplace_back(line);
        }
    }
    return blocks;
}

std::uint64_t measuring_port(std::string const& topology) {
    LineReader lines(open_source(topology), topology);
    std::string_view line;
    std::uint64_t guid = 0;
    while (guid == 0 && lines.next(line)) {
        Scanner scan(line);
        if (scan.behind("Initiated from node ") && scan.behind("port ")) scan.hex(guid);
    }
    return guid;
}

}  // namespace tailback
