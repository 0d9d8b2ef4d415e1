#include "host/model/disagreements.hpp"

namespace tailback::model {

void Disagreements::note(diagnosis::Code code, base::SourceLocation const& place, std::string const& example,
                         std::uint64_t times, FabricPlace const& where) {
    Disagreement const kind = diagnosis::disagreement_of(code);
    Seen& seen = seen_[std::size_t(kind)];
    if (strict_ && diagnosis::contradicts(kind))
        throw base::InputError(place, example, "--strict makes every disagreement an error",
                               "leave out --strict to go on with a warning");
    if (seen.first.empty()) seen.first = base::compose_message(place, example, "", "");
    seen.times += times;
    if (times > 0 && seen.kept < kept_) {
        ++seen.kept;
        noted_.push_back({code, place, where, example});
    }
}

void Disagreements::take(Disagreements const& other) {
    for (NotedDisagreement const& noted : other.noted_) note(noted.code, noted.place, noted.text, 0, noted.where);
    for (std::size_t k = 0; k < diagnosis::disagreement_kinds; ++k) {
        Seen& seen = seen_[k];
        seen.times += other.seen_[k].times;
        if (seen.first.empty()) seen.first = other.seen_[k].first;
    }
    for (NotedDisagreement const& noted : other.noted_)
        if (Seen& seen = seen_[std::size_t(noted.kind())]; seen.kept < kept_) {
            ++seen.kept;
            noted_.push_back(noted);
        }
}

bool Disagreements::any() const {
    for (Seen const& seen : seen_)
        if (seen.times > 0) return true;
    return false;
}

std::string Disagreements::warning(Disagreement kind) const {
    Seen const& seen = seen_[std::size_t(kind)];
    if (seen.times == 0) return {};
    return diagnosis::count_text(kind, seen.times) +
           (diagnosis::contradicts(kind) ? " (first: " + seen.first + ")" : ": " + seen.first);
}

std::vector<std::string> Disagreements::warnings() const {
    std::vector<std::string> lines;
    for (std::size_t k = 0; k < diagnosis::disagreement_kinds; ++k)
        if (std::string line = warning(Disagreement(k)); !line.empty()) lines.push_back(std::move(line));
    return lines;
}

}  // namespace tailback::model
