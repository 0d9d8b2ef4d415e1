// Where switches stand on the map, and which colour a load has.

/** On a light page, what they mean, on a dark page. */
export const colours = [
    ['#87929e', 'unused', '#6a7581'],
    ['#4a8fd3', 'below the ideal', '#3f7fb8'],
    ['#1f5fa8', 'about the ideal', '#8cc4ff'],
    ['#c97a00', 'above', '#f2a033'],
    ['#e03c31', 'twice', '#ff7b72'],
    ['#8a1010', 'four times or more', '#ff5cf0'],
];
const darkScreen = window.matchMedia('screen and (prefers-color-scheme: dark)'); // paper is light

/** Colour number c on the page as it is shown now. */
export function shade(c) {
    return colours[c][darkScreen.matches ? 2 : 0];
}

/** Draws again when the page becomes dark or light, as it does for a printer. */
export function whenColoursChange(draw) {
    darkScreen.addEventListener('change', draw);
}

/** Which of the colours a load has. */
export function colourOf(load, ratio) {
    if (load === null) return 2;
    if (load === 0) return 0;
    if (ratio === null) return 2;
    return ratio >= 4 ? 5 : ratio >= 2 ? 4 : ratio > 1.1 ? 3 : ratio >= 0.5 ? 2 : 1;
}

/** `rack07-sw3` -> `rack07`: what switches of one group have in common. */
export function groupOf(name) {
    const short = name.replace(/:.*$/, '');
    return short.replace(/[-_. ]?[A-Za-z]*\d+$/, '') || short;
}

/**
 * Switches, or groups of them, in rows by level, and the cables between them.
 * @return {units: [{x, y, name, switches, level}], bundles: [{a, b, links, worst}]}
 */
export function layOut(fabric, folded) {
    const unitOf = new Map(),
        units = [],
        byKey = new Map();
    fabric.isSwitch.forEach((is, node) => {
        if (!is) return;
        const key = folded ? `${fabric.levels[node]} ${groupOf(fabric.short(node))}` : node;
        if (!byKey.has(key)) {
            byKey.set(key, units.length);
            units.push({
                switches: [],
                level: fabric.levels[node],
                name: folded ? groupOf(fabric.short(node)) : fabric.short(node),
                x: 0,
                y: 0,
            });
        }
        unitOf.set(node, byKey.get(key));
        units[byKey.get(key)].switches.push(node);
    });
    const bundles = new Map();
    for (const link of fabric.links) {
        const a = unitOf.get(link.from),
            b = unitOf.get(link.to);
        if (a === undefined || b === undefined || a === b) continue;
        const key = a < b ? a * units.length + b : b * units.length + a;
        if (!bundles.has(key)) bundles.set(key, { a: Math.min(a, b), b: Math.max(a, b), links: [], worst: null });
        const bundle = bundles.get(key);
        bundle.links.push(link);
        if (
            bundle.worst === null ||
            (fabric.ratio(link) ?? link.load ?? 0) > (fabric.ratio(bundle.worst) ?? bundle.worst.load ?? 0)
        )
            bundle.worst = link;
    }
    const list = [...bundles.values()];
    place(units, list);
    return { units, bundles: list, unitOf };
}

/** Do names tell groups within levels? */
export function hasGroups(fabric) {
    const { units } = layOut(fabric, true);
    return units.length > 2 * new Set(units.map((unit) => unit.level)).size;
}

/** Rows by level; a ring where most cables join switches of one level. */
function place(units, bundles) {
    const within = bundles.filter((bundle) => units[bundle.a].level === units[bundle.b].level).length;
    if (2 * within > bundles.length) {
        const radius = Math.max(200, units.length * 9);
        units.forEach((unit, u) => {
            const angle = (2 * Math.PI * u) / units.length - Math.PI / 2;
            unit.x = radius * Math.cos(angle);
            unit.y = radius * Math.sin(angle);
        });
        return;
    }
    const rows = new Map();
    for (const unit of units) {
        if (!rows.has(unit.level)) rows.set(unit.level, []);
        rows.get(unit.level).push(unit);
    }
    const widest = Math.max(...[...rows.values()].map((row) => row.length)),
        width = Math.max(900, widest * 26);
    const levels = [...rows.keys()].sort((a, b) => a - b);
    const below = new Map(units.map((unit) => [unit, []]));
    for (const { a, b } of bundles) {
        const [low, high] = units[a].level < units[b].level ? [units[a], units[b]] : [units[b], units[a]];
        below.get(high).push(low);
    }
    levels.forEach((level, depth) => {
        const row = rows.get(level);
        if (depth > 0) {
            // over the middle of what is below; equal ones stay in the order of the file
            for (const unit of row)
                unit.x = below.get(unit).reduce((sum, low) => sum + low.x, 0) / Math.max(1, below.get(unit).length);
            row.sort((p, q) => p.x - q.x);
        }
        row.forEach((unit, u) => {
            unit.x = (width * (u + 0.5)) / row.length - width / 2;
            unit.y = -depth * Math.max(160, width / 6);
        });
    });
}
