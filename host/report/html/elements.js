// Elements of the page. Text goes in as text alone, so no name can be anything else.

/** An element with attributes (`onclick` and the like are listeners) and children: elements or text. */
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
        else if (value !== null && value !== undefined && value !== false)
            made.setAttribute(name, value === true ? '' : value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
}

/** 1234567 -> `1,234,567`; broken numbers to four digits; null -> `-`. */
export function numberText(value) {
    if (value === null || value === undefined || Number.isNaN(value)) return '-';
    if (typeof value !== 'number') return String(value);
    if (Number.isInteger(value)) return value.toLocaleString('en-US');
    return Number(value.toPrecision(4)).toLocaleString('en-US', { maximumSignificantDigits: 4 });
}

/**
 * How numbers of an axis are told: those in seconds in the unit in which the largest has one to three digits before the
 * point, as the text report has them.
 */
export function unitOf(axis, largest) {
    const named = /, in (\w+)$/.exec(axis ?? '')?.[1] ?? '';
    const text = (value, name) => {
        const number = numberText(value);
        return name && number !== '-' ? `${number} ${name}` : number;
    };
    if (named !== 'seconds') return { size: 1, axis, text: (value) => text(value, named) };
    const units = [[1, 's'], [1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns']],
        [size, name] = units.find(([one]) => largest >= one) ?? units[largest > 0 ? 3 : 0];
    return {
        size,
        axis: axis.replace(/seconds$/, name),
        text: (value) => text(typeof value === 'number' ? value / size : null, name),
    };
}

/** An end of a link of a report: `leaf-07 [19]`, `leaf01 [swp49]`. */
export function endText(link, end) {
    return `${link[end]} [${link[`${end}_port_name`] ?? link[`${end}_port`]}]`;
}

/** 0.9876 -> `98.76 %`; never 100 % of less than all. */
export function shareText(part, whole) {
    if (!whole) return '-';
    if (part === whole) return '100 %';
    const share = (100 * part) / whole;
    return `${share > 99.99 ? '99.99' : Number(share.toPrecision(4))} %`;
}

/** The three numbers on top: [label, number, what it means]. */
export function threeNumbers(numbers) {
    return element(
        'dl',
        { class: 'numbers' },
        ...numbers.map(([label, value, meaning]) =>
            element('div', {}, element('dt', {}, label), element('dd', {}, value, element('small', {}, meaning))),
        ),
    );
}

/** A section with a heading, for the keyboard and for readers of the screen. */
export function section(title, ...children) {
    return element('section', { 'aria-label': title }, element('h2', {}, title), ...children);
}

/** The fabric's name and the date of its dump, above the headline and in the title of the window. */
export function fabricLine(what, report) {
    const { network, files } = report,
        file = files?.network ?? '';
    const name = network?.spec ?? (file.split('/').filter(Boolean).slice(-2).join('/') || 'fabric');
    document.title = `${what}: ${name}`;
    return element('p', { class: 'soft' }, `${what} of ${name}${network?.dumped ? `, dumped ${network.dumped}` : ''}`);
}

/** The verdict of the text report, word for word: what comes before the first colon is the headline. */
export function verdictOnTop(mood, sentence) {
    const colon = sentence.search(/[:,] /),
        end = colon < 0 ? sentence.length : colon + 1;
    return element(
        'h1',
        { class: mood },
        sentence.slice(0, end),
        end < sentence.length ? element('small', {}, sentence.slice(end).trim()) : null,
    );
}

/** A command to be copied: its lines break between words, never at the hyphens of an option. */
export function commandText(command) {
    const words = command.split(' ').flatMap((word) => [' ', element('span', { class: 'word' }, word)]);
    return element('code', {}, ...words.slice(1));
}

/** What to do next, with commands where they are known. */
export function nextSteps(steps) {
    if (!steps || steps.length === 0) return '';
    return element(
        'div',
        { class: 'next' },
        ...steps.map((step) =>
            element('p', {}, `Next: ${step.what}`, step.command ? ': ' : '.', step.command ? commandText(step.command) : null),
        ),
    );
}

/** What a network is made of, or its file; what of it fails here; the rate that no file tells. */
export function networkText({ spec, routing, failed, link_rate }, file = '') {
    const count = (number, one, many) => (number > 0 ? [`${numberText(number)} ${number === 1 ? one : many}`] : []);
    const gone = [
        ...count(failed?.cables ?? 0, 'cable', 'cables'),
        ...count(failed?.switches ?? 0, 'switch', 'switches'),
    ].join(' and ');
    return [
        spec ? `${spec}, routed by ${routing}` : file,
        gone ? `without ${gone} (failed on purpose)` : '',
        link_rate ? `links of ${numberText(link_rate.gbps)} Gb/s where no file tells` : '',
    ]
        .filter(Boolean)
        .join(', ');
}

/** How large a network is, and what it was made of. */
export function sizeLine(network) {
    const { hosts, switches, links } = network;
    const size = `${numberText(hosts)} hosts, ${numberText(switches)} switches, ${numberText(links)} links`;
    const words = networkText(network);
    return element('p', { class: 'soft' }, words ? `${size}: ${words}` : size);
}

/** Which files a report is of, and which network: in a line below the headline. */
export function origin(files, networks) {
    const named = Object.entries(files ?? {})
        .filter(([, file]) => file)
        .map(([what, file]) => `${what.replaceAll('_', ' ')} ${file}`);
    const digests = networks
        .filter(([, network]) => network?.digest)
        .map(([what, network]) => `${what}digest ${network.digest}`);
    return element('p', { class: 'soft' }, [...named, ...digests].join('; '));
}
