// Histograms and series, to be read off.
import { element, numberText } from './elements.js';

const width = 640,
    height = 260,
    edge = { left: 62, right: 16, top: 26, bottom: 40 };

/** Of lines: whole, dashed, dotted, and both by turns. */
const dashPatterns = [null, '8 4', '2 3', '9 3 2 3', '14 4', '5 2 1 2 1 2'];

function frame(label) {
    return d3
        .create('svg')
        .attr('viewBox', `0 0 ${width} ${height}`)
        .attr('role', 'img')
        .attr('aria-label', label)
        .attr('width', '100%');
}
function axes(svg, x, y, xTitle, yTitle, xTicks = 8) {
    svg.append('g')
        .attr('class', 'grid')
        .attr('transform', `translate(${edge.left},0)`)
        .call(
            d3
                .axisLeft(y)
                .ticks(5)
                .tickSize(-(width - edge.left - edge.right))
                .tickFormat(''),
        );
    svg.append('g')
        .attr('transform', `translate(0,${height - edge.bottom})`)
        .call(d3.axisBottom(x).ticks(xTicks));
    svg.append('g').attr('transform', `translate(${edge.left},0)`).call(d3.axisLeft(y).ticks(5, '~s'));
    svg.append('text')
        .attr('x', width / 2)
        .attr('y', height - 4)
        .attr('text-anchor', 'middle')
        .text(xTitle);
    svg.append('text').attr('x', 6).attr('y', 11).text(yTitle);
}

/**
 * @param bins [{low, high, count}], ascending; single values have low === high
 * @param quantiles {'0.05': number, ..}
 */
export function histogram(bins, { xTitle, yTitle, quantiles = {}, label }) {
    const tip = element('p', { class: 'soft tip', 'aria-live': 'polite' }, 'Point at a bar, or use the arrow keys.');
    if (bins.length === 0) return element('p', { class: 'soft' }, 'Nothing to draw.');
    const least = bins[0].low,
        most = bins[bins.length - 1].high;
    const gap = Math.min(
        ...bins
            .slice(1)
            .map((bin, b) => bin.low - bins[b].low)
            .filter((step) => step > 0),
        most - least || Math.abs(least) / 10 || 1,
    );
    const wide = (bin) => (bin.high > bin.low ? [bin.low, bin.high] : [bin.low - 0.4 * gap, bin.high + 0.4 * gap]);
    const x = d3
        .scaleLinear()
        .domain([wide(bins[0])[0], wide(bins[bins.length - 1])[1]])
        .range([edge.left, width - edge.right]);
    const y = d3
        .scaleLinear()
        .domain([0, d3.max(bins, (bin) => bin.count)])
        .nice()
        .range([height - edge.bottom, edge.top]);
    const all = d3.sum(bins, (bin) => bin.count),
        svg = frame(label);
    axes(svg, x, y, xTitle, yTitle);
    const tell = (bin) => {
        const upTo = d3.sum(
            bins.filter((one) => one.low <= bin.low),
            (one) => one.count,
        );
        tip.textContent = `${bin.high > bin.low ? `${numberText(bin.low)} to ${numberText(bin.high)}` : numberText(bin.low)}: ${numberText(bin.count)} ${yTitle}; ${Number(((100 * upTo) / all).toPrecision(4))} % are here or below`;
    };
    svg.append('g')
        .selectAll('rect')
        .data(bins)
        .join('rect')
        .attr('class', 'bar')
        .attr('x', (bin) => x(wide(bin)[0]))
        .attr('width', (bin) => Math.max(1, x(wide(bin)[1]) - x(wide(bin)[0]) - 0.5))
        .attr('y', (bin) => y(bin.count))
        .attr('height', (bin) => y(0) - y(bin.count))
        .on('mousemove', (one, two) => tell(two?.count === undefined ? one : two));
    const marks = Object.entries(quantiles).filter(([, value]) => value !== null);
    svg.append('g')
        .selectAll('line')
        .data(marks)
        .join('line')
        .attr('class', 'quantile')
        .attr('x1', ([, value]) => x(value))
        .attr('x2', ([, value]) => x(value))
        .attr('y1', edge.top)
        .attr('y2', height - edge.bottom)
        .append('title')
        .text(([q, value]) => `${100 * q} % are ${numberText(value)} or below`);
    let chosen = -1;
    svg.attr('tabindex', 0)
        .node()
        .addEventListener('keydown', (event) => {
            if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
            chosen = Math.max(0, Math.min(bins.length - 1, chosen + (event.key === 'ArrowRight' ? 1 : -1)));
            tell(bins[chosen]);
            event.preventDefault();
        });
    return element('figure', {}, svg.node(), tip);
}

/**
 * A line a row: a bar from the least to the largest number, a stroke at the median, a dot at the mean.
 * @param rows [{name, min, median, mean, max}], none of them null
 */
export function ranges(rows, { xTitle, label }) {
    const rowHeight = 34,
        bottom = edge.top + rowHeight * rows.length;
    const x = d3
        .scaleLinear()
        .domain([0, d3.max(rows, (row) => row.max) || 1])
        .nice()
        .range([edge.left, width - edge.right]);
    const at = (row) => edge.top + rowHeight * (rows.indexOf(row) + 0.5),
        svg = frame(label).attr('viewBox', `0 0 ${width} ${bottom + edge.bottom}`);
    svg.append('g').attr('transform', `translate(0,${bottom})`).call(d3.axisBottom(x).ticks(8));
    svg.append('text')
        .attr('x', width / 2)
        .attr('y', bottom + edge.bottom - 4)
        .attr('text-anchor', 'middle')
        .text(xTitle);
    const row = svg.selectAll('g.row').data(rows).join('g').attr('class', 'row');
    row.append('text')
        .attr('x', edge.left - 8)
        .attr('y', (one) => at(one) + 4)
        .attr('text-anchor', 'end')
        .text((one) => one.name);
    row.append('rect')
        .attr('class', 'bar')
        .attr('x', (one) => x(one.min))
        .attr('y', (one) => at(one) - 5)
        .attr('width', (one) => Math.max(2, x(one.max) - x(one.min)))
        .attr('height', 10);
    row.append('line')
        .attr('class', 'axis')
        .attr('stroke', 'currentColor')
        .attr('x1', (one) => x(one.median))
        .attr('x2', (one) => x(one.median))
        .attr('y1', (one) => at(one) - 10)
        .attr('y2', (one) => at(one) + 10);
    row.append('circle')
        .attr('cx', (one) => x(one.mean))
        .attr('cy', at)
        .attr('r', 5)
        .attr('fill', 'currentColor');
    row.append('title').text(
        (one) =>
            `${one.name}: ${numberText(one.min)} to ${numberText(one.max)}, median ${numberText(one.median)}, mean ${numberText(one.mean)}`,
    );
    return element('figure', {}, svg.node());
}

/**
 * Lines over an axis.
 * @param series [{name, points: [{x, y, low?, high?}]}]; x are numbers, or words, which stand in their order
 */
export function lines(series, { xTitle, yTitle, label, yDomain = null }) {
    const words = series.some((one) => one.points.some((point) => typeof point.x !== 'number'));
    const xs = words ? [...new Set(series.flatMap((one) => one.points.map((point) => String(point.x))))] : null;
    const x = words
        ? d3
              .scalePoint()
              .domain(xs)
              .range([edge.left, width - edge.right])
              .padding(0.5)
        : d3
              .scaleLinear()
              .domain(
                  d3.extent(
                      series.flatMap((one) => one.points),
                      (point) => point.x,
                  ),
              )
              .nice()
              .range([edge.left, width - edge.right]);
    const y = d3
        .scaleLinear()
        .domain(
            yDomain ?? [
                0,
                d3.max(
                    series.flatMap((one) => one.points),
                    (point) => point.high ?? point.y,
                ) || 1,
            ],
        )
        .nice()
        .range([height - edge.bottom, edge.top]);
    const colour = (s) => d3.schemeTableau10[s % 10],
        dashes = (s) => dashPatterns[Math.floor(s / 10) % dashPatterns.length], // where colours come again
        svg = frame(label);
    const [low, high] = words ? [0, 8] : x.domain(), // whole numbers have no ticks between them
        whole = series.every((one) => one.points.every((point) => Number.isInteger(point.x)));
    axes(svg, x, y, xTitle, yTitle, whole ? Math.max(1, Math.min(8, high - low)) : 8);
    const at = (point) => x(words ? String(point.x) : point.x);
    series.forEach((one, s) => {
        const points = one.points.filter((point) => point.y !== null);
        svg.append('path')
            .attr('fill', 'none')
            .attr('stroke', colour(s))
            .attr('stroke-width', 2)
            .attr('stroke-dasharray', dashes(s))
            .attr(
                'd',
                d3
                    .line()
                    .x(at)
                    .y((point) => y(point.y))(points),
            );
        svg.append('g')
            .selectAll('circle')
            .data(points)
            .join('circle')
            .attr('cx', at)
            .attr('cy', (point) => y(point.y))
            .attr('r', 4)
            .attr('fill', colour(s))
            .append('title')
            .text((point) => `${one.name}: ${point.x}: ${numberText(point.y)}`);
    });
    return element(
        'figure',
        {},
        svg.node(),
        element(
            'div',
            { class: 'legend' },
            ...series.map((one, s) => {
                const mark = d3.create('svg').attr('width', 34).attr('height', 8).attr('aria-hidden', 'true');
                mark.append('line')
                    .attr('x2', 30)
                    .attr('y1', 4)
                    .attr('y2', 4)
                    .attr('stroke', colour(s))
                    .attr('stroke-width', 3)
                    .attr('stroke-dasharray', dashes(s));
                return element('span', {}, mark.node(), one.name);
            }),
        ),
    );
}
