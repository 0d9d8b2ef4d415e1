// The loop over all destinations that everything uses which asks the same question of every tree.
#pragma once

#include "host/io/progress.hpp"
#include "host/model/routes/destination_tree.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tailback::model {

/// Calls `question(d)` for d = 0 .. count - 1. Every thread asks a question of its own, made by `make()`, about a run
/// of destinations in ascending order; returns the questions in the order of their runs, for what they counted to be
/// added up. `threads`: 0 = all cores. @throws Stopped when somebody wishes so.
template <class Make>
auto for_each_destination(std::size_t count, unsigned threads, Make const& make) {
    using Question = std::invoke_result_t<Make const&>;
    std::size_t const runs = std::clamp<std::size_t>(count / 16, 1, kernels::threads_to_use(threads));
    std::vector<Question> questions;
    questions.reserve(runs);
    for (std::size_t run = 0; run < runs; ++run) questions.push_back(make());
    auto const last = static_cast<std::ptrdiff_t>(runs);
    io::Progress progress("", count, "destinations");
    auto const stop = kernels::StopWish::now();
    kernels::FirstFailure failed;
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(runs))
    for (std::ptrdiff_t run = 0; run < last; ++run) {
        auto const r = static_cast<std::size_t>(run);
        failed.hold([&] {
            for (std::size_t d = count * r / runs; d < count * (r + 1) / runs && !stop.asked(); ++d, progress.add(1))
                questions[r](d);
        });
    }
    failed.rethrow();
    stop.heed();
    return questions;
}

/// The same with the tree of each destination: `question(d, tree)`.
template <class Make>
auto for_each_destination(Forwarding const& forwarding, Senders const& senders, TreeRows rows,
                          std::span<Destination const> destinations, unsigned threads, Make const& make) {
    using Question = std::invoke_result_t<Make const&>;
    struct WithTree {
        DestinationTree tree;
        Question question;
        std::span<Destination const> destinations;
        void operator()(std::size_t d) {
            tree.grow(destinations[d]);
            question(d, std::as_const(tree));
        }
    };
    auto with_trees = for_each_destination(destinations.size(), threads, [&] {
        return WithTree{DestinationTree(forwarding, senders, rows), make(), destinations};
    });
    std::vector<Question> questions;
    questions.reserve(with_trees.size());
    for (WithTree& one : with_trees) questions.push_back(std::move(one.question));
    return questions;
}

}  // namespace tailback::model
