// A search of several parts that do not need each other: threads and processes share them, a checkpoint keeps them.
#pragma once

#include "host/base/digest.hpp"

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tailback::search {

/// Where a part stands.
using StateWords = std::vector<std::uint64_t>;

/// What reading a part's words throws that are none of it.
class UnfitWords final : public std::exception {
public:
    explicit UnfitWords(std::string why) : why_(std::move(why)) {}
    char const* what() const noexcept override { return why_.c_str(); }

private:
    std::string why_;
};

/// Reads words and trusts none. @throws UnfitWords
class WordReader {
public:
    explicit WordReader(std::span<std::uint64_t const> words) : left_(words) {}
    std::uint64_t next() { return next_words(1).front(); }
    /// One that is at most this.
    std::uint64_t next_to(std::uint64_t most) {
        std::uint64_t const word = next();
        if (word > most) throw UnfitWords("a number in it is too large");
        return word;
    }
    std::span<std::uint64_t const> next_words(std::size_t count) {
        if (left_.size() < count) throw UnfitWords("a part of it is cut short");
        auto const words = left_.first(count);
        left_ = left_.subspan(count);
        return words;
    }
    /// Numbers below `limit`, each of them once at most.
    std::vector<std::uint32_t> next_distinct(std::size_t count, std::uint32_t limit);
    bool is_empty() const { return left_.empty(); }
    std::size_t left() const { return left_.size(); }
    void end() const {
        if (!left_.empty()) throw UnfitWords("a part of it is too long");
    }

private:
    std::span<std::uint64_t const> left_;
};

/// One of the searches that do not need each other. What it finds is a function of itself alone, in whole steps.
class SearchPart {
public:
    virtual ~SearchPart() = default;
    virtual bool is_over() const = 0;
    /// A whole step; less where somebody wishes it to stop.
    virtual void step() = 0;
    /// Where it stands after its last whole step; no words before the first one.
    virtual void write(StateWords& words) const = 0;
    /// Goes on from there; from nothing with no words. @throws UnfitWords
    virtual void read(WordReader& words) = 0;
};

/// Who shares a search with this process, and what keeps it. All processes call the same, in the same order.
class SharedSearch {
public:
    /// Names and values: what makes a search this one and no other.
    using Identity = std::vector<std::pair<std::string, std::string>>;
    struct Stage {
        std::uint64_t steps = 0;
        std::vector<StateWords> parts;  ///< empty: it has made no step yet
    };

    SharedSearch() = default;
    virtual ~SharedSearch() = default;
    SharedSearch(SharedSearch const&) = delete;
    SharedSearch& operator=(SharedSearch const&) = delete;

    /// Before anything is searched; again it does nothing. @throws where another process has another search, or the
    /// checkpoint does not fit
    virtual void begin(Identity const& identity) = 0;
    virtual unsigned process() const = 0;
    virtual unsigned processes() const = 0;
    /// Everybody gets the largest of everybody's, word by word.
    virtual void largest(std::span<std::uint64_t> words) const = 0;
    /// Part k is process (k modulo processes)'s; afterwards everybody has all.
    virtual void exchange(std::vector<StateWords>& parts) const = 0;
    /// That an earlier run kept; null: none.
    virtual Stage const* kept(std::size_t stage) const = 0;
    /// Is it time to keep what there is?
    virtual bool is_due() const = 0;
    /// @param ends nobody goes on after it
    virtual void keep(std::size_t stage, Stage&& state, bool ends) = 0;
    /// Does anything of that?
    virtual bool keeps() const = 0;
    /// @throws InputError: what was kept does not fit
    [[noreturn]] virtual void refuse(std::string const& why) const = 0;

    std::size_t next_stage() { return stages_++; }

private:
    std::size_t stages_ = 0;
};

struct PartsReport {
    std::uint64_t steps = 0;  ///< of each part that was not over before
    bool stopped = false;     ///< somebody wished so before all were over
};

/// Runs all parts, step by step. A wish to stop ends it after a step (or within one).
/// @param shared null: this process alone, and nothing is kept
/// @param at_once so many parts of a process go on at once, those after them when one of these is over
/// @param stepped called after every step
PartsReport run_parts(std::span<SearchPart* const> parts, SharedSearch* shared, unsigned threads, std::size_t at_once,
                      std::function<void(PartsReport const&)> const& stepped = nullptr);

/// Has somebody asked any of the processes to stop? All of them get the same answer.
bool is_asked_anywhere(SharedSearch const* shared, bool is_asked_here);

}  // namespace tailback::search
