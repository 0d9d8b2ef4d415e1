// The page of numbers side by side: what adaptive routing (a bracket), several LIDs or queue pairs are worth to a study;
// and all choices of an audit.
import { element, endText, fabricLine, networkText, nextSteps, numberText, origin, section, shareText, threeNumbers, unitOf } from './elements.js';
import { ranges } from './chart.js';
import { table } from './table.js';

const metricsOfColumns = {
    hist_acc_band: 'bandwidth of a flow, part of a link',
    sum_max_cong: 'largest congestion of a flow, summed over the levels',
    dep_max_delay: 'longest chain of flows that wait for each other',
};

/** An axis of a metric, with its unit. @param columns [[name, column]] */
function axisOf(metric, study, columns) {
    if (metric === 'hist_acc_band') return unitOf(`${metric}, part of a link`, 1);
    const largest = Math.max(...columns.map(([, column]) => column[metric].max ?? 0));
    return unitOf(`${metric}, ${study.congestion_unit ? `in ${study.congestion_unit}` : 'flows a link'}`, largest);
}

const linkText = (link) => (link ? `${endText(link, 'from')} to ${endText(link, 'to')}` : '-');

/** The first sentence of a verdict is the headline. */
function firstSentence(mood, verdict) {
    const end = verdict.search(/\. [A-Z]/) + 1;
    return element(
        'h1',
        { class: mood },
        end > 0 ? verdict.slice(0, end) : verdict,
        end > 0 ? element('small', {}, verdict.slice(end).trim()) : null,
    );
}

/** @param data.columns [[name, what it is]] of those side by side @param data.shown names of the three on top */
export function showColumns(page, data) {
    const { report } = data,
        { study, network } = report,
        words = Object.fromEntries(data.columns),
        columns = data.columns
            .filter(([name]) => report.columns[name]?.mappings > 0)
            .map(([name]) => [name, report.columns[name]]);
    const bandwidth = (name) => report.columns[name]?.hist_acc_band.mean ?? null,
        lost = columns.reduce((most, [, column]) => Math.max(most, column.failed), 0);
    page.append(
        fabricLine(data.title, report),
        firstSentence(lost > 0 ? 'fault' : '', report.verdict),
        element(
            'p',
            { class: 'soft' },
            `${study.pattern} on ${numberText(study.ranks)} ranks of ${numberText(network.hosts)} hosts, ${numberText(study.mappings)} ${study.mapping} ${study.mappings === 1 ? 'mapping' : 'mappings'}${study.mapping === 'random' ? `, seed ${study.seed}` : ''}; ${networkText(network, report.files?.network ?? '')}${data.more}`,
        ),
        origin(report.files, [['', network]]),
        nextSteps(data.next),
        threeNumbers(data.shown.map((name) => [words[name], numberText(bandwidth(name)), 'mean bandwidth of a flow, part of a link'])),
    );
    page.append(
        section(
            'Side by side',
            table(
                [
                    { title: data.of, value: ([name]) => name },
                    { title: 'it is', value: ([name]) => words[name] },
                    ...Object.keys(metricsOfColumns).map((metric) => ({
                        title: metric,
                        value: ([, column]) => column[metric].mean,
                        text: ([, column]) => axisOf(metric, study, columns).text(column[metric].mean),
                    })),
                    { title: 'flows lost', value: ([, column]) => column.failed },
                    { title: 'mappings', value: ([, column]) => column.mappings },
                    { title: 'hottest link', value: ([, column]) => linkText(column.hottest_link) },
                ],
                columns,
                { label: 'divisions' },
            ),
        ),
    );
    if (report.columns.optimal?.mappings > 0) page.append(optimumOf(report, columns));
    for (const [metric, meaning] of Object.entries(metricsOfColumns)) {
        const rows = columns
            .filter(([, column]) => column[metric].mean !== null)
            .map(([name, column]) => ({ name, ...column[metric] }));
        if (rows.length === 0) continue;
        const axis = axisOf(metric, study, columns),
            scaled = rows.map((row) => ({
                name: row.name,
                ...Object.fromEntries(['min', 'median', 'mean', 'max'].map((key) => [key, row[key] / axis.size])),
            }));
        page.append(
            section(
                metric,
                element(
                    'p',
                    { class: 'soft' },
                    `${meaning}: the range over the mappings, a stroke at the median, a dot at the mean.`,
                ),
                ranges(scaled, { xTitle: axis.axis, label: `${metric} by ${data.of}` }),
            ),
        );
    }
}

/** Columns have different numbers of mappings: the optimum is compared over its own. */
function optimumOf(report, columns) {
    const axis = axisOf('sum_max_cong', report.study, columns);
    return section(
        'Beside the optimum',
        element(
            'p',
            {},
            `Largest congestion over the ${numberText(report.columns.optimal.mappings)} mappings that the optimum was found of. It is not below ${axis.text(report.columns.optimal.sum_max_cong_lower.mean)}, whatever divides.`,
        ),
        table(
            [
                { title: 'division', value: ([name]) => name },
                {
                    title: 'sum_max_cong',
                    value: ([name]) => report.largest_where_optimal[name] ?? null,
                    text: ([name]) => axis.text(report.largest_where_optimal[name]),
                },
            ],
            columns,
            { label: 'beside the optimum' },
        ),
    );
}

/** What an audit found over all choices of adaptive routing. */
export function choicesOf(found, terms) {
    const { pairs, groups, deadlock, equal_division: equal } = found;
    return section(
        'All choices',
        element('p', { class: 'soft' }, `Candidate sets: ${found.sets}.`),
        table(
            [
                { title: 'over all choices', value: ([what]) => what },
                { title: 'pairs', value: ([, count]) => count },
                { title: 'share', value: ([, count]) => count, text: ([, count]) => shareText(count, pairs.total) },
            ],
            [
                ['delivered by every choice', pairs.always_delivered],
                ['delivered by none', pairs.never_delivered],
                ['a choice leads nowhere', pairs.sometimes_unreachable],
                ['a choice leads into a loop', pairs.sometimes_loop],
                ['a choice leads to another host', pairs.sometimes_misdelivered],
            ],
            { label: 'fates over all choices' },
        ),
        element('p', { class: 'soft' }, 'Links behind the first switch:'),
        table(
            [
                { title: 'fewest links', value: (row) => row.shortest },
                { title: 'most links', value: (row) => row.longest },
                { title: 'pairs', value: (row) => row.pairs },
            ],
            found.lengths,
            { label: 'lengths over all choices' },
        ),
        element(
            'p',
            {},
            `Deadlock over all choices, on one lane: ${deadlock.free ? 'free' : `${numberText(deadlock.cycles.length)} groups of ports that can wait for each other in a circle`}. `,
            groups.with_group > 0
                ? `${numberText(groups.groups)} groups of ${numberText(groups.smallest)} to ${numberText(groups.largest)} ports; ${numberText(groups.with_group)} of ${numberText(groups.entries)} entries for hosts of other switches choose. `
                : `No group in use has a port: none of ${numberText(groups.entries)} entries for hosts of other switches chooses. `,
            groups.empty > 0
                ? `${numberText(groups.empty)} groups in use without a port: ${numberText(groups.with_empty_group)} entries send by the static port. `
                : '',
            equal.hottest
                ? `All pairs: ${numberText(equal.largest_load)} over the most loaded link between switches if switches divide equally, ${numberText(equal.largest_static_load)} ${terms.fixed}.`
                : '',
        ),
    );
}
