// The page of a sweep: series over its axes, and the table.
import { element, numberText, section, threeNumbers } from './elements.js';
import { lines } from './chart.js';
import { table } from './table.js';

/** Metrics of a point: of a bracket, those of every division. */
function metricsOf(point) {
    const report = point.report;
    if (!report?.columns) return report?.metrics ?? {};
    return Object.fromEntries(
        Object.entries(report.columns).flatMap(([division, column]) =>
            ['hist_acc_band', 'sum_max_cong', 'dep_max_delay'].map((metric) => [`${metric} ${division}`, column[metric]]),
        ),
    );
}

/** Some flow of a point is not delivered. */
function losesFlows({ report }) {
    if (report.columns) return Object.values(report.columns).some((column) => column.failed > 0);
    const { delivered, local, ...rest } = report.pairs;
    return Object.values(rest).some((count) => count > 0);
}

/** Numbers that charts can show: [name, of a report]. */
export function chartedNumbers(points) {
    const names = new Map();
    for (const point of points)
        for (const [metric, values] of Object.entries(metricsOf(point)))
            for (const key of ['mean', 'mean_all', 'bw', 'bw_all', 'min', 'max'])
                if (typeof values[key] === 'number') names.set(`${metric} ${key}`, [metric, key]);
    return names;
}

const inOrder = (words) => [...new Set(words)];
/** `2%` and `12` are numbers; what is none stays a word. */
const axisValue = (word) => (/^\d+(\.\d+)?%?$/.test(String(word)) ? parseFloat(word) : String(word ?? '-'));

export function showSweep(page, data) {
    const points = data.report.points,
        options = inOrder(points.flatMap((point) => Object.keys(point.options)));
    const varying = options.filter(
        (option) => inOrder(points.map((point) => String(point.options[option] ?? '-'))).length > 1,
    );
    const numbers = chartedNumbers(points),
        done = points.filter((point) => point.report);
    page.append(
        element(
            'h1',
            {},
            `${numberText(points.length)} points over ${varying.length > 0 ? varying.join(', ') : 'nothing that varies'}.`,
        ),
        threeNumbers([
            ['points done', numberText(done.length), `of ${numberText(points.length)}`],
            ['could not be run', numberText(points.filter((point) => point.reason).length), 'the table says why'],
            [
                'with flows not delivered',
                numberText(done.filter(losesFlows).length),
                'means cover delivered flows; mean_all all of them',
            ],
        ]),
    );
    const chart = element('div', { class: 'facets' });
    const chooser = (label, choices, chosen) => {
        const select = element(
            'select',
            { 'aria-label': label, onchange: () => draw() },
            ...choices.map((choice) => element('option', { value: choice }, choice || 'none')),
        );
        select.value = chosen;
        return select;
    };
    const numeric = varying.find((option) =>
        points.every((point) => typeof axisValue(point.options[option]) === 'number'),
    );
    const axis = numeric ?? varying[varying.length - 1] ?? '',
        rest = varying.filter((option) => option !== axis);
    const names = [...numbers.keys()],
        best =
            names.find((name) => name === 'hist_acc_band mean_all') ??
            names.find((name) => /^(hist_acc_band( equal)?|job_slowdown) mean$/.test(name)) ??
            names[0] ??
            '';
    const lossy = done.some(losesFlows),
        warning = element('p', { class: 'note' });
    const selects = {
        number: chooser('number', names, best),
        axis: chooser('axis', varying, axis),
        series: chooser('series', ['', ...varying], rest[rest.length - 1] ?? ''),
        facet: chooser('facet', ['', ...varying], rest.length > 1 ? rest[0] : ''),
    };
    const draw = () => {
        const [metric, key] = numbers.get(selects.number.value) ?? [],
            by = selects.axis.value,
            of = selects.series.value,
            facet = selects.facet.value;
        const value = (point) => metricsOf(point)[metric]?.[key] ?? null,
            top = d3.max(points, value) ?? 1;
        warning.textContent =
            lossy && (key === 'mean' || key === 'bw') && !/^job/.test(metric)
                ? `Some points lose flows. ${metric} ${key} covers the delivered flows alone, and may rise as flows are lost${
                      numbers.has(`${metric} ${key}_all`) ? `; ${metric} ${key}_all covers all of them` : ''
                  }.`
                : '';
        chart.replaceChildren(
            ...inOrder(points.map((point) => (facet ? String(point.options[facet] ?? '-') : ''))).map((group) => {
                const here = points.filter((point) => !facet || String(point.options[facet] ?? '-') === group);
                const others = varying.filter((option) => ![by, facet].includes(option) && option !== of);
                const name = (point) =>
                    [of, ...others]
                        .filter((option) => option && point.options[option] !== undefined)
                        .map((option) => String(point.options[option]))
                        .join(', ');
                const series = inOrder(here.map(name)).map((one) => ({
                    name: one || selects.number.value,
                    points: here
                        .filter((point) => name(point) === one)
                        .map((point) => ({ x: axisValue(point.options[by]), y: value(point) })),
                }));
                return element(
                    'div',
                    {},
                    element('h3', {}, group),
                    lines(series, {
                        xTitle: by,
                        yTitle: selects.number.value,
                        label: `${selects.number.value} over ${by}${group ? ` for ${group}` : ''}`,
                        yDomain: [0, top],
                    }),
                );
            }),
        );
    };
    page.append(
        section(
            'Chart',
            element(
                'div',
                { class: 'tools' },
                'show ',
                selects.number,
                ' over ',
                selects.axis,
                ' a line for each ',
                selects.series,
                ' a picture for each ',
                selects.facet,
            ),
            warning,
            chart,
        ),
    );
    draw();
    page.append(
        section(
            'Table',
            table(
                [
                    ...options.map((option) => ({
                        title: option,
                        value: (point) => axisValue(point.options[option]),
                        text: (point) => String(point.options[option] ?? '-'),
                    })),
                    ...names.map((name) => ({
                        title: name,
                        value: (point) => {
                            const [metric, key] = numbers.get(name);
                            return metricsOf(point)[metric]?.[key] ?? null;
                        },
                    })),
                    { title: 'reason', value: (point) => point.reason ?? '', text: (point) => point.reason ?? '' },
                ],
                points,
                { label: 'points' },
            ),
        ),
    );
}
