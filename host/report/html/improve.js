// The page of better tables: both side by side with their maps, and what it takes to change them.
import { mapOf } from './audit.js';
import { element, fabricLine, numberText, origin, section, sizeLine, threeNumbers } from './elements.js';
import { table } from './table.js';

export function showImprovement(page, data) {
    const { report, words, numbers } = data,
        { before, after } = report,
        improved = report.outcome === 'improved';
    const bandwidth = (side) => side.bandwidth?.mean.toFixed(3) ?? '-',
        lanes = (side) => (side.lanes === 1 ? 'one lane' : `${side.lanes} lanes`),
        verdict = (side) => `${side.deadlock_free ? 'free' : 'possible'} on ${lanes(side)}`;
    page.append(
        fabricLine('Better tables', report),
        element('h1', { class: improved ? 'good' : '' }, words.outcome),
        sizeLine(report.network),
        origin(report.files, [['', report.network]]),
        threeNumbers([
            ['bisection bandwidth', bandwidth(after), `${bandwidth(before)} before`],
            [
                'largest load between switches',
                numberText(after.largest_load),
                `${report.load_unit}; ${numberText(before.largest_load)} before`,
            ],
            ['deadlock', after.deadlock_free ? 'free' : 'possible', `on ${lanes(after)}; before ${verdict(before)}`],
        ]),
        section(
            'Before and after',
            table(
                [
                    { title: 'what', value: (row) => row[0] },
                    { title: 'before', value: (row) => row[1] },
                    { title: 'after', value: (row) => row[2] },
                ],
                numbers,
                { label: 'before and after' },
            ),
            ...[words.worse, words.routing, words.most, words.bound]
                .filter((sentence) => sentence)
                .map((sentence) => element('p', {}, sentence)),
        ),
        section(
            'Changing the tables',
            ...[words.changes, words.live, words.search].map((sentence) => element('p', {}, sentence)),
            ...(words.next.length > 0 ? [element('pre', {}, words.next.join('\n'))] : []),
        ),
        section(improved ? 'Map before' : 'Map', mapOf(data, []).root),
    );
    if (improved) page.append(section('Map after', mapOf({ ...data, fabric: data.after }, []).root));
}
