// Reads the report that the page carries, and shows it.
import { element } from './elements.js';
import { showAudit } from './audit.js';
import { showColumns } from './bracket.js';
import { showDiff } from './diff.js';
import { showEvaluation } from './evaluate.js';
import { showImprovement } from './improve.js';
import { showJobs } from './jobs.js';
import { showPlan } from './plan.js';
import { showSweep } from './sweep.js';

/** Lists were written by columns: {columns: [names], rows: [[..], ..]} becomes a list of objects, each with its number. */
export function listsOf(value) {
    if (Array.isArray(value)) return value.map(listsOf);
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value.columns) && Array.isArray(value.rows) && Object.keys(value).length === 2)
        return value.rows.map((row, number) =>
            Object.fromEntries([...value.columns.map((name, c) => [name, row[c]]), ['number', number]]),
        );
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, listsOf(inner)]));
}

export function show(page, data) {
    const shows = {
        audit: showAudit,
        columns: showColumns,
        evaluate: showEvaluation,
        jobs: showJobs,
        diff: showDiff,
        improve: showImprovement,
        plan: showPlan,
        sweep: showSweep,
    };
    data.report = listsOf(data.report);
    for (const side of [data.before, data.after]) if (side?.audit) side.audit = listsOf(side.audit);
    shows[data.kind](page, data);
    page.append(element('p', { class: 'soft' }, `Tailback ${data.version}.`));
}

if (typeof document !== 'undefined') {
    const page = document.querySelector('main');
    page.replaceChildren();
    show(page, JSON.parse(document.getElementById('report').textContent));
}
