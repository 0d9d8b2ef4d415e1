// Real dumps disagree with each other. That is data, not an error: counted, the first example kept, told once.
#pragma once

#include "host/base/error.hpp"
#include "host/diagnosis/code.hpp"
#include "host/model/index.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::model {

using diagnosis::Disagreement;

/// A place in the fabric.
struct FabricPlace {
    std::string text;  ///< `switch "leaf-07" (0x..) port 5`; empty = the line in the file says where
    /// The same for programs, where it is about one node.
    Node node;
    std::uint64_t guid = 0;  ///< of a node that the topology does not have
    std::uint32_t port = 0;  ///< 0 = of no port
    /// LIDs and further nodes whose troubles this explains.
    std::vector<std::uint32_t> lids = {};
    std::vector<Node> nodes = {};
    std::string name = {};   ///< of a node that the topology does not have, or of a section of the file
    std::string state = {};  ///< of a port that is not active: `Init`
};

/// One disagreement, for a report that lists them.
struct NotedDisagreement {
    diagnosis::Code code{};
    base::SourceLocation place;  ///< in the file
    FabricPlace where;
    std::string text;  ///< a whole clause

    Disagreement kind() const { return diagnosis::disagreement_of(code); }
};

/// Collects disagreements, and counts them by their kinds. `strict` makes the first one that contradicts an InputError;
/// of each kind `kept` are kept whole.
class Disagreements {
public:
    explicit Disagreements(bool strict = false, std::size_t kept = 0) : strict_(strict), kept_(kept) {}

    /// Counts `times` of the kind of `code`. `example` is a whole clause ("LID 0x3f routed to port 41 (switch ... has
    /// 36 ports)"); only the first of a kind is kept (and `kept` with `where`), so build it only when
    /// `wants_example(code)` (always in strict mode).
    void note(diagnosis::Code code, base::SourceLocation const& place, std::string const& example,
              std::uint64_t times = 1, FabricPlace const& where = {});
    /// What was met while another file was read, as if it had been noted here.
    void take(Disagreements const& other);
    void count(Disagreement kind, std::uint64_t times = 1) { seen_[std::size_t(kind)].times += times; }
    void count(diagnosis::Code code) { count(diagnosis::disagreement_of(code)); }
    bool wants_example(diagnosis::Code code) const {
        Seen const& seen = seen_[std::size_t(diagnosis::disagreement_of(code))];
        return seen.times == 0 || seen.kept < kept_;
    }

    std::uint64_t times(Disagreement kind) const { return seen_[std::size_t(kind)].times; }
    bool any() const;
    /// The first `kept` of each kind, in the order they were met.
    std::vector<NotedDisagreement> const& noted() const { return noted_; }
    /// One warning per kind met: `12 entries ... (first: file:line: example)`.
    std::vector<std::string> warnings() const;
    /// That of one kind; empty where it was not met.
    std::string warning(Disagreement kind) const;

private:
    struct Seen {
        std::uint64_t times = 0;
        std::size_t kept = 0;
        std::string first;
    };
    std::array<Seen, diagnosis::disagreement_kinds> seen_{};
    std::vector<NotedDisagreement> noted_;
    bool strict_;
    std::size_t kept_;
};

}  // namespace tailback::model
