// Numbers of a workload that are given, or drawn for every job.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::schedule {

class DrawnValue {
public:
    /// @param items one of `12.5`, `exponential:MEAN`, `uniform:LOW..HIGH`; of several each is equally likely.
    /// @throws InputError for anything else, and for numbers below 0 or above 10^12.
    explicit DrawnValue(std::vector<std::string> const& items);
    bool is_drawn() const;
    /// The value of a job: a function of the seed, the job's number and which of its values it is.
    double of(std::uint64_t seed, std::uint32_t job, std::uint32_t which) const;

private:
    enum class Kind : std::uint8_t { given, exponential, uniform };
    struct Item {
        Kind kind = Kind::given;
        double low = 0, high = 0;  ///< given and exponential: `low` alone
    };
    static Item read(std::string const& words);
    std::vector<Item> items_;
};

/// A number from 0 to count - 1, each equally likely. See DrawnValue::of.
std::uint32_t draw_below(std::uint32_t count, std::uint64_t seed, std::uint32_t job, std::uint32_t which);

}  // namespace tailback::schedule
