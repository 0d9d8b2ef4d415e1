#include "host/study/timing.hpp"

#include "host/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace tailback::study {

Duration read_duration(std::string const& option, std::string const& text) {
    Duration duration{.text = text};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), duration.value);
    std::string const unit(end, text.data() + text.size());
    bool known = unit.empty();
    for (auto const& [name, seconds] :
         {std::pair{"ns", 1e-9}, std::pair{"us", 1e-6}, std::pair{"ms", 1e-3}, std::pair{"s", 1.0}})
        if (unit == name) {
            duration.value *= seconds;
            known = duration.in_seconds = true;
        }
    if (error != std::errc() || !known || !std::isfinite(duration.value) || duration.value < 0)
        throw base::InputError({}, option + ": \"" + text.substr(0, 40) + "\" is not a time", "",
                               "write a number with ns, us, ms or s; or one alone, where times have no unit");
    return duration;
}

namespace {

[[noreturn]] void refuse_priority(std::string const& text) {
    throw base::InputError({}, "priority \"" + text.substr(0, 40) + "\" is not understood", "",
                           "write strict:K (0 to 15, 0 first), weight:W (1 to 1000), or strict:K+weight:W");
}

std::uint32_t number_in(std::string_view word, std::uint32_t least, std::uint32_t most, std::string const& text) {
    std::uint32_t value = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < least || value > most)
        refuse_priority(text);
    return value;
}

}  // namespace

Priority read_priority(std::string const& text) {
    Priority priority;
    bool has_rank = false, has_weight = false;
    for (std::size_t at = 0; at <= text.size();) {
        std::size_t const end = std::min(text.find('+', at), text.size());
        std::string_view const part = std::string_view(text).substr(at, end - at);
        if (part.starts_with("strict:") && !has_rank) {
            priority.rank = number_in(part.substr(7), 0, Priority::most_rank, text);
            has_rank = true;
        } else if (part.starts_with("weight:") && !has_weight) {
            priority.weight = number_in(part.substr(7), 1, Priority::most_weight, text);
            has_weight = true;
        } else {
            refuse_priority(text);
        }
        at = end + 1;
    }
    return priority;
}

std::vector<ClassPriority> read_priorities(std::string const& text) {
    std::vector<ClassPriority> priorities;
    for (std::size_t at = 0; at <= text.size();) {
        std::size_t const end = std::min(text.find(',', at), text.size()), equal = text.find('=', at);
        if (equal == text.npos || equal >= end || equal == at)
            throw base::InputError({}, "--priority " + text.substr(at, 40) + " is not understood", "",
                                   "write CLASS=strict:1 or CLASS=weight:3, several with commas");
        ClassPriority one{text.substr(at, equal - at), read_priority(text.substr(equal + 1, end - equal - 1))};
        for (ClassPriority const& other : priorities)
            if (other.name == one.name)
                throw base::InputError({}, "class " + one.name + " has two priorities", "", "leave one out");
        priorities.push_back(std::move(one));
        at = end + 1;
    }
    return priorities;
}

std::string words_of(Priority const& priority) {
    std::string words = priority.rank != 0 ? "strict:" + std::to_string(priority.rank) : "";
    if (priority.weight != 1 || words.empty())
        words += (words.empty() ? "weight:" : "+weight:") + std::to_string(priority.weight);
    return words;
}

}  // namespace tailback::study
