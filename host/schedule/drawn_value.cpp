#include "host/schedule/drawn_value.hpp"

#include "host/base/error.hpp"
#include "kernels/common/philox.hpp"

#include <charconv>
#include <cmath>

namespace tailback::schedule {
namespace {

constexpr std::uint32_t workload_stream = 16;
constexpr double most = 1e12;

/// Two numbers from [0, 1) for a value of a job.
struct Draw {
    double first, second;
};
Draw draw(std::uint64_t seed, std::uint32_t job, std::uint32_t which) {
    kernels::PhiloxBlock const block = kernels::philox(job, which, 0, workload_stream << 24, seed);
    auto const of = [](std::uint32_t high, std::uint32_t low) {
        return std::ldexp(double((std::uint64_t{high} << 32 | low) >> 11), -53);
    };
    return {of(block.word[0], block.word[1]), of(block.word[2], block.word[3])};
}

[[noreturn]] void refuse(std::string const& words) {
    throw base::InputError({}, "\"" + words.substr(0, 80) + "\" is neither a number nor a way to draw one", "",
                           "write 12.5, exponential:MEAN or uniform:LOW..HIGH, or a list of these");
}

double number(std::string const& all, std::string const& words) {
    double value = 0;
    auto const [end, error] = std::from_chars(words.data(), words.data() + words.size(), value);
    if (error != std::errc() || end != words.data() + words.size() || !(value >= 0) || value > most) refuse(all);
    return value;
}

}  // namespace

DrawnValue::DrawnValue(std::vector<std::string> const& items) {
    for (std::string const& item : items) items_.push_back(read(item));
    if (items_.empty()) refuse("");
}

DrawnValue::Item DrawnValue::read(std::string const& words) {
    std::string const exponential = "exponential:", uniform = "uniform:";
    if (words.starts_with(exponential)) return {Kind::exponential, number(words, words.substr(exponential.size())), 0};
    if (!words.starts_with(uniform)) return {Kind::given, number(words, words), 0};
    std::size_t const dots = words.find("..");
    if (dots == words.npos) refuse(words);
    Item const item{Kind::uniform, number(words, words.substr(uniform.size(), dots - uniform.size())),
                    number(words, words.substr(dots + 2))};
    if (item.high < item.low) refuse(words);
    return item;
}

bool DrawnValue::is_drawn() const { return items_.size() > 1 || items_.front().kind != Kind::given; }

double DrawnValue::of(std::uint64_t seed, std::uint32_t job, std::uint32_t which) const {
    if (!is_drawn()) return items_.front().low;
    Draw const drawn = draw(seed, job, which);
    Item const& item = items_[static_cast<std::size_t>(drawn.first * double(items_.size()))];
    switch (item.kind) {
        case Kind::given: return item.low;
        case Kind::exponential: return -item.low * std::log1p(-drawn.second);
        case Kind::uniform: return item.low + (item.high - item.low) * drawn.second;
    }
    return item.low;
}

std::uint32_t draw_below(std::uint32_t count, std::uint64_t seed, std::uint32_t job, std::uint32_t which) {
    return static_cast<std::uint32_t>(draw(seed, job, which).first * count);
}

}  // namespace tailback::schedule
