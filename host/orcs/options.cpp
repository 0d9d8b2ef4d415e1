// Reads ORCS's options. By getopt_long, as ORCS does: options anywhere, `-s8` and `-s 8`, long names cut short.
#include "host/orcs/options.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "patterns/pattern.hpp"
#include "topologies/routing.hpp"

#include <getopt.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <set>

namespace tailback::orcs {
namespace {

/// Options without a letter of their own.
enum LongOnly : int {
    subset = 256,
    part_subset,
    node_ordering,
    print_ptrn,
    print_names,
    routequal,
    checkinputfile,
    full_help,
    as_orcs,
    seed,
    tables,
    routing,
    routing_seed,
    device,
    threads
};

option const long_options[] = {
    {"input_file", required_argument, nullptr, 'i'},
    {"output_file", required_argument, nullptr, 'o'},
    {"commsize", required_argument, nullptr, 's'},
    {"ptrn", required_argument, nullptr, 'p'},
    {"ptrnarg", required_argument, nullptr, 'a'},
    {"ptrnfst", required_argument, nullptr, 'f'},
    {"frstptrn", required_argument, nullptr, 'f'},
    {"ptrnsec", required_argument, nullptr, 'c'},
    {"secptrn", required_argument, nullptr, 'c'},
    {"ptrn_level", required_argument, nullptr, 'l'},
    {"level", required_argument, nullptr, 'l'},
    {"num_runs", required_argument, nullptr, 'n'},
    {"runs", required_argument, nullptr, 'n'},
    {"subset", required_argument, nullptr, LongOnly::subset},
    {"part_subset", required_argument, nullptr, LongOnly::part_subset},
    {"node_ordering_file", required_argument, nullptr, LongOnly::node_ordering},
    {"metric", required_argument, nullptr, 'm'},
    {"part_commsize", required_argument, nullptr, 'z'},
    {"do_not_shuffle", no_argument, nullptr, 'd'},
    {"printptrn", no_argument, nullptr, LongOnly::print_ptrn},
    {"printnamelist", no_argument, nullptr, LongOnly::print_names},
    {"getnumlevels", no_argument, nullptr, 'g'},
    {"routequal", no_argument, nullptr, LongOnly::routequal},
    {"checkinputfile", no_argument, nullptr, LongOnly::checkinputfile},
    {"verbose", no_argument, nullptr, 'v'},
    {"version", no_argument, nullptr, 'V'},
    {"help", no_argument, nullptr, 'h'},
    {"full-help", no_argument, nullptr, LongOnly::full_help},
    {"as-orcs", required_argument, nullptr, LongOnly::as_orcs},
    {"seed", required_argument, nullptr, LongOnly::seed},
    {"tables", required_argument, nullptr, LongOnly::tables},
    {"routing", required_argument, nullptr, LongOnly::routing},
    {"routing-seed", required_argument, nullptr, LongOnly::routing_seed},
    {"device", required_argument, nullptr, LongOnly::device},
    {"threads", required_argument, nullptr, LongOnly::threads},
    {nullptr, 0, nullptr, 0},
};
constexpr char short_options[] = ":i:o:s:p:a:f:c:l:n:m:z:dgvVh";

constexpr char const* metrics[] = {"sum_max_cong", "hist_max_cong", "hist_acc_band", "dep_max_delay", "get_cable_cong"};
constexpr char const* subsets[] = {"rand", "linear_bfs", "guid_order_asc", "guid_order_desc"};

/// The first long name of what getopt returned.
std::string name_of(int value) {
    for (option const* o = long_options; o->name != nullptr; ++o)
        if (o->val == value) return o->name;
    return "";
}

template <class Number>
Number number(char const* name, std::string const& text, Number least, Number most) {
    Number value{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
        throw base::InputError({}, "\"" + text + "\" is not a value for " + name, "",
                               "give a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return value;
}

template <class Names>
std::string one_of(char const* name, std::string const& text, Names const& names) {
    if (std::find(std::begin(names), std::end(names), text) != std::end(names)) return text;
    std::vector<std::string> const all(std::begin(names), std::end(names));
    std::string list;
    for (std::string const& n : all) list += (list.empty() ? "" : ", ") + n;
    throw base::InputError({}, "\"" + text + "\" is not a value for " + name, base::nearest_hint(text, all),
                           "choose one of " + list);
}

bool takes_argument(std::string const& pattern) {
    return pattern == "neighbor" || pattern == "recvs_one_src" || pattern == "recvs_all_src";
}

void check_pattern(OrcsPattern const& pattern, OrcsVersion version) {
    if (pattern.name == "neighbor") {
        if (pattern.argument.empty())
            throw base::InputError({}, "pattern \"neighbor\" without a number of neighbours", "",
                                   "add it, such as -a 2");
        number<std::uint32_t>("-a", pattern.argument, 1, INT_MAX);
    } else if (takes_argument(pattern.name)) {
        if (version != OrcsVersion::v20)
            throw base::InputError({}, "pattern \"" + pattern.name + "\" exists only in version 2.0",
                                   "the paper has no patterns with random senders", "add --as-orcs=2.0");
        if (pattern.argument.empty())
            throw base::InputError({}, "pattern \"" + pattern.name + "\" without an argument",
                                   "it needs the number of receivers", "-a \"4\" or -a \"4,linear\"");
    } else {
        patterns::make_pattern_part(pattern.name, 0);
    }
}

OrcsPattern with_argument(std::string const& text) {
    std::size_t const colon = text.find(':');
    if (colon == std::string::npos) return {text, ""};
    return {text.substr(0, colon), text.substr(colon + 1)};
}

/// `first[:arg]::second[:arg]`
void split_two_patterns(std::string const& text, OrcsOptions& options) {
    std::size_t const middle = text.find("::");
    if (middle == std::string::npos || middle == 0 || middle + 2 >= text.size())
        throw base::InputError({}, "\"" + text + "\" does not name two patterns", "",
                               "-a \"first[:argument]::second[:argument]\"");
    options.first = with_argument(text.substr(0, middle));
    options.second = with_argument(text.substr(middle + 2));
}

/// What says nothing beside the pattern and the routing. The published versions pass over it, so that is done as they
/// do; --routing-seed is none of theirs.
/// @param met what getopt returned.
void refuse_idle(OrcsOptions const& options, std::set<int> const& met) {
    auto const refuse = [](std::string const& option, std::string const& why, std::string const& what_to_do) {
        throw base::InputError({}, option + " has no effect", why, what_to_do);
    };
    if (met.contains(LongOnly::routing_seed) && !(options.routing && topologies::RoutingSpec(*options.routing).draws()))
        refuse("--routing-seed",
               options.routing ? "the routing " + *options.routing + " draws nothing" : "no --routing draws",
               "leave it out, or choose a routing that draws");
    if (options.version != OrcsVersion::paper) return;
    std::string const pattern = "the pattern " + options.pattern.name;
    if (met.contains('a') && !options.two_patterns() && !takes_argument(options.pattern.name))
        refuse("--ptrnarg", pattern + " takes no argument", "leave out -a");
    for (int const option : {'f', 'c', 'z'}) {
        if (!met.contains(option)) continue;
        if (!options.two_patterns())
            refuse("--" + name_of(option), pattern + " is not made of two", "leave it out, or add -p ptrnvsptrn");
        if (option != 'z' && met.contains('a'))
            refuse("--" + name_of(option), "-a names both patterns", "leave one of them out");
    }
    if (options.get_num_levels && options.commsize == 0 && options.input_file.empty())
        throw base::InputError({}, "the number of levels depends on the number of ranks", "neither -s nor -i is given",
                               "add -s RANKS, or -i FILE for one on every host");
}

/// What can only be said once all options are known.
/// @param given_twice the name of an option with a value; empty = there is none.
void finish(OrcsOptions& options, std::optional<std::string> const& pattern_argument, std::string const& given_twice) {
    bool const v20 = options.version == OrcsVersion::v20;
    if (options.two_patterns()) {
        if (pattern_argument) split_two_patterns(*pattern_argument, options);
        else if (v20)
            throw base::InputError({}, "pattern \"ptrnvsptrn\" without its two patterns", "", "-a \"tree::bisect\"");
        check_pattern(options.first, options.version);
        check_pattern(options.second, options.version);
    } else {
        if (pattern_argument && takes_argument(options.pattern.name)) options.pattern.argument = *pattern_argument;
        check_pattern(options.pattern, options.version);
    }
    // The paper's default subset is linear_bfs; both programs draw one.
    if (options.subset.empty()) options.subset = options.version == OrcsVersion::paper ? "linear_bfs" : "rand";
    if (options.part_subset != "none") {
        if (!options.two_patterns())
            throw base::InputError({}, "--part_subset without two patterns", "it chooses the hosts of the first one",
                                   "-p ptrnvsptrn");
        if (options.part_subset == "linear_bfs" && options.subset != "linear_bfs")
            throw base::InputError({}, "--part_subset linear_bfs with --subset " + options.subset,
                                   "the part is taken from the whole breadth-first order", "use --subset linear_bfs");
    }
    if (options.version == OrcsVersion::paper) {  // the published versions simulate whatever stands there
        if (options.asked_runs < 1)
            throw base::InputError({}, std::to_string(options.asked_runs) + " is not a value for --num_runs", "",
                                   "give 1 or more");
        if (options.level < -1)
            throw base::InputError({}, std::to_string(options.level) + " is not a value for --ptrn_level", "",
                                   "give a level from 0, or -1 for all");
        if (!given_twice.empty())
            throw base::InputError({}, "option --" + given_twice + " is given twice", "it takes one value",
                                   "give it once");
    }
    options.runs = static_cast<std::uint64_t>(std::max<std::int64_t>(1, options.asked_runs));
    if (options.input_file.empty() && !options.help && !options.print_version && !options.get_num_levels)
        throw base::InputError({}, "no input file", "-i FILE names the network",
                               "`tailback orcs --help` shows an example");
}

/// Sets what an option says. False: there is no such option.
bool take(int option, std::string const& value, OrcsOptions& options, std::optional<std::string>& pattern_argument) {
    switch (option) {
        case 'i': options.input_file = value; break;
        case 'o': options.output_file = value; break;
        case 's': options.commsize = number<std::uint32_t>("--commsize", value, 0, INT_MAX); break;
        case 'p': options.pattern.name = value; break;
        case 'a': pattern_argument = value; break;
        case 'f': options.first.name = value; break;
        case 'c': options.second.name = value; break;
        case 'l': options.level = number<std::int64_t>("--ptrn_level", value, INT_MIN, INT_MAX); break;
        case 'n': options.asked_runs = number<std::int64_t>("--num_runs", value, INT_MIN, INT_MAX); break;
        case 'm': options.metric = one_of("--metric", value, metrics); break;
        case 'z': options.part_commsize = number<std::uint32_t>("--part_commsize", value, 0, INT_MAX); break;
        case 'd': options.do_not_shuffle = true; break;
        case 'g': options.get_num_levels = true; break;
        case 'v': options.verbose = true; break;
        case 'V': options.print_version = true; break;
        case 'h':
        case LongOnly::full_help: options.help = true; break;
        case LongOnly::subset: options.subset = one_of("--subset", value, subsets); break;
        case LongOnly::part_subset:
            options.part_subset = value == "none" ? value : one_of("--part_subset", value, subsets);
            break;
        case LongOnly::node_ordering: options.node_ordering_file = value; break;
        case LongOnly::print_ptrn: options.print_pattern = true; break;
        case LongOnly::print_names: options.print_namelist = true; break;
        case LongOnly::routequal: options.route_quality = true; break;
        case LongOnly::checkinputfile: options.check_input_file = true; break;
        case LongOnly::as_orcs: {
            constexpr char const* versions[] = {"1.1", "2.0"};
            options.version = one_of("--as-orcs", value, versions) == "1.1" ? OrcsVersion::v11 : OrcsVersion::v20;
            break;
        }
        case LongOnly::seed: options.seed = number<std::uint64_t>("--seed", value, 0, UINT64_MAX); break;
        case LongOnly::tables: options.tables_file = value; break;
        case LongOnly::routing: options.routing = value; break;
        case LongOnly::routing_seed:
            options.routing_seed = number<std::uint64_t>("--routing-seed", value, 0, UINT64_MAX);
            break;
        case LongOnly::device: {
            constexpr char const* devices[] = {"auto", "cpu", "cuda"};
            options.device = one_of("--device", value, devices);
            break;
        }
        case LongOnly::threads: options.threads = number<unsigned>("--threads", value, 0, 100'000); break;
        default: return false;
    }
    return true;
}

}  // namespace

OrcsOptions parse_orcs_options(std::vector<std::string> const& arguments) {
    std::vector<std::string> words = {"orcs"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    int const argc = static_cast<int>(words.size());

    OrcsOptions options;
    std::optional<std::string> pattern_argument;
    std::set<int> met;
    std::string given_twice;
    optind = 0;  // begins anew
    opterr = 0;
    for (;;) {
        int const at = optind == 0 ? 1 : optind;
        int const c = getopt_long(argc, argv.data(), short_options, long_options, nullptr);
        if (c == -1) break;
        std::string const value = optarg == nullptr ? "" : optarg;
        if (optarg != nullptr && c != ':' && c != '?' && !met.insert(c).second && given_twice.empty())
            given_twice = name_of(c);
        if (c == ':')
            throw base::InputError({}, "option " + words[std::size_t(at)] + " has no value", "", "add the value");
        if (!take(c, value, options, pattern_argument))
            throw base::InputError({}, "unknown or ambiguous option " + words[std::size_t(at)], "",
                                   "`tailback orcs --help` lists the options");
    }
    if (optind < argc)
        throw base::InputError({}, "\"" + std::string(argv[std::size_t(optind)]) + "\" does not belong to an option",
                               "ORCS takes options only", "`tailback orcs --help` lists them");
    if (!options.help && !options.print_version) {
        finish(options, pattern_argument, given_twice);
        refuse_idle(options, met);
    }
    return options;
}

std::string orcs_help() {
    return R"(tailback orcs: the options and the text output of ORCS; scripts need only another program name

  example: tailback orcs -i tree.dot -p bisect -m hist_acc_band -n 1000

network
  -i, --input_file FILE     ORCS's annotated dot (`-` = standard input), or any network that
                            this program reads
      --tables FILE         its forwarding tables, if they are in a second file
      --routing NAME        how to route it if it has no tables (FILE may then be a spec);
      --routing-seed S      seed of the routing's random choices (default 1)
communicator
  -s, --commsize N          ranks; 0 (default) = one on every host
      --subset NAME         linear_bfs (default), rand, guid_order_asc, guid_order_desc
      --part_subset NAME    hosts of the first of two patterns: none (default) or one of the above
      --node_ordering_file FILE   GUIDs, one per line; their hosts take the first ranks in this
                            order
  -d, --do_not_shuffle      put rank r on the r-th host of the subset in every run
pattern
  -p, --ptrn NAME           bisect (default); `tailback list patterns` shows all
  -a, --ptrnarg TEXT        neighbor: X; ptrnvsptrn: first[:arg]::second[:arg];
                            recvs_one_src, recvs_all_src: n[,rand|,linear]
  -f, --ptrnfst, --frstptrn NAME   first pattern of ptrnvsptrn (default bisect)
  -c, --ptrnsec, --secptrn NAME    second pattern (default bisect)
  -z, --part_commsize N     ranks of the first pattern (default 2)
  -l, --ptrn_level L        only this level (from 0; default -1 = all)
simulation
  -n, --num_runs N          mappings (default 1)
  -m, --metric NAME         hist_max_cong (default), sum_max_cong, hist_acc_band, dep_max_delay,
                            get_cable_cong
      --seed N              seed of all random choices (default 1)
      --device NAME         auto (default), cpu, cuda;  --threads N  (0 = all cores)
output
  -o, --output_file FILE    `-` (default) = standard output
      --printptrn, --printnamelist, -v, --verbose
instead of a simulation
  -g, --getnumlevels        number of levels of the pattern on the ranks of -s, or on all hosts of
                            -i, also as exit status; what else a run needs may stand beside it
      --routequal           congestion if all pairs communicate at once
      --checkinputfile      follow every route and print the broken ones
compatibility
      --as-orcs 1.1|2.0     print exactly what that version prints, with its departures from the
                            paper: a random subset and one rank less on an odd number of hosts by
                            default, its histogram bins, get_cable_cong adding the level's counts
                            once for every pair, dep_max_delay by a breadth-first search, partial
                            routes kept. By default the definitions of the paper apply
                            (docs/semantics.md).
  -h, --help, --full-help; -V, --version
)";
}

}  // namespace tailback::orcs
