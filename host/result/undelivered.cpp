#include "host/result/undelivered.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>

namespace tailback::result {
namespace {

/// `3 of 12 flows (25 %)`
std::string amount_of(Undelivered const& lost) {
    std::string const share = lost.share.empty() ? "" : " (" + lost.share + ")";
    if (lost.all == 0) return base::counted(lost.count, lost.one, lost.many) + share;
    return fmt::format("{} of {}{}", base::grouped(lost.count), base::counted(lost.all, lost.one, lost.many), share);
}
char const* verb_of(Undelivered const& lost) { return lost.count == 1 ? "is" : "are"; }
std::string load_no_link(Undelivered const& lost) { return lost.count == 1 ? "it loads no link" : "they load no link"; }

}  // namespace

std::string not_delivered(Undelivered const& lost) {
    return fmt::format("{} {} not delivered", amount_of(lost), verb_of(lost));
}

std::string load_nothing(Undelivered const& lost) { return not_delivered(lost) + ": " + load_no_link(lost); }

std::string left_out_above(Undelivered const& lost, std::string_view but) {
    return fmt::format("{}, and the numbers above are of delivered flows alone{}.", load_nothing(lost), but);
}

NextStep find_out_why(OtherCommands const& others) {
    return {"find out why flows are not delivered", others.with("audit", {})};
}

}  // namespace tailback::result
