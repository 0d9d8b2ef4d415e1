// Parts of a line of ibnetdiscover, as infiniband-diags and ibdiagnet2 print it.
#pragma once

#include "host/base/scanner.hpp"
#include "host/formats/read/lid_range.hpp"

#include <string>
#include <string_view>

namespace tailback::formats {

/// The text behind `#`: `["lid" own "lmc" lmc] "name" tail`.
struct Remark {
    std::string_view before, name, tail;
    bool there = false;
};

/// The name goes from the first quote to the last: names hold quotes, blanks and `#` themselves.
inline Remark split_remark(std::string_view text) {
    Remark remark;
    std::size_t const hash = text.find('#');
    if (hash == std::string_view::npos) return remark;
    text.remove_prefix(hash + 1);
    std::size_t const first = text.find('"');
    std::size_t const last = text.rfind('"');
    if (first == std::string_view::npos || first == last) return remark;
    remark.before = text.substr(0, first);
    remark.name = text.substr(first + 1, last - first - 1);
    remark.tail = text.substr(last + 1);
    remark.there = true;
    return remark;
}

/// What stands behind `lid` or `lmc`. 0 and 65535 mean "no LID" and are no odd words.
struct LidWord {
    model::Lid lid = 0;  ///< 0 = none
    std::string odd;     ///< a word that is no LID: empty quotes for none at all, `-1`, `65335`
    bool told = false;   ///< the label is there
};

/// Takes `lid 14`; also `lid ` without a number, `lid -1`, `lid 65335`.
inline LidWord take_lid(base::Scanner& scan) {
    LidWord word;
    if (!scan.behind("lid")) return word;
    word.told = true;
    std::string_view const text = scan.blanks().rest();
    std::size_t const end = std::min(text.find_first_of(" \t"), text.size());
    std::uint64_t number = 0;
    base::Scanner digits(text.substr(0, end));
    if (digits.decimal(number) && digits.at_end()) {
        scan.skip(end);
        if (number == no_lid) number = 0;
        if (number <= model::max_unicast_lid) word.lid = static_cast<model::Lid>(number);
        else word.odd = '"' + std::string(text.substr(0, end)) + '"';
        return word;
    }
    // The next word belongs to somebody else: `lid lmc 0`, `lid 4xNDR`.
    bool const negative = !text.empty() && text.front() == '-';
    if (negative) scan.skip(end);
    word.odd = negative ? '"' + std::string(text.substr(0, end)) + '"' : "\"\"";
    return word;
}

/// Groups in parentheses behind `[n]`: a label (`1/1/1`), a port GUID (`2c903001000c1`), or both, in this order.
struct PortGroups {
    std::string_view label, guid;
};
inline PortGroups take_groups(base::Scanner& scan, bool has_guid) {
    PortGroups groups;
    std::string_view group;
    std::size_t met = 0;
    while (scan.blanks().accept('(') && scan.until(')', group)) {
        if (met++ == 0 && !has_guid) groups.label = group;
        else if (has_guid && groups.guid.empty()) groups.guid = group;
        else if (has_guid) groups.label = groups.guid, groups.guid = group;
    }
    return groups;
}

}  // namespace tailback::formats
