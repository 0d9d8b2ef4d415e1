// A table that is sorted by a click on a column's head and filtered by words.
import { element, numberText } from './elements.js';

const mostRows = 200,
    fewRows = 12, // that need no filter
    longWord = /\S{32}/; // may be broken anywhere

/**
 * @param columns [{title, value(row), text?(row)}]: what is sorted by, and shown
 * @param rows any array
 * @param options.pick called with the row that is chosen by click or Enter
 * @param options.sort [column, descending] in the beginning
 */
export function table(columns, rows, { pick = null, sort = null, label = 'table' } = {}) {
    let [by, falling] = sort ?? [null, false];
    let shown = mostRows,
        words = '';
    const head = element('tr'),
        body = element('tbody'),
        count = element('p', { class: 'soft', 'aria-live': 'polite' });
    const isNumber = columns.map((column) => rows.some((row) => typeof column.value(row) === 'number'));
    const texts = columns.map((column) => column.text ?? ((row) => numberText(column.value(row))));
    const fitting = () => {
        const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
        let list = rows;
        if (wanted.length > 0)
            list = rows.filter((row) => {
                const all = texts
                    .map((text) => String(text(row)))
                    .join(' ')
                    .toLowerCase();
                return wanted.every((word) => all.includes(word));
            });
        if (by === null) return list;
        const value = columns[by].value;
        const before = (a, b) =>
            a === b
                ? 0
                : a === null || a === undefined
                  ? 1
                  : b === null || b === undefined
                    ? -1
                    : (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))) *
                      (falling ? -1 : 1);
        return [...list].sort((a, b) => before(value(a), value(b)));
    };
    const steps = {
        ArrowDown: (place) => place + 1,
        ArrowUp: (place) => place - 1,
        Home: () => 0,
        End: () => body.children.length - 1,
    };
    const goTo = (place) => {
        const row = body.children[Math.max(0, Math.min(body.children.length - 1, place))];
        for (const other of body.children) if (other.tabIndex === 0 && other !== row) other.tabIndex = -1;
        row.tabIndex = pick === null ? -1 : 0;
        row.focus();
    };
    const draw = () => {
        head.replaceChildren(
            ...columns.map((column, c) =>
                element(
                    'th',
                    {
                        scope: 'col',
                        'aria-sort': by !== c ? 'none' : falling ? 'descending' : 'ascending',
                        ...(isNumber[c] ? { class: 'number' } : {}),
                    },
                    element(
                        'button',
                        {
                            type: 'button',
                            onclick: () => {
                                falling = by === c ? !falling : typeof columns[c].value(rows[0] ?? {}) === 'number';
                                by = c;
                                draw();
                                head.children[c].firstChild.focus();
                            },
                        },
                        column.title + (by === c ? (falling ? ' ▼' : ' ▲') : ''),
                    ),
                ),
            ),
        );
        const list = fitting();
        body.replaceChildren(
            ...list.slice(0, shown).map((row, place) => {
                const attributes =
                    pick === null
                        ? {}
                        : {
                              class: 'pick',
                              tabindex: place === 0 ? 0 : -1, // one stop for all rows: arrow keys go on from there
                              onclick: () => pick(row),
                              onkeydown: (event) => {
                                  if (event.key === 'Enter') pick(row);
                                  else if (event.key in steps) goTo(steps[event.key](place));
                                  else return;
                                  event.preventDefault();
                              },
                          };
                return element(
                    'tr',
                    attributes,
                    ...columns.map((column, c) => {
                        const text = String(texts[c](row)),
                            kind =
                                typeof column.value(row) === 'number' ? 'number' : longWord.test(text) ? 'long' : '';
                        // on a narrow page a row is a list of titles and cells
                        return element('td', { 'data-title': column.title, ...(kind ? { class: kind } : {}) }, text);
                    }),
                );
            }),
        );
        count.replaceChildren(
            `${numberText(Math.min(shown, list.length))} of ${numberText(list.length)} rows `,
            ...(list.length > shown
                ? [
                      element(
                          'button',
                          {
                              type: 'button',
                              onclick: () => {
                                  const first = shown;
                                  shown *= 5;
                                  draw();
                                  goTo(first); // to what came with it
                              },
                          },
                          'show more',
                      ),
                  ]
                : []),
        );
    };
    const filter = element('input', {
        type: 'search',
        placeholder: 'filter by words',
        'aria-label': `filter ${label}`,
        oninput: (event) => {
            words = event.target.value;
            shown = mostRows;
            draw();
        },
    });
    draw();
    return element(
        'div',
        { class: 'table' },
        ...(rows.length > fewRows ? [element('div', { class: 'tools' }, filter)] : []),
        element(
            'div',
            { class: rows.length > fewRows ? 'scroll' : 'scroll few', tabindex: 0, role: 'region', 'aria-label': label },
            element('table', {}, element('thead', {}, head), body),
        ),
        ...(rows.length > fewRows ? [count] : []),
    );
}
