// The page of a comparison: what changed, and whether it is better.
import { element, numberText, section, threeNumbers } from './elements.js';
import { faultsOf, mapOf } from './audit.js';
import { table } from './table.js';

/** Largest load over the ideal of its stage, between switches. */
function hottest(audit) {
    return Math.max(
        0,
        ...(audit.balance?.stages ?? [])
            .filter((stage) => stage.from_level > 0 && stage.to_level > 0 && stage.ideal > 0)
            .map((stage) => stage.largest / stage.ideal),
    );
}

/** What the verdict is made of: [what, old, new, higher is better, tolerance]. */
export function comparedNumbers(before, after) {
    const free = (audit) =>
        audit.deadlock?.free === null || audit.deadlock?.free === undefined ? null : audit.deadlock.free ? 1 : 0;
    return [
        ['faults', before.audit.verdict.faults, after.audit.verdict.faults, false],
        [
            'pairs not delivered',
            before.audit.pairs.total - before.audit.pairs.delivered,
            after.audit.pairs.total - after.audit.pairs.delivered,
            false,
        ],
        ['free of deadlock (1 = yes)', free(before.audit), free(after.audit), true],
        ['largest load between switches, x ideal', hottest(before.audit), hottest(after.audit), false],
        [
            'worst permutation, flows on a link',
            before.audit.worst_permutation?.flows ?? null,
            after.audit.worst_permutation?.flows ?? null,
            false,
        ],
        [
            'worst shift, flows on a link',
            before.audit.shifts?.largest ?? null,
            after.audit.shifts?.largest ?? null,
            false,
        ],
        [
            'bisection bandwidth (1,000 mappings)',
            before.bandwidth ?? null,
            after.bandwidth ?? null,
            true,
            Math.max(before.half_width ?? 0, after.half_width ?? 0),
        ],
    ].map(([what, old, now, rising, tolerance = 1e-9]) => {
        const known = old !== null && now !== null,
            step = known ? now - old : 0;
        const verdict = !known
            ? 'not known'
            : Math.abs(step) <= tolerance
              ? 'same'
              : step > 0 === rising
                ? 'better'
                : 'worse';
        return { what, old, now, verdict };
    });
}

export function showDiff(page, data) {
    const { report, before, after } = data,
        numbers = before && after ? comparedNumbers(before, after) : [];
    const worse = numbers.filter((row) => row.verdict === 'worse'),
        better = numbers.filter((row) => row.verdict === 'better');
    const [mood, sentence] = report.equal
        ? ['good', 'Nothing differs.']
        : worse.length > 0 && better.length > 0
          ? [
                '',
                `Better in ${better.map((row) => row.what).join(', ')}; worse in ${worse.map((row) => row.what).join(', ')}.`,
            ]
          : worse.length > 0
            ? ['fault', `Worse: ${worse.map((row) => row.what).join(', ')}.`]
            : better.length > 0
              ? ['good', `Better: ${better.map((row) => row.what).join(', ')}.`]
              : ['', 'Changed, but neither better nor worse.'];
    const cables = report.cables,
        tables = report.tables ?? [];
    page.append(
        element('h1', { class: mood }, sentence),
        element('p', { class: 'soft' }, `${report.files.old_network} and ${report.files.new_network}`),
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
                        { title: 'new', value: (row) => row.now },
                        { title: 'verdict', value: (row) => row.verdict },
                    ],
                    numbers,
                    { label: 'old and new' },
                ),
            ),
        );
    const { map, root } = mapOf(data, after?.audit.findings ?? [], after ? faultsOf(after.audit) : undefined);
    page.append(section('Map of the new fabric', root));
    for (const [title, rows, pick] of [
        ['Cables that are gone', cables.gone],
        ['New cables', cables.new],
        ['Cables with another rate', cables.other_rate],
        ['Nodes that are gone', report.nodes.gone],
        ['New nodes', report.nodes.new],
        ['Nodes with another name', report.nodes.renamed],
        ['Other LIDs', report.lids],
        ['Tables that differ', tables, true],
        ['Destinations with other routes', report.destinations, true],
        ['Links with more load', report.links?.more],
    ])
        if (Array.isArray(rows) && rows.length > 0)
            page.append(
                section(
                    `${title} (${numberText(rows.length)})`,
                    table(
                        Object.keys(rows[0])
                            .filter((key) => typeof rows[0][key] !== 'object' || rows[0][key] === null)
                            .map((key) => ({ title: key.replaceAll('_', ' '), value: (row) => row[key] })),
                        rows,
                        { label: title, pick: pick && map ? (row) => map.find(row.guid ?? row.name) : null },
                    ),
                ),
            );
}
