// Open MPI's monitoring: one file a rank, `E` (of the application) and `I` (of the library: collectives as the sends
// they became) are what a rank sends.
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/traffic/read/fields.hpp"
#include "host/traffic/traces/traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace tailback::traffic {
namespace {

class MonitoringReader {
public:
    MonitoringReader() : builder_([this] { return place_(); }) {}

    void read(io::LineReader& lines) {
        place_ = [&] { return lines.place(); };
        for (std::string_view line; lines.next(line);) read_line(line, lines);
    }

    TrafficMatrix take() {
        check_ranks();
        TrafficMatrix matrix = builder_.take("Open MPI's monitoring");
        matrix.messages_known = true;
        matrix.notes.push_back(
            fmt::format("{} bytes of the application and {} bytes of the library, as which collectives are sent",
                        base::grouped(application_), base::grouped(library_)));
        if (one_sided_ > 0)
            matrix.warnings.push_back(
                fmt::format("{} of one-sided operations are left out", base::counted(one_sided_, "line", "lines")));
        if (!told_apart_)
            matrix.warnings.push_back(
                "the files do not name the ranks of MPI_COMM_WORLD: whether all files are there is not known");
        return matrix;
    }

private:
    void read_line(std::string_view line, io::LineReader& lines) {
        if (line.empty() || line.front() == '#') return;
        Fields fields(line);
        std::string_view kind;
        fields.next(kind);
        if (kind == "E" || kind == "I") read_sends(kind == "E", fields, lines);
        else if (kind == "S" || kind == "R") ++one_sided_;
        else if (kind == "D") read_communicator(line, lines);
        else if (kind == "O2A" || kind == "A2O" || kind == "A2A") {
            std::string_view word;
            fields.next(word);
            std::uint32_t const rank = builder_.rank(whole(lines, word, "rank"));
            if (writers_.empty() || writers_.back() != rank) writers_.push_back(rank);
        } else if (kind != "C")
            throw base::InputError(lines.place(), "this is not a line of Open MPI's monitoring",
                                   "it begins with " + shown(kind), "check that the file is complete");
    }
    /// `source destination bytes "bytes" messages "msgs sent" ..`
    void read_sends(bool by_application, Fields& fields, io::LineReader& lines) {
        std::string_view source, destination, bytes, unit, messages, what;
        fields.next(source);
        fields.next(destination);
        fields.next(bytes);
        fields.next(unit);
        fields.next(messages);
        if (!fields.next(what) || unit != "bytes" || what != "msgs")
            throw base::InputError(lines.place(), "a line of sends is incomplete", "",
                                   "check that the file is complete");
        Entry const entry{builder_.rank(whole(lines, source, "rank")), builder_.rank(whole(lines, destination, "rank")),
                          whole(lines, bytes, "number of bytes"), whole(lines, messages, "number of messages")};
        builder_.add(entry);
        (by_application ? application_ : library_) += entry.bytes;
    }
    /// `D  MPI_COMM_WORLD  procs: 0,1,2`
    void read_communicator(std::string_view line, io::LineReader& lines) {
        base::Scanner scan(line);
        scan.behind("\t");
        if (!scan.accept("MPI_COMM_WORLD\tprocs:")) return;
        std::uint64_t most = 0, rank = 0, count = 0;
        do {
            if (!scan.blanks().decimal(rank))
                throw base::InputError(lines.place(), "the list of ranks is not understood", "",
                                       "check that the file is complete");
            most = std::max(most, rank);
            ++count;
        } while (scan.blanks().accept(','));
        if (count != most + 1)
            throw base::InputError(lines.place(), "the list of ranks is incomplete",
                                   fmt::format("it has {} ranks, up to {}", count, most),
                                   "check that the file is complete");
        if (told_apart_ && builder_.ranks() != count)
            throw base::InputError(lines.place(), "the files are of different runs",
                                   fmt::format("one of {} ranks, one of {}", builder_.ranks(), count),
                                   "give the files of one run");
        builder_.declare_ranks(count);
        told_apart_ = true;
    }
    /// Every rank writes a file of its own: without one of them its row would be empty.
    void check_ranks() {
        if (!told_apart_) return;
        std::sort(writers_.begin(), writers_.end());
        writers_.erase(std::unique(writers_.begin(), writers_.end()), writers_.end());
        if (writers_.size() == builder_.ranks()) return;
        std::uint32_t missing = 0;
        while (missing < writers_.size() && writers_[missing] == missing) ++missing;
        throw base::InputError(
            {place_().file, 0}, fmt::format("the file of rank {} is missing", missing),
            fmt::format("the run had {} ranks, and the files of {} are here", builder_.ranks(), writers_.size()),
            "put the files PREFIX.RANK.prof of all ranks into one folder and name one of them, or "
            "join them: cat PREFIX.*.prof");
    }

    std::function<base::SourceLocation()> place_;
    MatrixBuilder builder_;
    std::vector<std::uint32_t> writers_;
    std::uint64_t application_ = 0, library_ = 0, one_sided_ = 0;
    bool told_apart_ = false;
};

}  // namespace

TrafficMatrix read_monitoring(io::LineReader& lines) {
    MonitoringReader reader;
    reader.read(lines);
    return reader.take();
}

TrafficMatrix read_monitoring(std::vector<std::string> const& paths) {
    MonitoringReader reader;
    std::optional<io::LineReader> lines;  // the last one stays, for messages
    for (std::string const& path : paths) {
        lines.emplace(io::open_source(path), path);
        reader.read(*lines);
    }
    return reader.take();
}

/// `PREFIX.RANK.prof` of all ranks, in their order, for one of them; the path alone where it is no such name.
std::vector<std::string> files_of_all_ranks(std::string const& path) {
    namespace fs = std::filesystem;
    auto const prefix_of = [](std::string name) {
        if (!name.ends_with(".prof")) return std::string();
        name.resize(name.size() - 5);
        std::size_t const dot = name.rfind('.');
        if (dot == std::string::npos || dot + 1 == name.size() || name.size() - dot > 10 ||
            name.find_first_not_of("0123456789", dot + 1) != std::string::npos)
            return std::string();
        return name.substr(0, dot + 1);
    };
    fs::path const file = path;
    std::string const prefix = prefix_of(file.filename().string());
    std::vector<std::pair<unsigned long, std::string>> found;
    std::error_code ignored;
    fs::path const folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (!prefix.empty())
        for (fs::directory_entry const& entry : fs::directory_iterator(folder, ignored))
            if (std::string const name = entry.path().filename().string(); prefix_of(name) == prefix)
                found.emplace_back(std::stoul(name.substr(prefix.size())),
                                   (file.has_parent_path() ? entry.path() : fs::path(name)).string());
    std::sort(found.begin(), found.end());
    std::vector<std::string> paths;
    for (auto const& [rank, one] : found) paths.push_back(one);
    if (paths.empty()) paths.push_back(path);
    return paths;
}

}  // namespace tailback::traffic
