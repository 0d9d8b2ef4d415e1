#include "host/audit/failures/explain.hpp"

#include "host/audit/failures/failure_groups.hpp"
#include "host/model/routes/for_each_destination.hpp"

#include <algorithm>

namespace tailback::audit {
namespace {

/// Finds sources whose packets meet what is broken.
class Examples {
public:
    Examples(model::Forwarding const& forwarding, model::Senders const& senders)
        : forwarding_(forwarding), senders_(senders), tree_(forwarding, senders, model::TreeRows::met) {}

    /// The first source that comes to one of `rows` on its way to `lid`.
    model::Host source_through(model::Lid lid, std::vector<std::uint32_t> const& rows) {
        model::Network const& net = forwarding_.fabric().network;
        model::Destination const destination{lid, net.owner(lid).host};
        if (destination.lid != tree_.destination().lid) tree_.grow(destination);
        for (std::size_t h = 0; h < net.hosts().size(); ++h) {
            if (!senders_.has(model::Host{h}) || model::Host{h} == destination.host) continue;
            std::uint32_t row = forwarding_.entry_of(model::Host{h}).row;
            for (std::uint32_t steps = 0; row != kernels::no_row && steps <= tree_.rows();
                 ++steps, row = tree_.next(row))
                if (std::find(rows.begin(), rows.end(), row) != rows.end()) return model::Host{h};
        }
        return {};
    }

private:
    model::Forwarding const& forwarding_;
    model::Senders const& senders_;
    model::DestinationTree tree_;
};

void add_examples(model::Forwarding const& forwarding, model::Senders const& senders, Explanation& explanation) {
    Examples examples(forwarding, senders);
    for (std::size_t i = 0; i < std::min(most_examples, explanation.entries.size()); ++i) {
        BrokenEntry& entry = explanation.entries[i];
        entry.example = examples.source_through(entry.lids.first(), {entry.row});
    }
    for (std::size_t i = 0; i < std::min(most_examples, explanation.circles.size()); ++i) {
        Circle& circle = explanation.circles[i];
        std::vector<std::uint32_t> rows;
        for (auto const& step : circle.steps) rows.push_back(step.first);
        circle.example = examples.source_through(circle.lids.first(), rows);
    }
}

}  // namespace

Explanation explain(model::Forwarding const& forwarding, AllPairsRequest const& request,
                    AllPairsResult const& all_pairs) {
    model::Senders const senders(forwarding, request.sources);
    std::vector<Unplugged> unplugged;
    for (model::Host const host : request.sources)
        if (forwarding.entry_of(host).row == kernels::no_row) unplugged.push_back({host, 0});
    std::vector<model::Destination> failing;
    for (std::size_t i = 0; i < all_pairs.towards.size(); ++i) {
        model::Host const host = all_pairs.towards[i].host;
        for (Unplugged& source : unplugged) source.pairs += source.source != host;
        PairCounts const& pairs = all_pairs.by_destination[i];
        std::uint64_t expected = unplugged.size();  // those need no second look
        if (senders.has(host) && forwarding.entry_of(host).row == kernels::no_row) --expected;
        if (pairs.unreachable > expected || pairs.loop + pairs.misdelivered > 0)
            failing.push_back(all_pairs.towards[i]);
    }
    FailureGroups groups(forwarding);
    // One thread: which circles are dropped, should they be too many, must not depend on threads.
    model::for_each_destination(forwarding, senders, model::TreeRows::met, failing, 1, [&] {
        return [&](std::size_t, model::DestinationTree const& tree) { groups.add(tree); };
    });
    Explanation explanation = groups.take();
    add_examples(forwarding, senders, explanation);
    explanation.unplugged = std::move(unplugged);
    return explanation;
}

}  // namespace tailback::audit
