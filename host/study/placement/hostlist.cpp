#include "host/study/placement/hostlist.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <utility>

namespace tailback::study {
namespace {

/// Appends `head` + each number of `range` (`7` or `001-128`) to `out`.
void expand_range(std::string const& words, std::string const& head, std::string_view range,
                  std::vector<std::string>& out) {
    base::Scanner scan(range);
    std::uint64_t first = 0, last = 0;
    if (!scan.decimal(first)) refuse_list(words, "brackets hold numbers and ranges like 001-128");
    std::size_t const width = range.size() - scan.rest().size();
    last = first;
    if (scan.accept('-') && !scan.decimal(last)) refuse_list(words, "a range has no end");
    if (!scan.at_end()) refuse_list(words, "brackets hold numbers and ranges like 001-128");
    if (last < first) refuse_list(words, fmt::format("the range {} goes down", range));
    if (last == UINT64_MAX) refuse_list(words, "a number is too large");  // also where it has too many digits
    if (last - first >= most_names - out.size())
        refuse_list(words, fmt::format("more than {} names", base::grouped(most_names)));
    for (std::uint64_t n = first; n <= last; ++n) out.push_back(fmt::format("{}{:0{}}", head, n, width));
}

/// The names of one item, which may have several pairs of brackets.
std::vector<std::string> expand_item(std::string const& words, std::string const& item) {
    std::vector<std::string> names = {""};
    std::size_t at = 0;
    constexpr std::size_t most_part = 1000;  // characters beside brackets: there may be a million names with them
    while (at < item.size()) {
        std::size_t const open = std::min(item.find('[', at), item.size());
        if (open - at > most_part && (open < item.size() || names.size() > 1)) refuse_list(words, "a name is too long");
        for (std::string& name : names) name += item.substr(at, open - at);
        if (open == item.size()) break;
        std::size_t const close = item.find(']', open);
        std::string const ranges = item.substr(open + 1, close - open - 1);
        std::vector<std::string> longer;
        for (std::string const& name : names)
            for (std::size_t from = 0; from <= ranges.size();) {
                std::size_t const end = std::min(ranges.find(',', from), ranges.size());
                expand_range(words, name, std::string_view(ranges).substr(from, end - from), longer);
                from = end + 1;
            }
        names = std::move(longer);
        at = close + 1;
    }
    return names;
}

}  // namespace

void refuse_list(std::string const& words, std::string const& why) {
    throw base::InputError({}, "\"" + words.substr(0, 80) + "\" is not a list of hosts", why,
                           "write it like node[001-128,130],login-*");
}

std::vector<std::string> split_hostlist(std::string const& words) {
    std::vector<std::string> items(1);
    bool inside = false;
    for (char const c : words) {
        if (c == '[' && inside) refuse_list(words, "a bracket inside brackets");
        if (c == ']' && !inside) refuse_list(words, "a bracket is closed that was not opened");
        if (c == '[' || c == ']') inside = c == '[';
        if (c == ',' && !inside) items.emplace_back();
        else items.back() += c;
    }
    if (inside) refuse_list(words, "a bracket is not closed");
    for (std::string& item : items) item = std::string(base::trimmed(item));
    std::erase(items, "");
    return items;
}

bool matches_glob(std::string_view text, std::string_view glob) {
    std::size_t t = 0, g = 0, star = glob.npos, retry = 0;
    while (t < text.size()) {
        if (g < glob.size() && glob[g] == '*') {
            star = g++;
            retry = t;
        } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
            ++g, ++t;
        } else if (star != glob.npos) {
            g = star + 1;
            t = ++retry;
        } else {
            return false;
        }
    }
    while (g < glob.size() && glob[g] == '*') ++g;
    return g == glob.size();
}

std::vector<std::string> expand_hostlist(std::string const& words) {
    std::size_t left = most_names;
    return expand_hostlist(words, left);
}

std::vector<std::string> expand_hostlist(std::string const& words, std::size_t& left) {
    std::size_t const most = std::exchange(left, 0);
    std::vector<std::string> names;
    auto const may_be_more = [&] {
        if (names.size() >= most_names)
            refuse_list(words, fmt::format("more than {} names", base::grouped(most_names)));
        if (names.size() >= most) refuse_list(words, "too many names with those before it");
    };
    for (std::string const& item : split_hostlist(words)) {
        may_be_more();
        for (std::string& name : expand_item(words, item)) {
            may_be_more();
            names.push_back(std::move(name));
        }
    }
    left = most - names.size();
    return names;
}

std::string fold_hostlist(std::vector<std::string> const& names) {
    struct Part {
        std::string head;   ///< before the last digits
        std::size_t width;  ///< of the digits; 0 = none
        std::uint64_t number;
        std::string tail;
    };
    auto const part_of = [](std::string const& name) {
        std::size_t const last = name.find_last_of("0123456789");
        if (last == std::string::npos) return Part{name, 0, 0, ""};
        std::size_t first = last;
        while (first > 0 && std::isdigit(static_cast<unsigned char>(name[first - 1]))) --first;
        if (last - first >= 18) return Part{name, 0, 0, ""};
        return Part{name.substr(0, first), last - first + 1, std::stoull(name.substr(first, last - first + 1)),
                    name.substr(last + 1)};
    };
    std::string text;
    for (std::size_t i = 0; i < names.size();) {
        Part const part = part_of(names[i]);
        std::string ranges;
        std::size_t count = 0;
        std::size_t j = i;
        while (j < names.size() && part.width > 0) {
            Part const first = part_of(names[j]);
            // A number wider than its zeros ask for keeps its width: `node99`, `node100` are two items.
            if (first.head != part.head || first.tail != part.tail || first.width != part.width) break;
            std::size_t end = j + 1;
            while (end < names.size()) {
                Part const next = part_of(names[end]);
                if (next.head != part.head || next.tail != part.tail || next.width != part.width ||
                    next.number != first.number + (end - j))
                    break;
                ++end;
            }
            ranges += (ranges.empty() ? "" : ",") + fmt::format("{:0{}}", first.number, first.width);
            if (end > j + 1) ranges += fmt::format("-{:0{}}", first.number + (end - j - 1), first.width);
            count += end - j;
            j = end;
        }
        if (j == i) j = i + 1;
        text += (text.empty() ? "" : ",") + (count < 2 ? names[i] : part.head + "[" + ranges + "]" + part.tail);
        i = j;
    }
    return text;
}

}  // namespace tailback::study
