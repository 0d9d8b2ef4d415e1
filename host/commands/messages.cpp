#include "host/commands/messages.hpp"

#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"
#include "host/model/disagreements.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/result/undelivered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace tailback::commands {

namespace {
bool quiet = false, warnings_alone = false;
WarningsByPoint* by_point = nullptr;

void write_line(std::string const& kind, std::string const& text) {
    io::make_way_on_standard_error();
    std::fputs(("tailback: " + kind + ": " + base::printable(text) + "\n").c_str(), stderr);
}

}  // namespace

void tell_warnings_alone() { warnings_alone = true; }

void tell_static_entries(model::Fabric const& fabric) {
    if (model::traits_of(fabric).by_load)
        tell_note(
            "switches choose among several ports here, and this goes by their static entries; bracket tells what "
            "the choices are worth");
}

bool tell_nothing_delivered(std::uint64_t delivered, std::uint64_t failed) {
    if (delivered > 0 || failed == 0) return false;
    tell("warning", fmt::format("no flow was delivered ({}), so there is nothing to measure; {}",
                                base::counted(failed, "flow", "flows"), result::audit_says_why));
    return true;
}

void tell_no_more() {
    quiet = true;
    io::tell_no_progress();
}

void tell(std::string const& kind, std::string const& text) {
    if (quiet || (warnings_alone && kind != "warning")) return;
    if (by_point != nullptr && kind == "warning") return by_point->take(text);
    write_line(kind, text);
}

WarningsByPoint::WarningsByPoint() { by_point = this; }

WarningsByPoint::~WarningsByPoint() {
    by_point = nullptr;
    for (Met const& met : met_)
        if (met.points > 1)
            tell("note", fmt::format("the warning of point {} also holds for {}: {}", met.first,
                                     base::counted(met.points - 1, "other point", "other points"), met.warning));
}

void WarningsByPoint::take(std::string const& warning) {
    auto const same = std::find_if(met_.begin(), met_.end(), [&](Met const& met) { return met.warning == warning; });
    if (same == met_.end()) {
        met_.push_back({warning, point_, point_, 1});
        return write_line("warning", fmt::format("point {}: {}", point_, warning));
    }
    same->points += same->last != point_;
    same->last = point_;
}

void tell_note(std::string const& note) { tell("note", note); }

void tell_warning(std::string const& warning) { tell("warning", warning); }

void tell_warnings(model::Disagreements const& disagreements) {
    for (std::string const& warning : disagreements.warnings()) tell_warning(warning);
}

}  // namespace tailback::commands
