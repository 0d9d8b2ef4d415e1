// The page of an evaluation.
import { commandText, element, endText, fabricLine, networkText, nextSteps, numberText, section, shareText, threeNumbers, unitOf } from './elements.js';
import { mapOf } from './audit.js';
import { histogram } from './chart.js';
import { table } from './table.js';

/** Links with their loads: with the fabric there are only numbers, link by link. */
function linksOf(found, fabric) {
    if (!found || !fabric) return found;
    return fabric.links.map((link, number) => ({
        number,
        from: fabric.name(link.from),
        from_port: link.fromPortName,
        to: fabric.name(link.to),
        to_port: link.toPortName,
        sum: link.load,
        scaled: found.scaled[number],
    }));
}

/** A metric's histogram as bins; finer where there is a finer one. */
export function binsOf(metric) {
    const list = metric.histogram_fine ?? metric.histogram ?? [];
    const count = (bin) => bin.mappings ?? bin.flows,
        bins = list.map((bin) =>
            bin.low !== undefined && bin.high !== undefined
                ? { low: bin.low, high: bin.high, count: count(bin) }
                : {
                      low: bin.value ?? bin.congestion ?? bin.links,
                      high: bin.value ?? bin.congestion ?? bin.links,
                      count: count(bin),
                  },
        );
    return bins.filter((bin) => typeof bin.low === 'number' && typeof bin.high === 'number');
}

/** The flows of all mappings by their completion time. */
function flowsByTime(metric) {
    return (metric.flows ?? [])
        .filter((bin) => typeof bin.time === 'number' && typeof bin.end === 'number')
        .map((bin) => ({ low: bin.time, high: bin.end, count: bin.flows }));
}

/** Single values of which there are many, often one of each, as bins of equal width. */
function fewBins(bins) {
    const most = 60,
        count = 40;
    if (bins.length <= most || bins.some((bin) => bin.high > bin.low)) return bins;
    const least = bins[0].low,
        width = (bins[bins.length - 1].high - least) / count;
    const made = Array.from({ length: count }, (_, b) => ({
        low: least + b * width,
        high: least + (b + 1) * width,
        count: 0,
    }));
    for (const bin of bins) made[Math.min(count - 1, Math.floor((bin.low - least) / width))].count += bin.count;
    return made;
}

/** A histogram in a unit that fits its numbers. */
function drawn(listed, axis, yTitle, quantiles, label) {
    const bins = fewBins(listed),
        unit = unitOf(axis, bins[bins.length - 1].high),
        scaled = (value) => (typeof value === 'number' ? value / unit.size : value);
    return histogram(
        bins.map((bin) => ({ low: scaled(bin.low), high: scaled(bin.high), count: bin.count })),
        {
            xTitle: unit.axis,
            yTitle,
            quantiles: Object.fromEntries(Object.entries(quantiles).map(([q, value]) => [q, scaled(value)])),
            label,
        },
    );
}

/** What a collective operation reaches, in the words of the text report. */
function bandwidthOf(rates) {
    return section(
        'Bandwidth',
        ...rates.facts.map(([name, text]) => element('p', {}, `${name === 'cables' ? 'The cables' : name} ${text.replace(/ {2,}/g, ', ')}.`)),
    );
}

export function showEvaluation(page, data) {
    const { report } = data,
        { study, network, pairs } = report,
        entries = Object.entries(report.metrics);
    const numbers = entries.filter(([, metric]) => metric.mean !== undefined),
        [name, first] = numbers.find(([key]) => key === 'hist_acc_band') ?? numbers[0] ?? [null, null];
    const flows = pairs.delivered + pairs.unreachable + pairs.loop + pairs.misdelivered,
        unit = unitOf(data.axes?.[name], first?.max),
        rates = name === 'makespan' ? data.rates : null;
    page.append(
        fabricLine('Evaluation', report),
        element(
            'h1',
            { class: pairs.delivered === 0 ? 'fault' : '' },
            pairs.delivered === 0
                ? 'No flow was delivered.'
                : name === 'hist_acc_band'
                  ? `A flow of ${study.pattern} keeps ${Number((100 * first.mean).toPrecision(3))} % of a link's bandwidth on average${flows > pairs.delivered && first.mean_all !== undefined ? ` where it is delivered, of all flows ${Number((100 * first.mean_all).toPrecision(3))} %` : ''}.`
                  : rates
                    ? `${study.pattern} takes ${unit.text(first.mean)}${study.mappings === 1 ? '' : ' on average'}.`
                    : first
                      ? `${name} of ${study.pattern}: ${unit.text(first.mean)} on average.`
                      : `${study.pattern} on ${numberText(study.ranks)} ranks.`,
        ),
        element(
            'p',
            { class: 'soft' },
            `${numberText(study.ranks)} ranks on ${numberText(network.hosts)} hosts, ${numberText(study.mappings)} ${study.mapping} ${study.mappings === 1 ? 'mapping' : 'mappings'}${study.mapping === 'random' ? `, seed ${study.seed}` : ''}; ${networkText(network, data.report.files.network ?? '')}`,
        ),
        nextSteps(data.next),
        threeNumbers([
            [
                'mean',
                unit.text(first?.mean),
                first?.ci99?.[0] === null || !first
                    ? 'of one mapping'
                    : `99 % sure: ${unit.text(first.ci99[0])} to ${unit.text(first.ci99[1])}`,
            ],
            rates
                ? ['busbw', rates.busbw, 'as nccl-tests define it']
                : [
                      'worst mapping',
                      unit.text(name === 'hist_acc_band' ? first?.min : first?.max),
                      first && first.worst_mapping !== null ? `mapping ${numberText(first.worst_mapping)}` : '',
                  ],
            rates?.share
                ? ['of the cables', rates.share, 'of what they allow by any routes and in any order']
                : [
                      'flows delivered',
                      shareText(pairs.delivered, flows),
                      `${numberText(pairs.delivered)} of ${numberText(flows)}`,
                  ],
        ]),
    );
    if (rates) page.append(bandwidthOf(rates));
    for (const [key, metric] of entries) {
        const bins = binsOf(metric),
            flowBins = flowsByTime(metric),
            single =
                metric.mean !== undefined &&
                (study.mappings === 1 || (metric.min === metric.max && metric.undefined === 0));
        if (bins.length === 0) continue;
        const told = unitOf(data.axes[key], bins[bins.length - 1].high);
        const inUnit = /, in \w+$/.exec(data.axes[key])?.[0] ?? '',
            ofFlows =
                flowBins.length > 1
                    ? drawn(flowBins, `completion time of a flow${inUnit}`, 'flows', {}, `flows by ${key}`)
                    : null;
        if (single) {
            page.append(
                section(
                    key,
                    element(
                        'p',
                        {},
                        `${data.axes[key].replace(inUnit, '')}: ${told.text(metric.mean)}`,
                        study.mappings === 1 ? '.' : `, in all ${numberText(study.mappings)} mappings.`,
                    ),
                    ofFlows,
                ),
            );
            continue;
        }
        const reading = [
            drawn(
                bins,
                data.axes[key],
                metric.mean === undefined ? 'flows' : 'mappings',
                metric.quantiles ?? {},
                `histogram of ${key}`,
            ),
        ];
        if (metric.quantiles)
            reading.push(
                table(
                    [
                        { title: 'quantile', value: ([q]) => Number(q) },
                        { title: key, value: ([, value]) => value, text: ([, value]) => told.text(value) },
                    ],
                    Object.entries(metric.quantiles),
                    { label: `quantiles of ${key}` },
                ),
            );
        const parts = [element('div', { class: 'reading' }, ...reading), ofFlows];
        if (data.again && Number.isInteger(metric.worst_mapping) && study.mapping === 'random')
            parts.push(
                element(
                    'p',
                    {},
                    'The worst mapping again: ',
                    commandText(`${data.again} --first-mapping ${metric.worst_mapping} --mappings 1`),
                ),
            );
        page.append(section(key, ...parts));
    }
    const { map, fabric, root } = mapOf(data, []);
    page.append(
        section(
            'Map',
            root,
        ),
    );
    const links = linksOf(report.metrics.get_cable_cong?.links, fabric);
    if (links)
        page.append(
            section(
                'Links',
                table(
                    [
                        { title: 'from', value: (row) => endText(row, 'from') },
                        { title: 'to', value: (row) => endText(row, 'to') },
                        { title: `sum over all mappings${report.study.congestion_unit ? ', bytes' : ''}`, value: (row) => row.sum },
                        ...(fabric ? [{ title: 'x mean', value: (row) => fabric.ratio(fabric.links[row.number]) }] : []),
                        { title: 'of the largest', value: (row) => row.scaled },
                    ],
                    links,
                    {
                        label: 'links',
                        sort: [2, true],
                        pick: map ? (row) => map.showLink(fabric.links[row.number]) : null,
                    },
                ),
            ),
        );
    const groups = report.metrics.get_cable_cong?.groups;
    if (groups)
        page.append(
            section(
                'Links that leave the nodes of a group',
                table(
                    [
                        { title: 'group', value: (row) => row.group },
                        { title: 'links', value: (row) => row.links },
                        { title: 'mean load', value: (row) => row.load.mean },
                        { title: 'largest load', value: (row) => row.load.max },
                        { title: 'utilisation', value: (row) => row.utilisation },
                    ],
                    groups,
                    { label: 'groups', sort: [3, true] },
                ),
            ),
        );
    if (report.undeliverable?.first?.length > 0)
        page.append(
            section(
                'Pairs that are not delivered',
                table(
                    [
                        { title: 'from', value: (row) => row.source },
                        { title: 'to', value: (row) => row.destination },
                        { title: 'fate', value: (row) => row.fate },
                        { title: 'why', value: (row) => row.why },
                    ],
                    report.undeliverable.first,
                    { label: 'pairs not delivered' },
                ),
            ),
        );
}
