// How hot the way is from leaf to leaf: a square a pair of switches with hosts.
import { element, numberText, section } from './elements.js';
import { colourOf, shade, whenColoursChange } from './layout.js';

const mostLeaves = 1000,
    mostSteps = 2e6; // hosts x switches that are walked without being asked

/**
 * Of every ordered pair of leaves, the link between switches with the largest load over its ideal on the routes from
 * hosts at the one to hosts at the other.
 * @return {leaves: [node], hottest: [[link or null]]} by source, then destination; null where no tables are known
 */
export function hottestByLeaf(fabric) {
    const leafOf = fabric.hosts.map((host) => fabric.uplink(host)?.to ?? -1);
    const leaves = [...new Set(leafOf)].filter((leaf) => leaf >= 0 && fabric.isSwitch[leaf]);
    leaves.sort((a, b) => fabric.short(a).localeCompare(fabric.short(b), 'en', { numeric: true }));
    const place = new Map(leaves.map((leaf, i) => [leaf, i]));
    const hottest = leaves.map(() => new Array(leaves.length).fill(null));
    const hotter = (a, b) => (a === null || (b !== null && (fabric.ratio(b) ?? 0) > (fabric.ratio(a) ?? 0)) ? b : a);
    for (const host of fabric.hosts) {
        const to = place.get(leafOf[host.number]);
        if (to === undefined) continue;
        const worst = new Map(); // by switch: of the rest of its route
        for (const leaf of leaves) {
            const way = [];
            for (let node = leaf; node !== leaves[to] && !worst.has(node); ) {
                const link = fabric.next(node, host);
                worst.set(node, null);
                if (link === null || !fabric.isSwitch[link.to]) break;
                way.push(link);
                node = link.to;
            }
            for (const link of way.reverse()) worst.set(link.from, hotter(link, worst.get(link.to) ?? null));
            const from = place.get(leaf);
            if (from !== to) hottest[from][to] = hotter(hottest[from][to], worst.get(leaf) ?? null);
        }
    }
    return { leaves, hottest };
}

/** The section with the squares; empty where there are no tables or loads. */
export function heatMap(fabric, map) {
    if (!fabric?.tables || fabric.links.every((link) => fabric.ratio(link) === null)) return '';
    const count = new Set(fabric.hosts.map((host) => fabric.uplink(host)?.to)).size;
    if (count < 2 || count > mostLeaves) return '';
    const place = element('div');
    const draw = () => place.replaceChildren(...squares(fabric, map));
    if (fabric.hosts.length * fabric.names.length > mostSteps)
        place.append(element('button', { type: 'button', onclick: draw }, 'draw it (takes some seconds)'));
    else draw();
    return section('From leaf to leaf', place);
}

function squares(fabric, map) {
    const { leaves, hottest } = hottestByLeaf(fabric),
        size = Math.max(2, Math.min(16, Math.floor(720 / leaves.length))),
        side = size * leaves.length;
    const tip = element('p', { class: 'soft tip', 'aria-live': 'polite' }, 'Point at a square, or use the arrow keys.');
    const canvas = element('canvas', {
        width: side,
        height: side,
        tabindex: 0,
        role: 'img',
        'aria-label': 'the hottest link on the way from leaf (row) to leaf (column): arrow keys go from square to square, Enter shows the link',
    });
    let at = [0, Math.min(1, leaves.length - 1)];
    const draw = () => {
        const context = canvas.getContext('2d');
        context.clearRect(0, 0, side, side);
        hottest.forEach((row, from) =>
            row.forEach((link, to) => {
                if (link === null) return;
                context.fillStyle = shade(colourOf(link.load, fabric.ratio(link)));
                context.fillRect(to * size, from * size, size > 4 ? size - 1 : size, size > 4 ? size - 1 : size);
            }),
        );
    };
    const tell = () => {
        const [from, to] = at,
            link = hottest[from][to],
            pair = `${fabric.short(leaves[from])} to ${fabric.short(leaves[to])}`;
        tip.textContent =
            from === to
                ? `${fabric.short(leaves[from])}: its own hosts`
                : link === null
                  ? `${pair}: no route between hosts`
                  : `${pair}: at most ${numberText(fabric.ratio(link))} x the ideal, on ${fabric.short(link.from)} [${link.fromPortName}] to ${fabric.short(link.to)} [${link.toPortName}]`;
    };
    const clip = (value) => Math.max(0, Math.min(leaves.length - 1, value));
    const move = (event) => {
        const box = canvas.getBoundingClientRect();
        at = [event.clientY - box.top, event.clientX - box.left].map((value) =>
            clip(Math.floor((value / box.width) * leaves.length)),
        );
        tell();
    };
    const pick = () => hottest[at[0]][at[1]] && map.showLink(hottest[at[0]][at[1]]);
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    canvas.addEventListener('mousemove', move);
    canvas.addEventListener('click', (event) => (move(event), pick()));
    canvas.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') pick();
        else if (event.key in steps) {
            at = at.map((value, axis) => clip(value + steps[event.key][axis]));
            tell();
        } else return;
        event.preventDefault();
    });
    whenColoursChange(draw);
    draw();
    return [
        element(
            'p',
            { class: 'soft' },
            `A square is a pair of the ${numberText(leaves.length)} switches with hosts, source down, destination across, in the order of their names: the largest load over its ideal that a route between their hosts meets, in the map's colours.`,
        ),
        element('div', { class: 'heat' }, canvas),
        tip,
    ];
}
