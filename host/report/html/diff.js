// The page of a comparison: what changed, and whether it is better.
import { element, numberText, origin, section, threeNumbers } from './elements.js';
import { faultsOf, mapOf } from './audit.js';
import { table } from './table.js';

/** A switch whose candidate sets differ, lists as texts. */
function candidateRow(row) {
    const text = (ports) => (ports.length > 0 ? ports.join(', ') : 'the static entry');
    return {
        name: row.name,
        guid: row.guid,
        entries: row.entries,
        LID: row.lid_before,
        before: text(row.port_names_before ?? row.ports_before),
        after: text(row.port_names_after ?? row.ports_after),
    };
}

export function showDiff(page, data) {
    const { report, after } = data,
        numbers = report.verdict?.numbers ?? [],
        moods = { better: 'good', worse: 'fault' };
    const [mood, sentence] = report.equal
        ? ['good', 'Nothing differs.']
        : [moods[report.verdict?.verdict] ?? '', report.verdict?.sentence ?? 'Changed; there are no routes to compare.'];
    const cables = report.cables,
        tables = report.tables ?? [];
    page.append(
        element('h1', { class: mood }, sentence),
        origin(report.files, [['new network: ', after?.audit.network]]),
        threeNumbers([
            [
                'pairs rerouted',
                numberText(report.pairs?.rerouted ?? null),
                `of ${numberText(report.pairs?.in_both ?? null)} in both`,
            ],
            [
                'pairs with another fate',
                numberText(report.pairs?.other_fate ?? null),
                Object.entries(report.pairs?.fates ?? {})
                    .map(([fate, pairs]) => `${fate}: ${numberText(pairs)}`)
                    .join(', '),
            ],
            [
                'cables gone, new',
                `${numberText(cables.gone.length)}, ${numberText(cables.new.length)}`,
                `${numberText(tables.length)} tables differ`,
            ],
        ]),
    );
    if (numbers.length > 0)
        page.append(
            section(
                'Old and new side by side',
                table(
                    [
                        { title: 'what', value: (row) => row.what },
                        { title: 'old', value: (row) => row.old },
                        { title: 'new', value: (row) => row.new },
                        { title: 'verdict', value: (row) => row.verdict },
                        { title: 'because of', value: (row) => row.because.map((cause) => `${row.cause}: ${cause}`).join('; ') },
                    ],
                    numbers,
                    { label: 'old and new' },
                ),
            ),
        );
    const { map, fabric, root } = mapOf(data, after?.audit.findings ?? [], after ? faultsOf(after.audit) : undefined);
    page.append(section('Map of the new fabric', root));
    const show = (row) => {
        const link = row.from_port === undefined ? null : fabric.linkFrom(row.from_guid ?? row.from, row.from_port);
        if (link) map.showLink(link);
        else map.find(row.guid ?? row.name ?? row.to ?? '');
    };
    for (const [title, rows, pick] of [
        ['Cables that are gone', cables.gone],
        ['New cables', cables.new, true],
        ['Cables with another rate', cables.other_rate, true],
        ['Nodes that are gone', report.nodes.gone],
        ['New nodes', report.nodes.new],
        ['Nodes with another name', report.nodes.renamed],
        ['Other LIDs', report.lids],
        ['Troubles with the old files that are gone', (report.troubles?.gone ?? []).map((what) => ({ what }))],
        ['New troubles with the files', (report.troubles?.new ?? []).map((what) => ({ what }))],
        ['Tables that differ', tables, true],
        ['Sets of ports to choose among that differ', (report.choices?.switches ?? []).map(candidateRow), true],
        ['Destinations with other routes', report.destinations, true],
        ['Links with more load', report.links?.more, true],
    ])
        if (Array.isArray(rows) && rows.length > 0)
            page.append(
                section(
                    `${title} (${numberText(rows.length)})`,
                    table(
                        Object.keys(rows[0])
                            .filter((key) => key !== 'number' && (typeof rows[0][key] !== 'object' || rows[0][key] === null))
                            .map((key) => ({ title: key.replaceAll('_', ' '), value: (row) => row[key] })),
                        rows,
                        { label: title, pick: pick && map ? show : null },
                    ),
                ),
            );
}
