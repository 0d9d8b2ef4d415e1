// Files that list hosts: a subset (one host a line) and mappings (one mapping a line, a host for every rank).
#pragma once

#include "host/io/line_reader.hpp"
#include "host/model/tables.hpp"

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace tailback::study {

/// Hosts of a network that is kept, or of a formula. Refers to what it is made from.
class NamedHosts {
public:
    NamedHosts(model::Network const& network) : network_(network) {}
    NamedHosts(model::Fabric const& fabric) : network_(fabric.network), formula_(fabric.formula.get()) {}

    std::uint64_t count() const { return formula_ != nullptr ? formula_->hosts : network_.hosts().size(); }
    /// @throws InputError for a word that is no host.
    model::Host find(std::string const& word, base::SourceLocation const& place) const;

private:
    model::Network const& network_;
    model::NetworkFormula const* formula_ = nullptr;
};

/// One host a line, in order: a LID, a GUID or a name. `#` in front makes a comment; blank lines are skipped.
/// @throws InputError with file:line for a word that is no host, a host met twice, a file without hosts.
std::vector<model::Host> read_subset(io::LineReader& lines, NamedHosts const& named);

struct MappingList {
    std::uint32_t ranks = 0;
    std::uint64_t mappings = 0;
    std::vector<model::Host> hosts;       ///< [mapping][rank]
    std::vector<std::string> notes = {};  ///< what was taken otherwise than it was written
};
/// One mapping a line: word r is the host of rank r. Words are divided by blanks; those with blanks or quotes in them
/// stand in double quotes, with \" and \\ inside. Comments and blank lines as above.
/// @throws InputError with file:line for a word that is no host, a host twice in one line, lines of different length.
MappingList read_mappings(io::LineReader& lines, NamedHosts const& named);

/// Writes lines of a mappings file. A host is its LID; its GUID where it has none, or where some node is called like a
/// LID (its LID in hexadecimal where it has no GUID); in networks that go by names its name, quoted where need be.
class MappingWriter {
public:
    MappingWriter(std::ostream& out, model::Network const& network);
    MappingWriter(std::ostream& out, model::Fabric const& fabric);
    void write(std::span<model::Host const> hosts);

private:
    std::ostream& out_;
    std::vector<std::string> words_;  // by host
};

}  // namespace tailback::study
