// The page of an audit.
import { choicesOf } from './bracket.js';
import { element, endText, fabricLine, nextSteps, numberText, origin, section, shareText, sizeLine, threeNumbers, verdictOnTop } from './elements.js';
import { Fabric } from './fabric.js';
import { heatMap } from './heat.js';
import { FabricMap } from './map.js';
import { table } from './table.js';

/** Lists of what crosses links, for the map's panel. */
export function describeLinks(fabric, links) {
    return links.slice(0, 12).flatMap((link) => {
        const ratio = fabric.ratio(link),
            over = fabric.pairsOver(link);
        const pairs = over.reduce((sum, one) => sum + one.sources.length, 0),
            list = element('ul');
        const more = element(
            'button',
            {
                type: 'button',
                onclick: () => {
                    more.remove();
                    list.append(
                        ...over
                            .slice(0, 300)
                            .map(({ destination, sources }) =>
                                element(
                                    'li',
                                    {},
                                    `to ${fabric.hostName(destination)}: ${sources.length === 1 ? fabric.hostName(sources[0]) : `${numberText(sources.length)} sources`}`,
                                ),
                            ),
                    );
                },
            },
            'list them',
        );
        return [
            element(
                'h3',
                {},
                `${fabric.name(link.from)} [${link.fromPortName}] to ${fabric.name(link.to)} [${link.toPortName}]`,
            ),
            link.load === null
                ? ''
                : element(
                      'p',
                      {},
                      `load ${numberText(link.load)}${ratio === null ? '' : `, ${numberText(ratio)} x ${fabric.measure.whole}`}`,
                  ),
            ...(over.length > 0
                ? [
                      element(
                          'p',
                          {},
                          `${numberText(pairs)} pairs to ${numberText(over.length)} destinations `,
                          more,
                      ),
                      list,
                  ]
                : []),
        ];
    });
}

/** The map of a fabric, or why there is none. */
export function mapOf(data, findings, counts = () => true) {
    if (!data.fabric)
        return { map: null, root: element('p', { class: 'soft' }, data.no_map ?? 'The report has no map.') };
    const fabric = new Fabric(data.fabric, data.kind),
        faulty = new Set();
    const byName = new Map();
    fabric.names.forEach((name, node) => byName.set(fabric.guids[node] ?? name, node));
    for (const finding of findings.filter(counts)) {
        const node = byName.get(finding.guid ?? finding.node);
        if (node !== undefined) faulty.add(node);
    }
    const map = new FabricMap(fabric, faulty, {
        links: (links) => describeLinks(fabric, links),
        switches: (nodes) =>
            nodes
                .slice(0, 40)
                .flatMap((node) => [
                    element('h3', {}, fabric.name(node)),
                    element(
                        'p',
                        { class: 'soft' },
                        `${fabric.guids[node] ?? ''} level ${fabric.levels[node]}, ${numberText(fabric.hosts.filter((host) => fabric.uplink(host)?.to === node).length)} hosts`,
                    ),
                    ...findings
                        .filter(
                            (finding) => (finding.guid ?? finding.node) === (fabric.guids[node] ?? fabric.name(node)),
                        )
                        .map((finding) => element('p', counts(finding) ? { class: 'fault' } : {}, finding.message)),
                    element(
                        'ul',
                        {},
                        ...fabric.links
                            .filter((link) => link.from === node)
                            .map((link) =>
                                element(
                                    'li',
                                    {},
                                    `[${link.fromPortName}] ${fabric.name(link.to)}${link.load === null ? '' : `: load ${numberText(link.load)}`}`,
                                ),
                            ),
                    ),
                ]),
    });
    return { map, fabric, root: map.root };
}

/** Which findings count as faults. */
export function faultsOf(report) {
    return (finding) =>
        (report.verdict.fail_on.includes(finding.kind) || report.verdict.fail_on.includes(finding.code)) &&
        !(finding.kind === 'deadlock' && report.verdict.undecided);
}

function numbersOnTop(report) {
    const { pairs, balance, worst_permutation: worst, shifts } = report;
    const stages = balance?.stages ?? [],
        uneven = stages
            .filter((stage) => stage.from_level > 0 && stage.to_level > 0 && stage.ideal > 0)
            .reduce((most, one) => (most && most.largest / most.ideal >= one.largest / one.ideal ? most : one), null);
    const divided = worst?.divided;
    const third = divided
        ? [
              'worst permutation',
              numberText(divided.how === 'exact' ? divided.flows : divided.at_least),
              `flows on one link where switches divide equally${divided.how === 'exact' ? '' : ', at least'}`,
          ]
        : worst
          ? [
                'worst permutation',
                numberText(worst.flows),
                `flows on one link${worst.how === 'exact' ? '' : ', at most'}`,
            ]
          : shifts
            ? ['worst shift', numberText(shifts.largest), 'flows on one link']
            : ['longest routes', numberText(Math.max(...Object.keys(report.hops ?? { 0: 0 }).map(Number))), 'links'];
    return threeNumbers([
        [
            'pairs delivered',
            shareText(pairs.delivered, pairs.total),
            `${numberText(pairs.delivered)} of ${numberText(pairs.total)}`,
        ],
        [
            'hottest link between switches',
            `${numberText(uneven ? uneven.largest / uneven.ideal : 0)} x`,
            `the ideal of its stage; ${numberText(uneven?.largest ?? 0)} pairs`,
        ],
        third,
    ]);
}

/** The verdict of the text report, and how it looks. */
export function headlineOf(report) {
    const { result, sentence } = report.verdict;
    return [result === 'sound' ? 'good' : ['unbalanced', 'undecided'].includes(result) ? '' : 'fault', sentence];
}

/** The first finding that counts as a fault, where there is one. */
function firstFault(report) {
    const counts = faultsOf(report),
        first = (report.findings ?? []).find((one) => counts(one) || (one.symptoms ?? []).some(counts));
    return first ? element('p', {}, `The first: ${first.where}: ${first.message}`) : '';
}

/** A table of which unused cables, often thousands, are ten until somebody asks for all. */
function ofFindings(columns, findings, options) {
    const few = 10,
        unused = findings.filter((one) => one.kind === 'unused').length;
    if (unused <= few) return table(columns, findings, options);
    let met = 0;
    const place = element('div'),
        shown = findings.filter((one) => one.kind !== 'unused' || ++met <= few);
    const more = element(
        'p',
        {},
        `${numberText(unused)} are of the kind unused, of which ten are shown. `,
        element(
            'button',
            { type: 'button', onclick: () => (more.remove(), place.replaceChildren(table(columns, findings, options))) },
            'Show all',
        ),
    );
    place.append(table(columns, shown, options));
    return element('div', {}, more, place);
}

function bisectionOf({ expected, missing, most, half_width: width, mappings, hash }) {
    if (hash)
        return `Effective bisection bandwidth: ${expected.toFixed(3)} ± ${width.toFixed(3)} where switches divide flows equally, ${hash.expected.toFixed(3)} ± ${hash.half_width.toFixed(3)} where a hash picks one port for every flow (${numberText(mappings)} mappings).`;
    const limit = most === null ? '' : `; no tables can give more than ${most.toFixed(3)} here`;
    return `Effective bisection bandwidth: ${expected === null ? `not known by formula (${missing})` : `${expected.toFixed(3)} by formula`}${limit}.`;
}

const freeText = (free) => (free === null ? null : free ? 'free' : 'possible');

/** What other routings would give this network: a section, or nothing. */
function triedRoutings(routings) {
    if (!routings) return [];
    const columns = [
        { title: 'routing', value: (row) => row.routing },
        { title: 'bandwidth', value: (row) => row.bandwidth },
        { title: 'largest load', value: (row) => row.largest_load },
        { title: 'collisions a permutation', value: (row) => row.collisions_per_permutation },
        { title: 'pairs not delivered', value: (row) => row.pairs_not_delivered },
        { title: 'deadlock on one lane', value: (row) => freeText(row.deadlock_free) },
        { title: 'why not', value: (row) => row.refused },
    ];
    return [section('Other routings', table(columns, routings, { label: 'other routings' }))];
}

/** What the numbers of returned cables are means over. */
const meansOver = ({ mean_over: over, draws, routing }) =>
    over === 'starts'
        ? 'Numbers are means of tables made from four starts.'
        : over === 'bisections'
          ? `Bandwidth is the mean of ${numberText(draws)} random bisections.`
          : `Numbers are means over ${draws ? `${numberText(draws)} ` : ''}orders of ports and hosts, by which ${routing} breaks ties.`;

/** What missing cables would bring, with routes made anew: tables, or next hops that flows divide over. */
function returnedCables(returned) {
    if (!returned) return [];
    const { routing, as_it_is: now, error, cables } = returned,
        end = (one) => `${one.node} [${one.port_name ?? one.port}]`,
        isLost = [now, ...cables].some((row) => row.pairs_not_delivered > 0),
        made = routing === null ? 'tables made anew' : `next hops made anew (${routing}; flows divide equally)`;
    const columns = [
        { title: 'from', value: (row) => end(row.from) },
        { title: 'to', value: (row) => end(row.to) },
        { title: 'bandwidth', value: (row) => row.bandwidth },
        { title: 'gain', value: (row) => row.gain },
        { title: 'stands out', value: (row) => (row.stands_out ? 'yes' : 'no') },
        { title: 'largest load', value: (row) => row.largest_load },
        { title: routing === null ? 'no tables below' : 'bound', value: (row) => row.bound },
        ...(isLost ? [{ title: 'pairs not delivered', value: (row) => row.pairs_not_delivered }] : []),
    ];
    return [
        section(
            'Missing cables',
            element(
                'p',
                {},
                `As it is, ${made} have bandwidth ${numberText(now.bandwidth)}, ${numberText(now.largest_load)} pairs at most on a link${isLost ? `, and ${numberText(now.pairs_not_delivered)} that are not delivered` : ''}. A gain below ${numberText(error)} is within the error. ${meansOver(returned)}`,
            ),
            table(columns, cables, { label: 'missing cables' }),
        ),
    ];
}

export function showAudit(page, data) {
    const { report } = data,
        [mood, sentence] = headlineOf(report);
    const findings = report.findings ?? [];
    const { map, fabric, root } = mapOf(data, findings, faultsOf(report));
    page.append(
        fabricLine('Audit', report),
        verdictOnTop(mood, sentence),
        firstFault(report),
        nextSteps(report.next),
        sizeLine(report.network),
        origin(report.files, [['', report.network]]),
        numbersOnTop(report),
        section('Map', root),
    );
    const pickLink = (row) => map && map.showLink(fabric.links[row.number]);
    page.append(
        section(
            `Findings (${numberText(findings.length)})`,
            findings.length === 0
                ? element('p', {}, 'None.')
                : ofFindings(
                      [
                          { title: 'kind', value: (row) => row.kind },
                          { title: 'code', value: (row) => row.code },
                          { title: 'where', value: (row) => row.where },
                          { title: 'pairs', value: (row) => row.pairs },
                          { title: 'what', value: (row) => row.message },
                      ],
                      findings,
                      { label: 'findings', pick: map ? (row) => map.find(row.guid ?? row.node ?? '') : null },
                  ),
        ),
    );
    if (report.choices) page.append(choicesOf(report.choices, data.terms));
    if (report.bound || report.bisection)
        page.append(
            section(
                'What no tables can beat',
                report.bound ? element('p', {}, report.bound.words.join(' ')) : '',
                report.bisection ? element('p', {}, bisectionOf(report.bisection)) : '',
            ),
        );
    page.append(...triedRoutings(report.routings), ...returnedCables(report.returned_cables));
    if (report.balance?.stages)
        page.append(
            section(
                'Stages',
                table(
                    [
                        { title: 'stage', value: (row) => `level ${row.from_level} to ${row.to_level}` },
                        { title: 'links', value: (row) => row.links },
                        { title: 'unused', value: (row) => row.unused },
                        { title: 'least', value: (row) => row.least },
                        { title: 'largest', value: (row) => row.largest },
                        { title: 'ideal', value: (row) => row.ideal },
                        { title: 'x ideal', value: (row) => row.x_ideal },
                    ],
                    report.balance.stages,
                    { label: 'stages' },
                ),
            ),
        );
    if (report.groups?.length > 0)
        page.append(
            section(
                'Groups of nodes',
                table(
                    [
                        { title: 'group', value: (row) => row.name },
                        { title: 'hosts', value: (row) => row.hosts },
                        { title: 'switches', value: (row) => row.switches },
                        { title: 'faults', value: (row) => row.faults },
                        { title: 'pairs to other groups', value: (row) => row.load_out },
                        { title: 'largest load x ideal', value: (row) => row.largest_x_ideal },
                        { title: 'pairs over one cable', value: (row) => row.critical_pairs },
                    ],
                    report.groups,
                    { label: 'groups', sort: [5, true] },
                ),
            ),
        );
    const numbers = report.links ?? {};
    const rows = Array.isArray(numbers)
        ? numbers
        : fabric.links.map((link) => ({
              number: link.number,
              from: fabric.name(link.from),
              from_port: link.fromPortName,
              to: fabric.name(link.to),
              to_port: link.toPortName,
              efi: link.load,
              destinations: numbers.destinations[link.number],
              worst_permutation: numbers.worst_permutation[link.number],
          }));
    page.append(
        heatMap(fabric, map),
        section(
            'Links',
            table(
                [
                    { title: 'from', value: (row) => endText(row, 'from') },
                    { title: 'to', value: (row) => endText(row, 'to') },
                    { title: 'pairs', value: (row) => row.efi },
                    ...(fabric ? [{ title: 'x ideal', value: (row) => fabric.ratio(fabric.links[row.number]) }] : []),
                    { title: 'destinations', value: (row) => row.destinations },
                    {
                        title: report.worst_permutation?.divided
                            ? `worst permutation ${data.terms.fixed}`
                            : 'worst permutation',
                        value: (row) => row.worst_permutation,
                    },
                ],
                rows,
                { label: 'links', sort: [2, true], pick: map ? pickLink : null },
            ),
        ),
    );
    if (report.cables)
        page.append(
            section(
                'Cables by the pairs that depend on them',
                table(
                    Object.keys(report.cables[0] ?? {})
                        .filter((key) => key !== 'number' && !key.endsWith('_guid'))
                        .map((key) => ({ title: key.replaceAll('_', ' '), value: (row) => row[key] })),
                    report.cables,
                    {
                        label: 'cables',
                        pick: map
                            ? (row) => {
                                  const link = fabric.linkFrom(row.from_guid ?? row.from, row.from_port);
                                  if (link) map.showLink(link);
                              }
                            : null,
                    },
                ),
            ),
        );
}
