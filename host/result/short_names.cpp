#include "host/result/short_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

namespace tailback::result {
namespace {

constexpr std::size_t least_saved = 4;  // columns of a name

bool is_sign(char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }
bool has_letter(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

/// What both begin with, or end with.
template <class Iterator>
std::size_t shared(Iterator one, Iterator one_end, Iterator other, Iterator other_end) {
    return std::size_t(std::mismatch(one, one_end, other, other_end).first - one);
}

}  // namespace

ShortNames::ShortNames(std::span<model::Network const* const> networks) {
    std::vector<std::string_view> names;
    for (model::Network const* const network : networks)
        for (std::size_t n = 0; n < network->nodes().size(); ++n)
            if (network->is_switch(model::Node{n})) names.push_back((*network)[model::Node{n}].name);
    if (names.size() < 2) return;
    std::string_view const first = names.front();
    std::size_t before = first.size(), after = first.size();
    for (std::string_view const name : names) {
        if (name == first) continue;
        before = std::min(before, shared(first.begin(), first.end(), name.begin(), name.end()));
        after = std::min(after, shared(first.rbegin(), first.rend(), name.rbegin(), name.rend()));
    }
    if (before == first.size() && after == first.size()) return;  // all have one name
    while (before > 0 && !is_sign(first[before - 1])) --before;
    while (after > 0 && !is_sign(first[first.size() - after])) --after;
    if (before + after < least_saved) return;
    std::unordered_set<std::string_view> others;
    for (model::Network const* const network : networks)
        for (model::NodeRecord const& node : network->nodes()) others.insert(node.name);
    for (std::string_view const name : names) {
        if (name.size() <= before + after) return;
        std::string_view const core = name.substr(before, name.size() - before - after);
        if (!has_letter(core) || others.contains(core)) return;
    }
    before_ = first.substr(0, before), after_ = first.substr(first.size() - after);
    auto const [least, most] = std::minmax_element(
        names.begin(), names.end(), [](std::string_view a, std::string_view b) { return a.size() < b.size(); });
    shortest_ = least->size(), longest_ = most->size();
    names_.insert(names.begin(), names.end());
}

std::string ShortNames::in(std::string_view text) const {
    std::string all;
    for (std::size_t at = 0; at < text.size();) {
        bool const begins = (at == 0 || is_sign(text[at - 1])) && text.substr(at).starts_with(before_);
        std::size_t size = begins ? std::min(longest_, text.size() - at) : 0;
        for (; size >= shortest_ && size > 0; --size)
            if ((at + size == text.size() || is_sign(text[at + size])) && names_.contains(text.substr(at, size))) break;
        bool const is_name = size >= shortest_ && size > 0;
        all += is_name ? text.substr(at + before_.size(), size - before_.size() - after_.size()) : text.substr(at, 1);
        at += is_name ? size : 1;
    }
    return all;
}

std::string ShortNames::sentence() const {
    auto const quoted = [](std::string const& part) { return "\"" + part + "\""; };
    return fmt::format("names of switches without {}{}{}, which all of them have",
                       before_.empty() ? "" : quoted(before_) + " in front",
                       before_.empty() || after_.empty() ? "" : " and ",
                       after_.empty() ? "" : quoted(after_) + " behind");
}

}  // namespace tailback::result
