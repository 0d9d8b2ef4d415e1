#!/usr/bin/env python3
"""Times of 300 random GOAL schedules, computed by a program of its own and compared with what tailback says.

Nothing is shared with the library: files are read, routes are found and events happen here, in fractions of any size.
Compared are the makespan, the mean completion time, and begin, departure and end of every message and computation
(--timeline), all within 1e-11 of the makespan. A schedule that can never end must be refused.

The definitions (docs/semantics.md, Dependencies and delays):

- `A requires B`: A begins when B has ended for its own rank, or later. `A irequires B`: when B has begun.
- A send begins when all that it requires and irequires is there. Its bytes leave by the links of its route, and it has
  ended for its own rank when the last one has gone (a send of 0 bytes at once). The message arrives the latency of the
  route later: `link` for each of its links and `switch` for each node between two of them.
- A message to oneself uses no link and takes no time.
- The n-th receive of rank d from s with tag x gets the message of the n-th send of s to d with tag x, each counted in
  the order of the file. A receive has begun when it is posted: when all that it requires and irequires is there. It
  ends when it is posted and the message has arrived. It does not hold the message back.
- `calc N` takes N units (ns where links have rates). A core (rank and cpu) does one computation at a time, in the order
  in which they come; of several that come at one instant, the one that stands first in the file goes first. They are
  taken one after the other, in the order of the whole file; what the begin of one sets free at this instant then
  comes to those that were not taken yet. `calc 0` needs no core.
- Flows that are on links at one moment have max-min fair rates: the rates of all grow alike (with --shared-by bytes in
  proportion to their bytes), and a flow stops growing when one of its links is full.
- With store and forward a flow is on one link of its route after the other, whole, with the latency of a link and of a
  switch between two, and that of the last link behind it. It has left when it has passed the first.

usage: goal_witness_test.py PROGRAM [FIRST [COUNT]]"""
import collections, concurrent.futures, csv, json, os, pathlib, random, re, subprocess, sys, tempfile
from fractions import Fraction

SCHEDULES = 300
NEAR = 1e-11


# ---- the file -------------------------------------------------------------------------------------------------------

Operation = collections.namedtuple("Operation", "line rank kind amount peer tag cpu")
Needs = collections.namedtuple("Needs", "ended begun")  # numbers of operations


def read_goal(text):
    """Operations in the order of the file, and what each needs."""
    operations, needs = [], []
    rank, labels = None, {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("//")[0].replace(":", " : ").replace("{", " { ").replace("}", " } ").split()
        if not words or words[0] == "num_ranks":
            continue
        if words[0] == "rank":
            rank, labels = int(words[1]), {}
        elif words[0] == "}":
            rank = None
        elif len(words) == 3 and words[1] in ("requires", "irequires"):
            whose = needs[labels[words[0]]]
            (whose.ended if words[1] == "requires" else whose.begun).append(labels[words[2]])
        else:
            if words[1] == ":":
                labels[words[0]] = len(operations)
                words = words[2:]
            given = {"tag": 0, "cpu": 0, "nic": 0}
            fixed = 2 if words[0] == "calc" else 4
            for name, value in zip(words[fixed::2], words[fixed + 1::2]):
                given[name] = int(value)
            peer = int(words[3]) if fixed == 4 else None
            operations.append(Operation(number, rank, words[0], int(words[1].rstrip("b")), peer, given["tag"],
                                        given["cpu"]))
            needs.append(Needs([], []))
    return operations, needs


def messages_of(operations):
    """By send its receive."""
    sends, receives = collections.defaultdict(list), collections.defaultdict(list)
    for number, one in enumerate(operations):
        if one.kind == "send":
            sends[one.rank, one.peer, one.tag].append(number)
        elif one.kind == "recv":
            receives[one.peer, one.rank, one.tag].append(number)
    assert {key: len(all_) for key, all_ in sends.items()} == {key: len(all_) for key, all_ in receives.items()}
    return {send: receive for key in sends for send, receive in zip(sends[key], receives[key])}


# ---- the simulation -------------------------------------------------------------------------------------------------

def fair_rates(flows, capacity):
    """flows: name -> (links, weight). Max-min fair: the fullest link decides, again and again."""
    rates, left = {}, {}
    for links, _ in flows.values():
        for link in links:
            left[link] = capacity(link)
    growing = dict(flows)
    while growing:
        shares = {}
        for link in left:
            weight = sum(weight for links, weight in growing.values() if link in links)
            if weight:
                shares[link] = left[link] / weight
        least = min(shares.values())
        full = {link for link, share in shares.items() if share == least}
        for name in [name for name, (links, _) in growing.items() if full & set(links)]:
            links, weight = growing.pop(name)
            rates[name] = least * weight
            for link in links:
                left[link] -= rates[name]
    return rates


class NeverEnds(Exception):
    pass


class Simulation:
    """Times of all operations: `begun`, `ended` (for their own rank), and of sends `arrived`."""

    def __init__(self, operations, needs, network, study):
        self.operations, self.needs, self.network, self.study = operations, needs, network, study
        self.receive_of = messages_of(operations)
        self.send_of = {receive: send for send, receive in self.receive_of.items()}
        self.now = Fraction(0)
        self.begun, self.ended, self.arrived = {}, {}, {}
        self.later = []  # (time, what, operation)
        self.moving = {}  # flow -> bytes left on the links where it is
        self.hop = {}  # of store and forward
        self.came, self.queue, self.busy = set(), collections.defaultdict(list), set()
        self.run()

    def run(self):
        while True:
            self.all_of_this_instant()
            rates = fair_rates({n: (self.links(n), self.weight(n)) for n in self.moving}, self.network.capacity)
            times = [time for time, _, _ in self.later]
            times += [self.now + left / rates[n] for n, left in self.moving.items()]
            if not times:
                break
            passed, self.now = min(times) - self.now, min(times)
            for n in list(self.moving):
                self.moving[n] -= passed * rates[n]
                if self.moving[n] == 0:
                    del self.moving[n]
                    self.leave(n)
            due = [event for event in self.later if event[0] == self.now]
            self.later = [event for event in self.later if event[0] != self.now]
            for _, what, n in due:
                what(n)
        if len(self.ended) < len(self.operations):
            raise NeverEnds

    def all_of_this_instant(self):
        while True:
            while self.begin_some():
                pass
            waiting = sorted(n for n in self.came if n not in self.begun and not self.is_queued(n))
            if not waiting:
                return
            self.queue[self.core(waiting[0])].append(waiting[0])
            self.serve(self.core(waiting[0]))

    def begin_some(self):
        changed = False
        for n, one in enumerate(self.operations):
            is_there = (all(m in self.ended for m in self.needs[n].ended)
                        and all(m in self.begun for m in self.needs[n].begun))
            if n not in self.begun and n not in self.came and is_there:
                changed = True
                if one.kind == "calc" and one.amount > 0:
                    self.came.add(n)
                    continue
                self.begun[n] = self.now
                if one.kind == "calc":
                    self.ended[n] = self.now
                elif one.kind == "send":
                    self.send(n)
            if one.kind == "recv" and n in self.begun and n not in self.ended and self.send_of[n] in self.arrived:
                changed = True
                self.ended[n] = self.now
        return changed

    # computations
    def core(self, n):
        return self.operations[n].rank, self.operations[n].cpu

    def is_queued(self, n):
        return n in self.queue[self.core(n)]

    def serve(self, core):
        if core in self.busy or not self.queue[core]:
            return
        n = self.queue[core].pop(0)
        self.busy.add(core)
        self.begun[n] = self.now
        self.later.append((self.now + self.operations[n].amount, self.computed, n))

    def computed(self, n):
        self.ended[n] = self.now
        self.busy.remove(self.core(n))
        self.serve(self.core(n))

    # messages
    def route(self, n):
        return self.network.route(self.operations[n].rank, self.operations[n].peer)

    def links(self, n):
        return self.route(n)[self.hop[n]:self.hop[n] + 1] if self.study.stores else self.route(n)

    def weight(self, n):
        return self.operations[n].amount if self.study.by_bytes else 1

    def send(self, n):
        self.hop[n] = 0
        if self.operations[n].peer == self.operations[n].rank:
            self.ended[n] = self.arrived[n] = self.now
        else:
            self.enter(n)

    def enter(self, n):
        if self.operations[n].amount:
            self.moving[n] = Fraction(self.operations[n].amount)
        else:
            self.leave(n)

    def leave(self, n):
        """It has passed all its links, or with store and forward the one where it is."""
        length = len(self.route(n))
        if not self.study.stores:
            self.ended[n] = self.now
            return self.after(length * self.study.link + (length - 1) * self.study.switch, self.arrive, n)
        if self.hop[n] == 0:
            self.ended[n] = self.now
        self.hop[n] += 1
        if self.hop[n] == length:
            self.after(self.study.link, self.arrive, n)
        else:
            self.after(self.study.link + self.study.switch, self.enter, n)

    def after(self, delay, what, n):
        if delay:
            self.later.append((self.now + delay, what, n))
        else:
            what(n)

    def arrive(self, n):
        self.arrived[n] = self.now


# ---- networks -------------------------------------------------------------------------------------------------------

#: Gb/s of data, by what ibnetdiscover calls it; 8 Gb/s are a byte in a nanosecond.
RATES = {"1xSDR": 2, "4xSDR": 8, "4xDDR": 16, "4xQDR": 32}


class Network:
    """Hosts H1, H2, .. on a crossbar, or two each on the three switches around a hub. `rates` by host, or None."""

    def __init__(self, is_star, hosts, rates):
        self.is_star, self.hosts, self.rates = is_star, hosts, rates
        self.places = range(hosts)  # of ranks

    def route(self, rank, to):
        source, destination = self.places[rank], self.places[to]
        if not self.is_star or source // 2 == destination // 2:
            return [("from", source), ("to", destination)]
        return [("from", source), ("up", source // 2), ("down", destination // 2), ("to", destination)]

    def capacity(self, link):
        """Bytes in a unit of time."""
        return Fraction(RATES[self.rates[link[1]]], 8) if self.rates and link[0] in ("from", "to") else Fraction(1)

    def arguments(self, program, folder):
        spec = f"star:n={self.hosts // 2},hosts=2" if self.is_star else f"crossbar:{self.hosts}"
        if not self.rates:
            return ["--network", spec]
        run(program, "generate", spec, "--output", str(folder / "net"))
        text = (folder / "net/ibnetdiscover.out").read_text()
        for host, rate in enumerate(self.rates, 1):  # of both ends: the lines in which its port's GUID stands
            guid = re.search(rf'# "H{host}"\n\[1\]\((\w+)\)', text)[1]
            text = re.sub(rf"(.*\({guid}\).* )4xSDR", rf"\g<1>{rate}", text)
        (folder / "net/ibnetdiscover.out").write_text(text)
        return ["--network", str(folder / "net/ibnetdiscover.out"), "--tables", str(folder / "net/opensm-lfts.dump")]


# ---- random schedules -----------------------------------------------------------------------------------------------

Study = collections.namedtuple("Study", "link switch stores by_bytes")


def random_goal(dice, ranks):
    """As text. Operations need some that were drawn before; now and then one of another, so that some never end. Now and
    then the file has them in another order: messages of one pair and tag then are others."""
    drawn = [[] for _ in range(ranks)]  # (label, words)
    needs = [[] for _ in range(ranks)]
    largest = dice.choice((3, 12, 12, 1000, 10**6))
    crowded = dice.random() < 0.4  # much begins at one instant, and sets others free
    needing, begin_is_enough, computing, longest = (0.2, 0.8, 0.7, 2) if crowded else (0.3, 0.35, 0.4, 30)

    def add(rank, words):
        label = f"l{len(drawn[rank])}"
        for other, _ in drawn[rank]:
            if dice.random() < needing:
                needs[rank].append(f"{label} {'irequires' if dice.random() < begin_is_enough else 'requires'} {other}")
        drawn[rank].append((label, words))

    sizes = {}
    for _ in range(dice.randint(2, 40 if crowded else 22)):
        source = dice.randrange(ranks)
        if dice.random() < computing:
            cpu = dice.randrange(3)
            add(source, f"calc {dice.randint(0, longest)}" + (f" cpu {cpu}" if cpu or dice.random() < 0.5 else ""))
            continue
        to, tag = dice.randrange(ranks), dice.randrange(3)
        # One size for a pair and tag, so that any order of the file has receives that fit.
        size = sizes.setdefault((source, to, tag), dice.choice((0, 1, dice.randint(1, largest))))
        tagged = f" tag {tag}" if tag or dice.random() < 0.5 else ""
        unit = dice.choice(("", "b"))
        add(source, f"send {size}{unit} to {to}{tagged}")
        add(to, f"recv {size}{unit} from {source}{tagged}")
    add(0, "send 7b to 1 tag 9")
    add(1, "recv 7b from 0 tag 9")
    if dice.random() < 0.1:
        rank = max(range(ranks), key=lambda one: len(drawn[one]))
        needs[rank].append(f"l0 {dice.choice(('requires', 'irequires'))} l{len(drawn[rank]) - 1}")

    lines = [f"num_ranks {ranks}"]
    mixed = dice.random() < 0.3
    for rank in dice.sample(range(ranks), ranks):
        if mixed:
            dice.shuffle(drawn[rank])
        lines += [f"rank {rank} {{", *(f"{label}: {words}" for label, words in drawn[rank]), *needs[rank], "}"]
    return "\n".join(lines) + "\n"


# ---- the comparison -------------------------------------------------------------------------------------------------

def run(program, *arguments, may_fail=False):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0 and not (may_fail and done.returncode == 2):
        sys.exit(f"tailback {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr}")
    return done


def compare(program, number):
    """One schedule. @return what happened in it, as a set of words; or the difference as text."""
    dice = random.Random(f"goal {number}")
    is_star = dice.random() < 0.4
    hosts = 6 if is_star else dice.randint(2, 6)
    rates = [dice.choice(("1xSDR", "4xSDR", "4xSDR", "4xDDR", "4xQDR")) for _ in range(hosts)]
    network = Network(is_star, hosts, rates if dice.random() < 0.4 else None)
    ranks = dice.randint(2, hosts)
    network.places = dice.sample(range(hosts), ranks)
    study = Study(dice.choice((0, 0, 3)), dice.choice((0, 0, 5)), dice.random() < 0.25, dice.random() < 0.2)
    text = random_goal(dice, ranks)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "some.goal").write_text(text)
        (folder / "mapping").write_text(" ".join(f"H{place + 1}" for place in network.places) + "\n")
        unit = "ns" if network.rates else ""
        done = run(program, "evaluate", *network.arguments(program, folder), "--traffic", f"{folder}/some.goal",
                   "--metric", "makespan,completion_time", "--mapping", f"file:{folder}/mapping", "--latency",
                   f"link={study.link}{unit},switch={study.switch}{unit}", "--switching",
                   "store-and-forward" if study.stores else "cut-through", "--shared-by",
                   "bytes" if study.by_bytes else "connections", "--format", "json",
                   *([] if study.by_bytes else ["--timeline", f"{folder}/times.csv"]), may_fail=True)
        operations, needs = read_goal(text)
        try:
            want = Simulation(operations, needs, network, study)
        except NeverEnds:
            if done.returncode == 2 and "the schedule can never end" in done.stderr:
                return {"never ends"}
            return f"it never ends, but tailback says {done.returncode}: {done.stderr}"
        if done.returncode != 0:
            return f"it ends at {want.now}, but tailback says: {done.stderr}"
        report = json.loads(done.stdout)
        rows = {}  # --timeline does not go with --shared-by bytes
        if not study.by_bytes:
            with open(folder / "times.csv") as table:
                rows = {int(row["line"]): row for row in csv.DictReader(table)}

    scale = 1e9 if network.rates else 1
    differences = []

    def near(what, got, wanted):
        if abs(float(got) * scale - float(wanted)) > NEAR * float(want.now):
            differences.append(f"{what}: {float(got) * scale} and not {float(wanted)}")

    delivered = [n for n, one in enumerate(operations) if one.kind == "send" and one.peer != one.rank]
    near("makespan", report["metrics"]["makespan"]["mean"], want.now)
    near("completion_time", report["metrics"]["completion_time"]["mean"],
         sum(want.arrived[n] - want.begun[n] for n in delivered) / len(delivered))
    timed = {}
    for n, one in enumerate(operations):
        if one.kind == "send" and one.peer != one.rank:
            timed[one.line] = {"start": want.begun[n], "sent": want.ended[n], "end": want.arrived[n]}
        elif one.kind == "calc" and one.amount > 0:
            timed[one.line] = {"start": want.begun[n], "end": want.ended[n]}
    if not study.by_bytes and rows.keys() != timed.keys():
        differences.append(f"the timeline is of the lines {sorted(rows)} and not {sorted(timed)}")
    for line in sorted(rows.keys() & timed.keys()):
        for column, wanted in timed[line].items():
            near(f"line {line}, {column}", rows[line][column], wanted)
    if differences:
        return "\n  ".join(differences[:8]) + f"\n{study}, {network.__dict__}\n{text}"
    return met(want, delivered)


def met(want, delivered):
    """What this schedule has put to the test."""
    found = {"ends"}
    operations = want.operations
    if any(needs.begun for needs in want.needs):
        found.add("irequires")
    if any(one.kind == "send" and one.peer == one.rank for one in operations):
        found.add("to oneself")
    if any(operations[n].amount == 0 for n in delivered):
        found.add("zero bytes")
    if any(n != m and want.begun[n] <= want.begun[m] < want.ended[n] for n in delivered for m in delivered
           if operations[n].rank == operations[m].rank):
        found.add("shared ports")
    if any(n in want.came and want.begun[n] > max(
            [want.ended[m] for m in want.needs[n].ended] + [want.begun[m] for m in want.needs[n].begun] + [0])
           for n in range(len(operations))):
        found.add("waits for a core")
    if any(want.begun[receive] > want.arrived[send] for send, receive in want.receive_of.items()):
        found.add("late receives")
    if want.network.rates:
        found.add("rates")
    if want.study.stores:
        found.add("store and forward")
    return found


def main(program, first=0, count=SCHEDULES):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda number: compare(program, number), range(first, first + count)))
    wrong = [(first + n, outcome) for n, outcome in enumerate(outcomes) if isinstance(outcome, str)]
    for number, difference in wrong[:5]:
        print(f"schedule {number}\n  {difference}")
    if wrong:
        sys.exit(f"{len(wrong)} of {count} schedules differ")
    seen = collections.Counter(word for outcome in outcomes for word in outcome)
    print(f"{count} schedules agree:", ", ".join(f"{many} {word}" for word, many in seen.most_common()))
    few = [word for word in ("ends", "never ends", "irequires", "to oneself", "zero bytes", "shared ports", "rates",
                             "waits for a core", "late receives", "store and forward") if seen[word] < count // 50]
    if few:
        sys.exit(f"hardly any schedule has: {', '.join(few)}")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
