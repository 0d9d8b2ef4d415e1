// What is odd in one file of a device: counted, and told once with the first of its kind.
#pragma once

#include "host/base/numbers.hpp"
#include "host/diagnosis/code.hpp"
#include "host/io/line_reader.hpp"
#include "host/model/tables.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace tailback::formats {

/// A finding of the file that `lines` reads, which stands as DEVICE/FILE.
inline void note_of_file(model::Disagreements& disagreements, diagnosis::Code code, io::LineReader const& lines,
                         std::string const& text, std::uint64_t count = 1) {
    std::filesystem::path const path(lines.name());
    std::string const file = (path.parent_path().filename() / path.filename()).string();  // leaf01/routes.json
    disagreements.note(code, {lines.name(), 0}, text, count, {file, {}, 0, 0, {}, {}});
}

class OddValues {
public:
    struct Words {
        char const *one, *many;  ///< `next hop has ..`, `next hops have ..`
        char const* then;        ///< what is done about it
    };
    void count(std::string const& which) {
        if (count_++ == 0) first_ = which;
    }
    void note(model::Disagreements& disagreements, io::LineReader const& lines, diagnosis::Code code,
              Words const& words) const {
        if (count_ == 0) return;
        note_of_file(disagreements, code, lines,
                     base::counted(count_, words.one, words.many) + " (the first: " + first_ + "); " + words.then);
    }

private:
    std::uint64_t count_ = 0;
    std::string first_;
};

}  // namespace tailback::formats
