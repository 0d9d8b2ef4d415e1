// Pairs are gathered tree by tree: laid out depth first, the sources behind any row are neighbours, and copied to the
// link.
#include "host/audit/worst_case/worst_permutation.hpp"

#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/model/routes/for_each_destination.hpp"
#include "host/search/row_matching.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <atomic>

namespace tailback::audit {
namespace {

constexpr std::uint32_t no_slot = 0xFFFFFFFFu;

/// A destination's delivered rows with sources, so ordered that those behind a row stand together.
class SourceOrder {
public:
    explicit SourceOrder(std::uint32_t rows) : count_(rows), begin_(rows), filled_(rows), order_(rows) {}

    void lay_out(model::DestinationTree const& tree, model::Senders const& senders) {
        std::vector<std::uint32_t> const& sources = senders.in_row();
        std::uint32_t const own = senders.row_of(tree.destination().host);
        std::uint32_t const alone =
            own != kernels::no_row && sources[own] == 1 ? own : kernels::no_row;  // it sends to nobody here
        delivered_.clear();
        for (std::uint32_t const row : tree.order()) {
            if (tree.fate(row) != model::Fate::delivered) continue;
            delivered_.push_back(row);
            count_[row] = sends(row, sources, alone) ? 1 : 0;
        }
        for (std::uint32_t const row : delivered_)
            if (std::uint32_t const next = tree.next(row); next != kernels::no_row) count_[next] += count_[row];
        std::uint32_t used = 0;
        for (std::size_t i = delivered_.size(); i-- > 0;) {
            std::uint32_t const row = delivered_[i], next = tree.next(row);
            std::uint32_t& at = next == kernels::no_row ? used : filled_[next];
            begin_[row] = filled_[row] = at;
            at += count_[row];
            if (sends(row, sources, alone)) order_[filled_[row]++] = row;
        }
    }
    std::span<std::uint32_t const> delivered() const { return delivered_; }
    std::span<std::uint32_t const> behind(std::uint32_t row) const {
        return {order_.data() + begin_[row], count_[row]};
    }

private:
    static bool sends(std::uint32_t row, std::span<std::uint32_t const> sources, std::uint32_t alone) {
        return sources[row] > 0 && row != alone;
    }
    std::vector<std::uint32_t> count_, begin_, filled_, order_, delivered_;
};

/// What a run of destinations puts on the links.
class Survey {
public:
    Survey(model::Forwarding const& forwarding, model::Senders const& senders)
        : destinations(forwarding.fabric().network.links().size()),
          words(destinations.size()),
          reached(forwarding.rows()),
          forwarding_(&forwarding),
          senders_(&senders),
          order_(forwarding.rows()) {}

    void operator()(std::size_t d, model::DestinationTree const& tree) {
        order_.lay_out(tree, *senders_);
        for (std::uint32_t const row : order_.delivered()) {
            ++reached[row];
            if (auto const behind = static_cast<std::uint32_t>(order_.behind(row).size()); behind > 0) {
                ++destinations[tree.link(row).value];
                words[tree.link(row).value] += behind + 1;
            }
        }
        std::uint32_t const own_row = forwarding_->entry_of(tree.destination().host).row;
        if (own_row != kernels::no_row && tree.fate(own_row) == model::Fate::delivered)
            own.push_back(static_cast<std::uint32_t>(d));
    }

    std::vector<std::uint32_t> destinations;  // by link: with a source behind it
    std::vector<std::uint64_t> words;         // by link: that its pairs take
    std::vector<std::uint32_t> reached;       // [row] destinations that it delivers to
    std::vector<std::uint32_t> own;           // destinations, by number, that their own row delivers to

private:
    model::Forwarding const* forwarding_;
    model::Senders const* senders_;
    SourceOrder order_;
};

class PermutationSearch {
public:
    PermutationSearch(model::Forwarding const& forwarding, WorstCaseRequest const& request)
        : forwarding_(forwarding),
          net_(forwarding.fabric().network),
          request_(request),
          senders_(forwarding, request.sources),
          destinations_(base_lids(net_, request.destinations)),
          surveys_(model::for_each_destination(forwarding, senders_, model::TreeRows::all, destinations_,
                                               request.threads, [&] { return Survey(forwarding, senders_); })) {}

    std::vector<std::uint32_t> loads() {
        std::vector<std::uint32_t> loads(net_.links().size());
        std::vector<model::Link> waiting;
        std::uint64_t all = 0, done = 0;
        for (std::size_t l = 0; l < loads.size(); ++l) {
            loads[l] = std::min(1u, destinations(model::Link{l}));
            if (destinations(model::Link{l}) < 2) continue;
            std::uint64_t const size = words(model::Link{l});
            if (size >= search::destination_bit)
                throw base::InputError({}, "a link carries too many pairs for the worst case",
                                       std::to_string(size) + " of them",
                                       "ask for fewer hosts, or leave the worst case out");
            waiting.push_back(model::Link{l});
            all += size;
        }
        load_first_links(loads);
        if (request_.on_start) request_.on_start(all);
        for (std::size_t first = 0; first < waiting.size();) {
            std::uint64_t batch = words(waiting[first]);
            std::size_t end = first + 1;
            while (end < waiting.size() && batch + words(waiting[end]) <= request_.words_at_once)
                batch += words(waiting[end++]);
            std::span<model::Link const> const links(waiting.data() + first, end - first);
            gather(links);
            match(links, loads);
            done += batch;
            if (request_.progress) request_.progress(done);
            first = end;
        }
        return loads;
    }

    std::vector<HostPair> permutation(model::Link link) {
        if (destinations(link) == 0) return first_link_pair(link);
        model::Link const links[] = {link};
        gather(links);
        search::RowMatching matching(senders_.in_row());
        matching.match(pairs_);
        return name_hosts(matching.pairs());
    }

private:
    std::uint32_t destinations(model::Link link) const {
        std::uint32_t sum = 0;
        for (Survey const& survey : surveys_) sum += survey.destinations[link.value];
        return sum;
    }
    std::uint64_t words(model::Link link) const {
        std::uint64_t sum = 0;
        for (Survey const& survey : surveys_) sum += survey.words[link.value];
        return sum;
    }

    static std::vector<model::Destination> base_lids(model::Network const& net, std::span<model::Host const> hosts) {
        std::vector<model::Destination> found = model::destinations_of(net, hosts);
        std::erase_if(found, [&](model::Destination const& one) { return one.lid != net[one.host].lid; });
        return found;
    }

    /// Links from a host up to the row it enters in: 1 where any route of it arrives.
    void load_first_links(std::vector<std::uint32_t>& loads) const {
        std::vector<std::uint32_t> reached(forwarding_.rows());
        std::vector<std::uint8_t> reaches_itself(net_.hosts().size());
        for (Survey const& survey : surveys_) {
            for (std::size_t row = 0; row < reached.size(); ++row) reached[row] += survey.reached[row];
            for (std::uint32_t const d : survey.own) reaches_itself[destinations_[d].host.value] = 1;
        }
        for (model::Host const host : request_.sources)
            if (model::Forwarding::Entry const& entry = forwarding_.entry_of(host);
                entry.row != kernels::no_row && entry.up.exists())
                loads[entry.up.value] = reached[entry.row] > reaches_itself[host.value] ? 1 : 0;
    }

    /// Fills pairs_ with the pairs of these links, one link after the other, destinations in order.
    void gather(std::span<model::Link const> links) {
        slot_.assign(net_.links().size(), no_slot);
        starts_.assign(1, 0);
        std::vector<std::vector<std::uint64_t>> at(surveys_.size(), std::vector<std::uint64_t>(links.size()));
        std::uint64_t used = 0;
        for (std::size_t s = 0; s < links.size(); ++s) {
            slot_[links[s].value] = static_cast<std::uint32_t>(s);
            for (std::size_t run = 0; run < surveys_.size(); ++run) {
                at[run][s] = used;
                used += surveys_[run].words[links[s].value];
            }
            starts_.push_back(used);
        }
        base::require_memory("the pairs that take " + base::counted(links.size(), "link", "links"), used * 4,
                             "leave the worst permutation out (--worst-case none)");
        pairs_.resize(used);
        std::size_t run = 0;  // the same runs of destinations as surveyed
        model::for_each_destination(forwarding_, senders_, model::TreeRows::all, destinations_, request_.threads, [&] {
            return [this, next = std::span(at[run++]), order = SourceOrder(forwarding_.rows())](
                       std::size_t d, model::DestinationTree const& tree) mutable {
                order.lay_out(tree, senders_);
                for (std::uint32_t const row : order.delivered()) {
                    std::uint32_t const slot = slot_[tree.link(row).value];
                    std::span<std::uint32_t const> const behind = order.behind(row);
                    if (slot == no_slot || behind.empty()) continue;
                    pairs_[next[slot]] = static_cast<std::uint32_t>(d) | search::destination_bit;
                    std::copy(behind.begin(), behind.end(), pairs_.begin() + std::ptrdiff_t(next[slot] + 1));
                    next[slot] += behind.size() + 1;
                }
            };
        });
    }

    void match(std::span<model::Link const> links, std::vector<std::uint32_t>& loads) {
        kernels::NextOf next(links.size());
        auto const stop = kernels::StopWish::now();
        kernels::in_threads(static_cast<unsigned>(surveys_.size()), [&] {
            search::RowMatching matching(senders_.in_row());
            for (std::size_t s; next.take(s) && !stop.asked();) {
                std::span<std::uint32_t const> const words(pairs_.data() + starts_[s], starts_[s + 1] - starts_[s]);
                loads[links[s].value] =
                    request_.kind == WorstCaseKind::bound ? matching.bound(words) : matching.match(words);
            }
        });
        stop.heed();
    }

    /// Any one delivered pair that goes over a host's link up.
    std::vector<HostPair> first_link_pair(model::Link link) const {
        for (model::Host const host : request_.sources) {
            model::Forwarding::Entry const& entry = forwarding_.entry_of(host);
            if (entry.row == kernels::no_row || entry.up != link) continue;
            model::DestinationTree tree(forwarding_, senders_);
            for (model::Destination const& destination : destinations_) {
                if (destination.host == host) continue;
                tree.grow(destination);
                if (tree.fate(entry.row) == model::Fate::delivered) return {{host, destination.host}};
            }
        }
        return {};
    }

    /// Gives each row's destinations to its hosts, none to itself.
    std::vector<HostPair> name_hosts(std::vector<search::RowMatching::Pair> const& matched) const {
        std::vector<std::vector<model::Host>> hosts(forwarding_.rows()), wanted(forwarding_.rows());
        for (search::RowMatching::Pair const& pair : matched)
            wanted[pair.row].push_back(destinations_[pair.destination].host);
        for (model::Host const host : request_.sources)
            if (std::uint32_t const row = forwarding_.entry_of(host).row;
                row != kernels::no_row && !wanted[row].empty())
                hosts[row].push_back(host);
        std::vector<HostPair> pairs;
        for (std::uint32_t row = 0; row < forwarding_.rows(); ++row) {
            // Destinations that are sources here stand first in both lists, which are then turned against each other.
            std::vector<model::Host>&from = hosts[row], &to = wanted[row];
            std::sort(from.begin(), from.end());
            std::vector<model::Host> const here = from;
            std::sort(to.begin(), to.end());
            auto const sent_to = [sorted = to](model::Host h) {
                return std::binary_search(sorted.begin(), sorted.end(), h);
            };
            std::stable_partition(from.begin(), from.end(), sent_to);
            std::stable_partition(to.begin(), to.end(),
                                  [&](model::Host h) { return std::binary_search(here.begin(), here.end(), h); });
            for (std::size_t i = 0; i < to.size(); ++i) pairs.push_back({from[(i + 1) % from.size()], to[i]});
        }
        std::sort(pairs.begin(), pairs.end(), [&](HostPair const& a, HostPair const& b) {
            return net_[a.destination].lid < net_[b.destination].lid;
        });
        return pairs;
    }

    model::Forwarding const& forwarding_;
    model::Network const& net_;
    WorstCaseRequest const& request_;
    model::Senders const senders_;
    std::vector<model::Destination> const destinations_;
    std::vector<Survey> const surveys_;  // by run of destinations
    std::vector<std::uint32_t> slot_;    // by link
    std::vector<std::uint64_t> starts_;  // by slot, into pairs_
    std::vector<std::uint32_t> pairs_;
};

}  // namespace

std::vector<std::uint32_t> worst_permutation_loads(model::Forwarding const& forwarding,
                                                   WorstCaseRequest const& request) {
    return PermutationSearch(forwarding, request).loads();
}

std::vector<HostPair> worst_permutation(model::Forwarding const& forwarding, WorstCaseRequest const& request,
                                        model::Link link) {
    return PermutationSearch(forwarding, request).permutation(link);
}

model::Link worst_link(std::span<std::uint32_t const> loads) {
    auto const most = std::max_element(loads.begin(), loads.end());
    return most == loads.end() || *most == 0 ? model::Link{} : model::Link{std::size_t(most - loads.begin())};
}

}  // namespace tailback::audit
