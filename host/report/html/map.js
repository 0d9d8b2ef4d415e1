// The map: switches in their levels, cables coloured by load. Drawn on a canvas, as there may be many thousands.
import { element, numberText } from './elements.js';
import { colourOf, colours, hasGroups, layOut, shade, whenColoursChange } from './layout.js';

const mostUnfolded = 80, // switches of a map that opens with all of them
    crowded = 1500; // cables that would be one area of colour

export class FabricMap {
    /** @param faulty set of nodes with findings. @param describe {switches(nodes), links(links)} -> elements */
    constructor(fabric, faulty, describe) {
        const folded = fabric.isSwitch.filter(Boolean).length > mostUnfolded && hasGroups(fabric);
        Object.assign(this, { fabric, faulty, describe, folded, picked: null, route: [] });
        this.canvas = element('canvas', {
            tabindex: 0,
            role: 'img',
            'aria-label':
                'map of the fabric: arrow keys move it, + and - zoom, 0 shows all, the table of links below has the same',
        });
        this.panel = element('aside', { 'aria-live': 'polite' });
        this.tip = element('p', { class: 'soft tip' });
        this.root = element(
            'div',
            {},
            this.tools(),
            element('div', { class: 'map' }, this.canvas, this.panel),
            this.tip,
            this.legend(),
        );
        this.transform = d3.zoomIdentity;
        this.zoom = d3
            .zoom()
            .scaleExtent([0.002, 40])
            .on('zoom', () => {
                this.transform = d3.event?.transform ?? d3.zoomTransform(this.canvas);
                this.ask();
            });
        d3.select(this.canvas).call(this.zoom);
        this.canvas.addEventListener('click', (event) => this.pickAt(...this.at(event)));
        this.canvas.addEventListener('mousemove', (event) => this.hover(...this.at(event)));
        this.canvas.addEventListener('keydown', (event) => this.key(event));
        new ResizeObserver(() => this.fit(true)).observe(this.canvas);
        whenColoursChange(() => this.draw()); // at once: a printer waits for no frame
        this.relay();
        this.show(null);
    }

    legend() {
        return element(
            'div',
            { class: 'legend' },
            ...(this.fabric.links.some((link) => link.load !== null) ? colours : []).map(([, text], c) => {
                const mark = element('i');
                const paint = () => (mark.style.background = shade(c));
                whenColoursChange(paint);
                paint();
                return element('span', {}, mark, text.replace('ideal', this.fabric.measure.name));
            }),
            ...(this.faulty.size > 0 ? [element('span', {}, 'red frame: faults here')] : []),
        );
    }

    tools() {
        const { fabric } = this,
            names = element('datalist', { id: 'names' });
        const listed =
            fabric.names.length <= 20000 ? fabric.names : fabric.names.filter((_, node) => fabric.isSwitch[node]);
        names.append(...listed.map((name) => element('option', { value: name })));
        const search = element('input', {
            type: 'search',
            list: 'names',
            placeholder: fabric.hasAddresses ? 'find: name or address' : 'find: name, GUID or LID',
            'aria-label': 'find a node',
            onchange: (event) => this.find(event.target.value),
        });
        const from = element('input', { list: 'names', placeholder: 'from host', 'aria-label': 'route from host' });
        const to = element('input', { list: 'names', placeholder: 'to host', 'aria-label': 'route to host' });
        const route = () => this.showRoute(from.value, to.value);
        this.fold = element(
            'button',
            {
                type: 'button',
                'aria-pressed': String(this.folded),
                onclick: () => {
                    this.setFolded(!this.folded);
                    this.show(null);
                },
            },
            'fold groups',
        );
        return element(
            'div',
            { class: 'tools' },
            names,
            search,
            this.fold,
            element('button', { type: 'button', onclick: () => this.fit() }, 'show all'),
            ...(fabric.tables ? [from, to, element('button', { type: 'button', onclick: route }, 'show route')] : []),
        );
    }

    setFolded(folded) {
        if (this.folded === folded) return;
        this.folded = folded;
        this.fold.setAttribute('aria-pressed', String(folded));
        this.relay();
    }

    relay() {
        this.layout = layOut(this.fabric, this.folded);
        this.quadtree = d3.quadtree(
            this.layout.units,
            (unit) => unit.x,
            (unit) => unit.y,
        );
        this.fit();
    }

    /** The whole fabric in view. @param keep only where nobody has moved it */
    fit(keep = false) {
        const box = this.canvas.getBoundingClientRect(),
            dots = window.devicePixelRatio || 1;
        if (box.width === 0) return;
        this.canvas.width = box.width * dots;
        this.canvas.height = box.height * dots;
        if (!keep || !this.fitted) {
            this.fitted = true;
            this.putInside(this.layout.units, box.width - 60, box.height - 90, 3);
        }
        this.ask();
    }

    ask() {
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame(() => {
            this.waiting = false;
            this.draw();
        });
    }

    draw() {
        const context = this.canvas.getContext('2d'),
            dots = window.devicePixelRatio || 1,
            { k, x, y } = this.transform;
        const style = getComputedStyle(document.documentElement),
            ink = style.getPropertyValue('--ink'),
            page = style.getPropertyValue('--page');
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, this.canvas.width, this.canvas.height);
        context.setTransform(dots * k, 0, 0, dots * k, dots * x, dots * y);
        const { units, bundles } = this.layout,
            line = (bundle) => {
                context.moveTo(units[bundle.a].x, units[bundle.a].y);
                context.lineTo(units[bundle.b].x, units[bundle.b].y);
            };
        const thin = Math.max(0.3, Math.min(1, 1200 / bundles.length)),
            many = bundles.length > crowded; // then what is twice its ideal stands out of the rest
        const marked = new Set(this.route.map((link) => link.number)),
            hasRoute = marked.size > 0;
        const isMarked = (bundle) => bundle.links.some((link) => marked.has(link.number));
        for (let colour = 0; colour < colours.length; ++colour) {
            // the hottest on top
            context.beginPath();
            context.strokeStyle = shade(colour);
            const hot = colour >= (many ? 4 : 3);
            context.globalAlpha = hasRoute ? 0.15 : hot ? 0.95 : many ? 0.2 : 0.55;
            context.lineWidth = (hot && many ? 1.2 : thin * (hot ? 1.8 : 0.9)) / Math.min(1, k);
            for (const bundle of bundles)
                if (colourOf(bundle.worst.load, this.fabric.ratio(bundle.worst)) === colour) line(bundle);
            context.stroke();
        }
        context.globalAlpha = 1;
        context.beginPath();
        context.strokeStyle = ink;
        context.lineWidth = 3.5 / Math.min(1, k);
        for (const bundle of bundles) if (isMarked(bundle) || bundle === this.picked) line(bundle);
        context.stroke();
        const size = Math.max(6, Math.min(5 / k, 9));
        context.font = `${11 / Math.max(1, k)}px system-ui, sans-serif`;
        context.textAlign = 'center';
        const ends = new Map(); // of the last name in a row: names that would lie on it are left out
        for (const unit of [...units].sort((a, b) => a.x - b.x)) {
            context.fillStyle = unit === this.picked ? '#0b62c4' : ink;
            context.fillRect(unit.x - size, unit.y - size / 1.6, 2 * size, 1.25 * size);
            if (unit.switches.some((node) => this.faulty.has(node))) {
                context.strokeStyle = '#e00000';
                context.lineWidth = 2.5 / k;
                context.strokeRect(unit.x - size * 1.4, unit.y - size, 2.8 * size, 2 * size);
            }
            const half = context.measureText(unit.name).width / 2 + 4 / k;
            if (unit !== this.picked && unit.x - half < (ends.get(unit.y) ?? -Infinity)) continue;
            ends.set(unit.y, unit.x + half);
            context.lineWidth = 3 / k;
            context.strokeStyle = page;
            context.strokeText(unit.name, unit.x, unit.y + size * 2.6);
            context.fillStyle = ink;
            context.fillText(unit.name, unit.x, unit.y + size * 2.6);
        }
    }

    /** A point of the canvas as one of the layout. */
    at(event) {
        const box = this.canvas.getBoundingClientRect();
        return this.transform.invert([event.clientX - box.left, event.clientY - box.top]);
    }

    /** The unit or the bundle near a point; null where there is none. */
    near(x, y) {
        const reach = 9 / this.transform.k,
            unit = this.quadtree.find(x, y, Math.max(reach, 9));
        if (unit) return unit;
        let best = null,
            least = reach;
        for (const bundle of this.layout.bundles) {
            const a = this.layout.units[bundle.a],
                b = this.layout.units[bundle.b],
                dx = b.x - a.x,
                dy = b.y - a.y;
            const t = Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)));
            const distance = Math.hypot(x - a.x - t * dx, y - a.y - t * dy);
            if (distance < least) {
                least = distance;
                best = bundle;
            }
        }
        return best;
    }

    hover(x, y) {
        const found = this.near(x, y);
        this.canvas.style.cursor = found ? 'pointer' : 'grab';
        this.tip.textContent = !found
            ? ''
            : found.links
              ? `${this.layout.units[found.a].name} - ${this.layout.units[found.b].name}: ${numberText(found.links.length)} links, load of the hottest ${numberText(found.worst.load)}`
              : `${found.name}: ${numberText(found.switches.length)} ${found.switches.length === 1 ? 'switch' : 'switches'}, level ${found.level}`;
    }

    pickAt(x, y) {
        this.show(this.near(x, y));
    }

    show(found) {
        this.picked = found;
        this.route = [];
        this.panel.replaceChildren(
            ...(found === null
                ? [
                      element('h3', {}, 'Nothing chosen'),
                      element(
                          'p',
                          { class: 'soft' },
                          'Click a cable or a switch, or find one by its name. Drag to move, wheel to zoom.',
                      ),
                  ]
                : found.links
                  ? this.describe.links(found.links)
                  : this.describe.switches(found.switches)),
        );
        this.ask();
    }

    /** Shows links that somebody has chosen elsewhere. */
    showLink(link) {
        this.setFolded(false);
        const bundle = this.layout.bundles.find((one) => one.links.includes(link));
        if (bundle) {
            const a = this.layout.units[bundle.a],
                b = this.layout.units[bundle.b];
            this.zoomTo([a, b]);
            this.show(bundle);
        }
        this.panel.replaceChildren(...this.describe.links([link]));
        this.root.scrollIntoView({ block: 'nearest' });
    }

    showNode(node) {
        this.setFolded(false);
        const unit = this.layout.units[this.layout.unitOf.get(node)];
        if (!unit) {
            // a host: its switch, and itself in words
            const host = this.fabric.hostOfNode.get(node),
                up = host && this.fabric.uplink(host);
            if (up) this.showNode(up.to);
            if (host) this.panel.prepend(element('p', {}, `${this.fabric.hostName(host)} is at this switch.`));
            return;
        }
        this.zoomTo([unit]);
        this.show(unit);
    }

    /** Units in the middle, so near that their names can be read, or as near as all of them can be seen. */
    zoomTo(units) {
        const { width, height } = this.canvas.getBoundingClientRect();
        this.putInside(units, 0.7 * width, 0.7 * height, 1.5);
    }

    /** Units in the middle, inside of so much of the canvas, `most` times as large at most. */
    putInside(units, width, height, most) {
        const box = this.canvas.getBoundingClientRect(),
            [left, right] = d3.extent(units, (unit) => unit.x),
            [top, bottom] = d3.extent(units, (unit) => unit.y);
        const scale = Math.min(width / (right - left || 1), height / (bottom - top || 1), most);
        d3.select(this.canvas).call(
            this.zoom.transform,
            d3.zoomIdentity
                .translate(box.width / 2, box.height / 2)
                .scale(scale)
                .translate(-(left + right) / 2, -(top + bottom) / 2),
        );
    }

    find(text) {
        const node = this.fabric.nodeOf(text),
            like = node >= 0 ? this.fabric.nodesNamedLike(text) : [];
        if (like.length > 1 && like[0] === node) this.offer(text, like);
        else if (node >= 0) this.showNode(node);
        else if (text.trim() !== '')
            this.panel.replaceChildren(element('p', { class: 'fault' }, `There is no "${text}" in this fabric.`));
    }

    /** Several nodes fit what somebody looks for. */
    offer(text, nodes) {
        const most = 100,
            shows = (node) => ({ type: 'button', onclick: () => this.showNode(node) }),
            item = (node) => element('li', {}, element('button', shows(node), this.fabric.name(node)));
        this.panel.replaceChildren(
            element('h3', {}, `${numberText(nodes.length)} nodes have "${text.trim()}" in their names`),
            element('ul', {}, ...nodes.slice(0, most).map(item)),
            ...(nodes.length > most
                ? [element('p', { class: 'soft' }, `The first ${most}: write more of the name.`)]
                : []),
        );
    }

    showRoute(fromText, toText) {
        const { fabric } = this,
            from = fabric.hostOfNode.get(fabric.nodeOf(fromText)),
            to = fabric.hostOfNode.get(fabric.nodeOf(toText));
        if (!from || !to) {
            this.panel.replaceChildren(
                element(
                    'p',
                    { class: 'fault' },
                    `${!from ? fromText || 'The source' : toText || 'The destination'}: there is no such host.`,
                ),
            );
            return;
        }
        const { links, delivered } = fabric.route(from, to);
        this.show(null);
        this.route = links;
        this.panel.replaceChildren(
            element('h3', {}, `${fabric.hostName(from)} to ${fabric.hostName(to)}`),
            element(
                'p',
                delivered ? {} : { class: 'fault' },
                delivered
                    ? `${links.length} links`
                    : new Set(links.map((link) => link.to)).size < links.length
                      ? 'not delivered: it runs in a loop'
                      : `not delivered: it ends after ${links.length} links`,
            ),
            element(
                'ol',
                {},
                ...links.map((link) =>
                    element(
                        'li',
                        {},
                        `${fabric.name(link.from)} [${link.fromPortName}] to ${fabric.name(link.to)} [${link.toPortName}]: load ${numberText(link.load)}`,
                    ),
                ),
            ),
        );
        this.ask();
    }

    key(event) {
        const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] },
            canvas = d3.select(this.canvas);
        if (moves[event.key])
            canvas.call(
                this.zoom.translateBy,
                moves[event.key][0] / this.transform.k,
                moves[event.key][1] / this.transform.k,
            );
        else if (event.key === '+' || event.key === '=') canvas.call(this.zoom.scaleBy, 1.4);
        else if (event.key === '-') canvas.call(this.zoom.scaleBy, 1 / 1.4);
        else if (event.key === '0') this.fit();
        else if (event.key === 'Escape') this.show(null);
        else return;
        event.preventDefault();
    }
}
