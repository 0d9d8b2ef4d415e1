// The page of a comparison with a plan of cables: what is wrong, where, and what it costs.
import { mapOf } from './audit.js';
import { element, fabricLine, numberText, origin, section, sizeLine, threeNumbers, verdictOnTop } from './elements.js';
import { table } from './table.js';

const wordsOfKinds = { swapped: 'swapped ends', wrong: 'lead elsewhere', missing: 'missing', extra: 'not in the plan' };

/** Rows of costs: numbers, or why there are none. */
function costTable(rows) {
    const of = (key) => (row) => row.cost[key] ?? null;
    const free = ({ cost }) => (cost.deadlock_free === null ? '-' : cost.deadlock_free ? 'free' : 'possible');
    return table(
        [
            { title: 'network', value: (row) => row.what },
            { title: 'bandwidth', value: of('bandwidth') },
            { title: 'gain', value: of('gain') },
            { title: 'error, 99 %', value: of('error') },
            { title: 'largest load', value: of('largest_load') },
            { title: 'pairs not delivered', value: of('pairs_not_delivered') },
            { title: 'deadlock', value: free },
        ],
        rows,
        { label: 'costs' },
    );
}

function costsOf(report, mistakes, words) {
    const { costs } = report;
    const rows = [
        ['as it is, by its own tables', costs.by_own_tables],
        ['as it is', costs.as_it_is],
        ['as planned', costs.as_planned],
        ...mistakes.map(({ kind, text, put_right }) => [`put right: ${kind}, ${text}`, put_right]),
    ].filter(([, cost]) => cost !== null);
    return section(
        `What it costs: made anew by ${costs.routing}`,
        costTable(rows.map(([what, cost]) => ({ what, cost }))),
        ...words.map((sentence) => element('p', { class: 'soft' }, sentence)),
    );
}

/** What the plan or the network has that could not be compared: lists of words. */
function leftOut(report) {
    const lists = [
        ['Devices of the plan that are not here under that name, or more than once', report.unknown_devices],
        ['Ports of the plan without a cable here under that name', report.unknown_ports],
        ['Second cables of a port in the plan, left out', report.doubles],
        ['Second cables of a port in the network, left out', report.doubles_there],
    ];
    return lists
        .filter(([, list]) => list.length > 0)
        .map(([title, list]) => section(title, table([{ title: 'name', value: (name) => name }], list, { label: title })));
}

export function showPlan(page, data) {
    const { report } = data,
        { cables, network } = report;
    const mistakes = report.mistakes.map((mistake, number) => ({ ...mistake, ...data.on_map[number] }));
    const findings = !data.fabric
        ? []
        : mistakes.flatMap(({ nodes, kind, text }) =>
              nodes.map((node) => ({
                  guid: data.fabric.nodes.guid[node],
                  node: data.fabric.nodes.name[node],
                  message: `${kind}: ${text}`,
              })),
          );
    const { map, fabric, root } = mapOf(data, findings);
    const show = ({ links, nodes }) => {
        if (links.length > 0) map.showLink(fabric.links[links[0]]);
        else if (nodes.length > 0) map.find(fabric.guids[nodes[0]] ?? fabric.name(nodes[0]));
    };
    page.append(
        fabricLine('Cables', report),
        verdictOnTop(report.as_planned ? 'good' : 'fault', data.verdict),
        sizeLine(network),
        origin(report.files, [['', network]]),
        threeNumbers([
            ['cables as planned', numberText(cables.there), `of ${numberText(cables.planned)}`],
            [
                'mistakes',
                numberText(mistakes.length),
                Object.entries(report.mistakes_by_kind)
                    .filter(([, count]) => count > 0)
                    .map(([kind, count]) => `${wordsOfKinds[kind]}: ${numberText(count)}`)
                    .join(', '),
            ],
            [
                'bandwidth as planned',
                numberText(report.costs?.as_planned.bandwidth ?? null),
                report.costs ? `${numberText(report.costs.as_it_is.bandwidth)} as it is` : 'not asked for (--costs)',
            ],
        ]),
    );
    if (mistakes.length > 0)
        page.append(
            section(
                'Mistakes',
                table(
                    [
                        { title: 'mistake', value: ({ kind }) => wordsOfKinds[kind] },
                        { title: 'where', value: ({ where }) => where },
                        { title: 'cables', value: ({ text }) => text },
                        { title: 'gain if put right', value: ({ put_right }) => put_right?.gain ?? null },
                    ],
                    mistakes,
                    { label: 'mistakes', pick: map ? show : null },
                ),
            ),
        );
    if (report.costs) page.append(costsOf(report, mistakes, data.cost_words));
    page.append(section('The fabric', root));
    if (report.racks.length > 1)
        page.append(
            section(
                'By rack, or switch where the plan names none',
                table(
                    [
                        { title: 'where', value: (rack) => rack.where },
                        ...Object.entries(wordsOfKinds).map(([kind, words]) => ({ title: words, value: (rack) => rack[kind] })),
                    ],
                    report.racks,
                    { label: 'racks' },
                ),
            ),
        );
    page.append(...leftOut(report));
}
