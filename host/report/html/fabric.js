// The fabric of a report: nodes, hosts, cables, and routes by its tables.

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Numbers of `bits` each, the lowest bits first, written as base64. */
export function numbersOf(text, bits) {
    const bytes = bytesOf(text),
        numbers = new Uint16Array(Math.floor((8 * bytes.length) / bits));
    let waiting = 0,
        count = 0,
        next = 0;
    for (let n = 0; n < numbers.length; ++n) {
        for (; count < bits; count += 8) waiting |= bytes[next++] << count;
        numbers[n] = waiting & ((1 << bits) - 1);
        waiting >>>= bits;
        count -= bits;
    }
    return numbers;
}

/** What all names have before and after what tells them apart, up to a sign: `MF0;` and `:MQM8700/U1`. */
export function sharedEnds(names) {
    if (names.length < 2) return ['', ''];
    const common = (one, other) => {
        let at = 0;
        while (at < one.length && one[at] === other[at]) ++at;
        return one.slice(0, at);
    };
    const turned = (text) => [...text].reverse().join('');
    const ends = [names, names.map(turned)].map((all) => all.reduce(common).match(/^(.*[^A-Za-z0-9])?/)[0]);
    return [ends[0], turned(ends[1])];
}

export class Fabric {
    /** @param kind of the page: an audit holds loads against the ideals of their stages, others against their mean */
    constructor(data, kind = 'audit') {
        this.measure = ['evaluate', 'jobs'].includes(kind)
            ? { name: 'mean', whole: 'the mean of the links in use' }
            : { name: 'ideal', whole: 'the ideal of its stage' };
        this.names = data.nodes.name;
        const [before, after] = sharedEnds(this.names.filter((_, node) => data.nodes.is_switch[node]));
        this.shorts = this.names.map((name, node) =>
            data.nodes.is_switch[node] && name.length > before.length + after.length
                ? name.slice(before.length, name.length - after.length)
                : name,
        );
        this.guids = data.nodes.guid;
        this.levels = data.nodes.level;
        this.isSwitch = data.nodes.is_switch;
        this.hosts = data.hosts.node.map((node, h) => ({
            number: h,
            node,
            port: data.hosts.port[h],
            lid: data.hosts.lid[h],
            address: data.hosts.address?.[h] ?? '',
        }));
        /** Of an IP fabric hosts are called by these, and not by LIDs. */
        this.hasAddresses = this.hosts.some((host) => host.address !== '');
        this.hostOfNode = new Map();
        for (const host of this.hosts) if (!this.hostOfNode.has(host.node)) this.hostOfNode.set(host.node, host);
        const links = data.links;
        this.links = links.from.map((from, l) => ({
            number: l,
            from,
            fromPort: links.from_port[l],
            to: links.to[l],
            toPort: links.to_port[l],
            fromPortName: (links.from_port_name ?? links.from_port)[l],
            toPortName: (links.to_port_name ?? links.to_port)[l],
            load: links.load ? links.load[l] : null,
            ideal: links.stage && links.stage[l] >= 0 ? data.ideals[links.stage[l]] : null,
        }));
        this.linkAt = new Map(this.links.map((link) => [link.from * 65536 + link.fromPort, link]));
        this.tables = data.tables
            ? { row: data.tables.row, ports: numbersOf(data.tables.ports, data.tables.bits) }
            : null;
    }

    reverse(link) {
        return this.linkAt.get(link.to * 65536 + link.toPort) ?? null;
    }
    name(node) {
        return this.names[node];
    }
    /** Without what the names of all switches share. */
    short(node) {
        return this.shorts[node];
    }
    /** Load over ideal; null where either is not known. */
    ratio(link) {
        return link.load === null || !link.ideal ? null : link.load / link.ideal;
    }
    hostName(host) {
        const number = this.hasAddresses ? host.address : host.lid ? `LID ${host.lid}` : '';
        return `${this.names[host.node]}${number ? ` (${number})` : ''}`;
    }
    /** The link that leaves a node, by GUID or name, at a port; null: none. */
    linkFrom(node, port) {
        const at = Math.max(this.guids.indexOf(node), this.names.indexOf(node));
        return this.linkAt.get(at * 65536 + port) ?? null;
    }
    uplink(host) {
        return this.linkAt.get(host.node * 65536 + host.port) ?? null;
    }

    /** The link by which `node` sends to a host; null where it has none. */
    next(node, host) {
        if (!this.tables || this.tables.row[node] < 0) return null;
        return (
            this.linkAt.get(
                node * 65536 + this.tables.ports[this.tables.row[node] * this.hosts.length + host.number],
            ) ?? null
        );
    }
    /** Links from host to host, and whether they lead there. */
    route(source, destination) {
        const links = [],
            met = new Set();
        let link = this.uplink(source);
        while (link !== null) {
            links.push(link);
            if (link.to === destination.node) return { links, delivered: true };
            if (!this.isSwitch[link.to] || met.has(link.to)) break;
            met.add(link.to);
            link = this.next(link.to, destination);
        }
        return { links, delivered: false };
    }
    /** Pairs whose route takes `link`, by destination: [{destination, sources: [hosts]}]. */
    pairsOver(link) {
        if (!this.tables) return [];
        const leaf = this.hosts.map((host) => this.uplink(host)?.to ?? -1),
            over = [];
        for (const destination of this.hosts) {
            const first = this.hosts[0] && this.isSwitch[link.from] ? this.next(link.from, destination) : null;
            if (this.isSwitch[link.from] && (first === null || first.number !== link.number)) continue;
            const crosses = new Map(); // by switch: does its route take the link?
            const ask = (start) => {
                const way = [];
                let node = start,
                    answer = false;
                while (node >= 0 && this.isSwitch[node]) {
                    if (crosses.has(node)) {
                        answer = crosses.get(node);
                        break;
                    }
                    crosses.set(node, false);
                    way.push(node);
                    const next = this.next(node, destination);
                    if (next === null) break;
                    if (next.number === link.number) {
                        answer = true;
                        break;
                    }
                    node = next.to;
                }
                for (const one of way) crosses.set(one, answer);
                return answer;
            };
            const sources = this.hosts.filter(
                (source) =>
                    source.node !== destination.node &&
                    (source.node === link.from || (this.isSwitch[link.from] && ask(leaf[source.number]))),
            );
            if (sources.length > 0) over.push({ destination, sources });
        }
        return over;
    }

    /** The node of that name, GUID, LID or address, or the first whose name has the text in it; -1: none. */
    nodeOf(text) {
        const word = text.trim();
        if (word === '') return -1;
        const exact = this.names.indexOf(word);
        if (exact >= 0) return exact;
        const guid = this.guids.findIndex((one) => one !== null && one === word.toLowerCase());
        if (guid >= 0) return guid;
        const lid = /^(0x[0-9a-f]+|\d+)$/i.test(word) ? Number(word) : -1,
            host = this.hosts.find((one) => (this.hasAddresses ? one.address === word : lid > 0 && one.lid === lid));
        if (host) return host.node;
        return this.names.findIndex((name) => name.toLowerCase().includes(word.toLowerCase()));
    }

    /** Nodes whose names have the text in them, where no node is called just so. */
    nodesNamedLike(text) {
        const word = text.trim().toLowerCase(),
            { names } = this;
        if (word === '' || names.includes(text.trim())) return [];
        return names.map((_, node) => node).filter((node) => names[node].toLowerCase().includes(word));
    }
}
