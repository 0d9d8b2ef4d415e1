// The page of several jobs on one fabric.
import { element, endText, fabricLine, networkText, nextSteps, numberText, section, shareText, threeNumbers } from './elements.js';
import { mapOf } from './audit.js';
import { table } from './table.js';

/** The job that the others slow down most, by its mean; null where no slowdown is defined. */
export function mostDisturbed(jobs) {
    const known = jobs.filter((job) => job.slowdown !== null);
    return known.reduce((most, job) => (most === null || job.slowdown.mean > most.slowdown.mean ? job : most), null);
}

function headline(jobs) {
    const most = mostDisturbed(jobs);
    if (most === null) return 'No slowdown is defined: no job loads a link alone.';
    const percent = Number((100 * (most.slowdown.mean - 1)).toPrecision(3));
    return percent === 0
        ? `None of ${numberText(jobs.length)} jobs slows another down.`
        : `${most.name} takes ${numberText(percent)} % longer beside the others, the most of ${numberText(jobs.length)} jobs.`;
}

/** A row a job, a column a job beside it; the darker, the slower. */
function disturbances(jobs) {
    const values = jobs.flatMap((job) => Object.values(job.slowdown_by)).filter((value) => value !== null),
        largest = Math.max(1, ...values);
    const cell = (job, other) => {
        if (job === other) return element('td', { class: 'soft' }, 'alone');
        const value = job.slowdown_by[other.name] ?? null,
            shade = value === null || largest === 1 ? 0 : Math.min(5, Math.ceil((5 * (value - 1)) / (largest - 1)));
        return element('td', { class: `shade${shade}` }, value === null ? '-' : numberText(value));
    };
    return element(
        'div',
        { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'slowdown of each job by each other' },
        element(
            'table',
            {},
            element(
                'thead',
                {},
                element(
                    'tr',
                    {},
                    element('th', { scope: 'col' }, 'slowdown of'),
                    ...jobs.map((job) => element('th', { scope: 'col' }, `by ${job.name}`)),
                ),
            ),
            element(
                'tbody',
                {},
                ...jobs.map((job) =>
                    element(
                        'tr',
                        {},
                        element('th', { scope: 'row' }, job.name),
                        ...jobs.map((other) => cell(job, other)),
                    ),
                ),
            ),
        ),
    );
}

function tableOfJobs(jobs, unit) {
    const of = (what, key) => (job) => job[what]?.[key] ?? null,
        quantile = (q) => (job) => job.slowdown?.quantiles[q] ?? null;
    return table(
        [
            { title: 'job', value: (job) => job.name },
            { title: 'traffic', value: (job) => job.traffic },
            { title: 'nodes', value: (job) => job.nodes },
            { title: 'ranks', value: (job) => job.ranks },
            { title: `alone, ${unit}`, value: of('alone', 'mean') },
            { title: `together, ${unit}`, value: of('together', 'mean') },
            { title: 'slowdown', value: of('slowdown', 'mean') },
            { title: 'median', value: quantile('0.5') },
            { title: '0.95', value: quantile('0.95') },
            { title: 'worst', value: of('slowdown', 'max') },
            { title: 'in mapping', value: of('slowdown', 'worst_mapping') },
        ],
        jobs,
        { label: 'jobs', sort: [6, true] },
    );
}

export function showJobs(page, data) {
    const { report } = data,
        { jobs, network, links } = report,
        most = mostDisturbed(jobs),
        delivered = jobs.reduce((sum, job) => sum + job.flows.delivered, 0),
        failed = jobs.reduce((sum, job) => sum + job.flows.failed, 0);
    page.append(
        fabricLine('Jobs', report),
        element('h1', { class: failed > 0 ? 'fault' : '' }, headline(jobs)),
        element(
            'p',
            { class: 'soft' },
            `${numberText(jobs.length)} jobs of ${numberText(jobs.reduce((sum, job) => sum + job.ranks, 0))} ranks on ${numberText(network.hosts)} hosts, ${numberText(report.mappings)} ${report.mappings === 1 ? 'mapping' : 'mappings'}, seed ${report.seed}; ${networkText(network, report.files.network ?? '')}`,
        ),
        nextSteps(data.next),
        threeNumbers([
            ['largest mean slowdown', numberText(most?.slowdown.mean), most?.name ?? ''],
            [
                'worst mapping',
                numberText(most?.slowdown.max),
                most ? `mapping ${numberText(most.slowdown.worst_mapping)}` : '',
            ],
            [
                'flows delivered',
                shareText(delivered, delivered + failed),
                `${numberText(report.shared_links)} links carry flows of several jobs`,
            ],
        ]),
        section('Jobs', tableOfJobs(jobs, report.unit)),
        section(
            'Who slows whom',
            element('p', { class: 'soft' }, 'Mean slowdown of the job of the row where the job of the column runs too.'),
            disturbances(jobs),
        ),
    );
    if (report.groups)
        page.append(
            section(
                'Shared links by group',
                element(
                    'p',
                    { class: 'soft' },
                    'Links that flows of several jobs use, by the group of the nodes that they leave.',
                ),
                table(
                    [
                        { title: 'group', value: (row) => row.name },
                        { title: 'links', value: (row) => row.shared_links },
                        { title: `sum of loads, ${report.unit}`, value: (row) => row.load },
                        { title: 'hottest', value: (row) => row.hottest?.load ?? null },
                        { title: 'from', value: (row) => (row.hottest ? endText(row.hottest, 'from') : '') },
                    ],
                    report.groups,
                    { label: 'groups', sort: [2, true] },
                ),
            ),
        );
    const { map, fabric, root } = mapOf(data, []);
    page.append(
        section(
            'Map',
            element('p', { class: 'soft' }, 'Coloured are the shared links of the table below, against the mean of their loads.'),
            root,
        ),
        section(
            'Links that jobs share',
            table(
                [
                    { title: 'from', value: (row) => endText(row, 'from') },
                    { title: 'to', value: (row) => endText(row, 'to') },
                    { title: `load, ${report.unit}`, value: (row) => row.load },
                    { title: 'mappings', value: (row) => row.mappings },
                    {
                        title: 'jobs',
                        value: (row) =>
                            Object.entries(row.jobs)
                                .map(([name, load]) => `${name} ${numberText(load)}`)
                                .join(', '),
                    },
                ],
                links,
                {
                    label: 'shared links',
                    sort: [2, true],
                    pick: map
                        ? (row) => map.showLink(fabric.links.find((link) => link.number === data.shared[links.indexOf(row)]))
                        : null,
                },
            ),
        ),
    );
}
