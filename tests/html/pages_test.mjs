// The pages of `--format html` in a real browser: what they show, clicks, search, keyboard; no error, no request leaves.
//   node pages_test.mjs PROGRAM FIXTURES [FOLDER for screenshots]
// Exit code 77: chromium or playwright-core is not here.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [program, fixtures, shots] = process.argv.slice(2);
let chromium;
try {
    ({ chromium } = createRequire(import.meta.url)(process.env.TAILBACK_PLAYWRIGHT ?? 'playwright-core'));
} catch {
    console.log('skipped: playwright-core is not installed (scripts/packages --tests says how)');
    process.exit(77);
}
const browserPath = process.env.TAILBACK_CHROMIUM ?? '/usr/bin/chromium';
const folder = mkdtempSync(join(tmpdir(), 'pages-')),
    file = (name) => join(folder, name);
/** Runs the program; what it writes to standard output. Exit code 1 is an answer, too. */
const run = (...words) => {
    const done = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
    assert.ok(done.status === 0 || done.status === 1, `${words.join(' ')}: ${done.stderr}`);
    return done.stdout;
};

let browser,
    opened = 0;
try {
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
} catch (error) {
    console.log(`skipped: ${browserPath} does not start (${String(error).split('\n')[0]})`);
    process.exit(77);
}

/** Opens a page; fails for errors on its console, dialogs, and requests for anything but itself. */
async function open(name, { width = 1200, height = 900, dark = false } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
    const page = await context.newPage(),
        address = `file://${file(name)}`;
    page.on('console', (message) => {
        if (message.type() === 'error') assert.fail(`${name}: ${message.text()}`);
    });
    page.on('pageerror', (error) => assert.fail(`${name}: ${error}`));
    page.on('dialog', () => assert.fail(`${name}: a dialog opened`));
    page.on('request', (request) => assert.equal(request.url(), address));
    await page.goto(address);
    await page.waitForSelector('h1');
    ++opened;
    if (shots)
        await page.screenshot({
            path: join(shots, `${name}${dark ? '.dark' : ''}${width < 600 ? '.small' : ''}.png`),
            fullPage: true,
        });
    return page;
}
const textOf = async (page, selector) => (await page.locator(selector).allInnerTexts()).join('\n');

const tests = {
    async 'an audit tells its verdict, and three numbers'() {
        run('audit', '--network', 'xgft:m=4x4,w=1x4', '--format', 'html', '-o', file('audit.html'));
        const page = await open('audit.html');
        const report = JSON.parse(run('audit', '--network', 'xgft:m=4x4,w=1x4', '--format', 'json')),
            words = (text) => text.replace(/\s+/g, ' ').trim();
        assert.equal(words(await textOf(page, 'h1')), report.verdict.sentence); // word for word
        assert.match(words(run('audit', '--network', 'xgft:m=4x4,w=1x4')), new RegExp(`${report.verdict.sentence} `));
        assert.equal(await page.title(), 'Audit: xgft:m=4x4,w=1x4');
        assert.equal(await textOf(page, '.next code'), report.next[0].command);
        assert.equal(await page.locator('.numbers dd').count(), 3);
        assert.match(await textOf(page, '.numbers'), /240 of 240/);
    },
    async 'paper is light, whatever the screen is'() {
        const seen = async (page, media) => {
            await page.emulateMedia({ media });
            await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
            return page.evaluate(() => ({
                page: getComputedStyle(document.body).backgroundColor,
                ink: getComputedStyle(document.body).color,
                marks: [...document.querySelectorAll('.legend i')].map((mark) => mark.style.background),
                map: document.querySelector('.map canvas').toDataURL(),
            }));
        };
        const dark = await open('audit.html', { dark: true }),
            light = await open('audit.html');
        const paper = await seen(dark, 'print');
        assert.deepEqual(paper, await seen(light, 'print'));
        assert.equal(paper.page, 'rgb(255, 255, 255)');
        const heads = dark.locator('section[aria-label="Stages"] th button'); // buttons that are titles are printed
        assert.ok((await heads.count()) > 5);
        for (const head of await heads.all()) assert.ok(await head.isVisible());
        assert.ok(!(await dark.getByRole('button', { name: 'show all' }).first().isVisible()));
        const screen = await seen(dark, 'screen');
        assert.equal(screen.page, 'rgb(20, 24, 29)');
        assert.notDeepEqual(screen.marks, paper.marks);
    },
    async 'search finds switches and hosts; Escape lets go'() {
        const page = await open('audit.html'),
            search = page.getByLabel('find a node'),
            panel = page.locator('.map aside');
        await search.fill('S2_1');
        await search.press('Enter');
        assert.match(await panel.innerText(), /^S2_1/);
        await search.fill('H7');
        await search.press('Enter');
        assert.match(await panel.innerText(), /H7 .*is at this switch/s);
        await search.fill('nobody');
        await search.press('Enter');
        assert.match(await panel.innerText(), /There is no "nobody"/);
        await page.locator('.map canvas').focus();
        await page.keyboard.press('Escape');
        assert.match(await panel.innerText(), /Nothing chosen/);
    },
    async 'a search with several hits offers them'() {
        const page = await open('audit.html'),
            panel = page.locator('.map aside');
        await page.getByLabel('find a node').fill('S2_');
        await page.getByLabel('find a node').press('Enter');
        assert.match(await panel.innerText(), /^4 nodes have "S2_" in their names/);
        await panel.getByRole('button', { name: 'S2_3' }).click();
        assert.match(await panel.innerText(), /^S2_3/);
    },
    async 'a table is one stop of the Tab key, and arrow keys go through its rows'() {
        const page = await open('audit.html'),
            rows = page.locator('section[aria-label="Links"] tbody tr');
        assert.equal(await page.locator('section[aria-label="Links"] tbody tr[tabindex="0"]').count(), 1);
        await rows.first().focus();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        assert.ok(await rows.nth(2).evaluate((row) => row === document.activeElement));
        assert.equal(await page.locator('section[aria-label="Links"] tbody tr[tabindex="0"]').count(), 1);
        await page.keyboard.press('End');
        assert.ok(await rows.last().evaluate((row) => row === document.activeElement));
        await page.keyboard.press('Enter');
        assert.match(await page.locator('.map aside').innerText(), /load/);
    },
    async '"show more" goes to the first of the rows that came'() {
        run('audit', '--network', 'xgft:m=12x12,w=1x6', '--format', 'html', '-o', file('many.html'));
        const page = await open('many.html'),
            links = page.locator('section[aria-label="Links"]');
        assert.equal(await links.locator('tbody tr').count(), 200);
        await links.getByRole('button', { name: 'show more' }).click();
        assert.ok((await links.locator('tbody tr').count()) > 200);
        assert.ok(await links.locator('tbody tr').nth(200).evaluate((row) => row === document.activeElement));
    },
    async 'an audit names its files and the digest of its network'() {
        const net = join(fixtures, 'opensm/ft2-16/minhop');
        run('audit', '--network', join(net, 'ibnetdiscover.out.xz'), '--tables', join(net, 'opensm-lfts.dump.xz'),
            '--format', 'html', '-o', file('files.html'));
        const text = await textOf(await open('files.html'), 'main');
        assert.match(text, /network .*ibnetdiscover\.out\.xz; tables .*opensm-lfts\.dump\.xz; digest [0-9a-f]{16}/);
    },
    async 'above 80 switches the map opens folded, and what is chosen is zoomed to'() {
        // names of a cluster: 64 leaves in 8 racks, 32 in the middle, 16 spines
        const named = run('convert', '--network', 'xgft:m=4x8x8,w=1x4x4', '--to', 'ibnetdiscover').replace(
            /"S1_(\d+)"/g,
            (_, number) => `"rack${Math.floor(number / 8)}-leaf${number % 8}"`,
        );
        writeFileSync(file('named.topo'), named);
        run('audit', file('named.topo'), '--routing', 'minhop', '--criticality', '--format', 'html', '-o', file('large.html'));
        const page = await open('large.html'),
            fold = page.getByRole('button', { name: 'fold groups' }),
            pixels = () => page.evaluate(() => document.querySelector('.map canvas').toDataURL());
        await open('large.html', { dark: true });
        await open('large.html', { width: 390 });
        assert.equal(await fold.getAttribute('aria-pressed'), 'true');
        const before = await pixels();
        await page.locator('section[aria-label="Links"] tbody tr').first().press('Enter');
        await page.waitForTimeout(80);
        assert.equal(await fold.getAttribute('aria-pressed'), 'false');
        assert.notEqual(await pixels(), before);
        const cable = page.locator('section[aria-label^="Cables by"] tbody tr').first(),
            [from, port] = await cable.locator('td').allInnerTexts().then((cells) => [cells[0], cells[1]]);
        await cable.press('Enter');
        assert.ok((await page.locator('.map aside').innerText()).startsWith(`${from} [${port}]`));
        assert.equal(await (await open('audit.html')).getByRole('button', { name: 'fold groups' }).getAttribute('aria-pressed'), 'false');
    },
    async 'a square from leaf to leaf is the hottest link of its routes'() {
        const words = ['--network', 'xgft:m=3x4,w=1x3', '--fail-cables', '3', '--fail-seed', '5', '--routing', 'minhop'];
        run('audit', ...words, '--format', 'html', '-o', file('heat.html'));
        const page = await open('heat.html');
        assert.match(await textOf(page, 'body'), /without 3 cables \(failed on purpose\)/);
        const { links } = JSON.parse(run('audit', ...words, '--format', 'json')),
            between = links.filter((one) => one.from.startsWith('S') && one.to.startsWith('S')),
            hosts = (leaf) => links.filter((one) => one.to === leaf && one.from.startsWith('H')).map((one) => one.from);
        /** The largest load over its ideal on the way, by the program. */
        const hottest = (from, to) => {
            let node = from,
                most = 0;
            for (const [, port, next] of run('trace', ...words, from, to).matchAll(/^\[(\d+)\] -> .*\{(.*?)\}\[/gm)) {
                const link = between.find((one) => one.from === node && one.from_port === Number(port));
                most = Math.max(most, link?.x_ideal ?? 0);
                node = next;
            }
            return most;
        };
        await page.locator('section[aria-label="From leaf to leaf"] canvas').focus();
        let seen = 0;
        for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowDown']) {
            await page.keyboard.press(key);
            const found = /^(\S+) to (\S+): at most ([\d.]+) x/.exec(await textOf(page, 'section[aria-label="From leaf to leaf"] .tip'));
            if (!found) continue;
            const [, from, to, ratio] = found,
                want = Math.max(...hosts(from).flatMap((source) => hosts(to).map((host) => hottest(source, host))));
            assert.ok(Math.abs(Number(ratio) - want) < 0.002, `${found[0]}: ${want} by the program`);
            ++seen;
        }
        assert.ok(seen >= 3);
        await page.keyboard.press('Enter');
        assert.match(await textOf(page, '.map aside'), /load/);
    },
    async 'a route is that of the program'() {
        const page = await open('audit.html');
        for (const [from, to] of [
            ['H1', 'H16'],
            ['H3', 'H4'],
            ['H9', 'H2'],
        ]) {
            await page.getByLabel('route from host').fill(from);
            await page.getByLabel('route to host').fill(to);
            await page.getByRole('button', { name: 'show route' }).click();
            const traced = run('trace', '--network', 'xgft:m=4x4,w=1x4', from, to)
                .split('\n')
                .filter((line) => line.startsWith('[')).length;
            const shown = await page.locator('.map aside li').count();
            assert.equal(shown, traced, `${from} to ${to}`);
        }
    },
    async 'a click on a cable tells its load and pairs, and they add up'() {
        const page = await open('audit.html');
        await page.locator('section[aria-label="Links"] tbody tr').first().press('Enter');
        const panel = await textOf(page, '.map aside'),
            load = Number(/load ([\d,]+)/.exec(panel)[1].replaceAll(',', ''));
        assert.equal(Number(/([\d,]+) pairs to/.exec(panel)[1].replaceAll(',', '')), load);
        await page.locator('.map aside button').first().click();
        assert.ok((await page.locator('.map aside ul li').count()) > 0);
    },
    async "every cable's pairs, found in the page, are the audit's load"() {
        const page = await open('audit.html');
        const rows = page.locator('section[aria-label="Links"] tbody tr'),
            count = await rows.count();
        assert.equal(count, 64);
        for (let row = 0; row < count; row += 7) {
            await rows.nth(row).click();
            const panel = await textOf(page, '.map aside'),
                load = Number(/load ([\d,]+)/.exec(panel)[1].replaceAll(',', ''));
            const pairs = /([\d,]+) pairs to/.exec(panel);
            assert.equal(pairs ? Number(pairs[1].replaceAll(',', '')) : 0, load, panel.slice(0, 60));
        }
    },
    async 'a click on the map chooses what is there'() {
        const page = await open('audit.html'),
            canvas = page.locator('.map canvas');
        await canvas.scrollIntoViewIfNeeded();
        const box = await canvas.boundingBox();
        let chosen = 0;
        for (let x = 40; x < box.width; x += 60)
            for (let y = 40; y < box.height; y += 60) {
                await page.mouse.click(box.x + x, box.y + y);
                chosen += !/Nothing chosen/.test(await textOf(page, '.map aside'));
            }
        assert.ok(chosen > 3, `${chosen} of a grid of clicks`);
    },
    async 'the keyboard moves the map and reaches everything'() {
        const page = await open('audit.html'),
            pixels = () => page.evaluate(() => document.querySelector('.map canvas').toDataURL());
        await page.locator('.map canvas').focus();
        const seen = new Set([await pixels()]);
        for (const key of ['+', 'ArrowLeft', 'ArrowUp', '-', '0']) {
            await page.keyboard.press(key);
            await page.waitForTimeout(80);
            seen.add(await pixels());
        }
        assert.ok(seen.size >= 4);
        await page.locator('h1').click();
        const reached = new Set();
        for (let tab = 0; tab < 30; ++tab) {
            await page.keyboard.press('Tab');
            reached.add(
                await page.evaluate(
                    () =>
                        document.activeElement.getAttribute('aria-label') ??
                        document.activeElement.textContent.slice(0, 20),
                ),
            );
        }
        for (const wanted of ['find a node', 'route from host', 'fold groups', 'show route'])
            assert.ok(reached.has(wanted), `${wanted}: ${[...reached]}`);
    },
    async 'tables are sorted and filtered'() {
        const page = await open('audit.html'),
            links = page.locator('section[aria-label="Links"]');
        const column = async () =>
            (await links.locator('tbody tr td:nth-child(3)').allInnerTexts()).map((text) =>
                Number(text.replaceAll(',', '')),
            );
        const falling = await column();
        assert.deepEqual(
            falling,
            [...falling].sort((a, b) => b - a),
        );
        await links.getByRole('button', { name: /pairs/ }).click();
        const rising = await column();
        assert.deepEqual(
            rising,
            [...rising].sort((a, b) => a - b),
        );
        await links.getByRole('searchbox').fill('S2_3');
        const rows = await links.locator('tbody tr').allInnerTexts();
        assert.equal(rows.length, 8);
        assert.ok(rows.every((row) => row.includes('S2_3')));
    },
    async 'faults are told and framed'() {
        const damaged = join(fixtures, 'opensm/ft2-16/file-broken/opensm-lfts.dump.xz');
        run(
            'audit',
            '--network',
            join(fixtures, 'opensm/ft2-16/minhop/ibnetdiscover.out.xz'),
            '--tables',
            damaged,
            '--format',
            'html',
            '-o',
            file('faults.html'),
        );
        const page = await open('faults.html');
        assert.match(await textOf(page, 'h1'), /^FAULTS:\s+1 inconsistent, 2 unreachable, 2 loop, 1 misdelivered/);
        assert.match(await textOf(page, '.next'), /tailback list findings/);
        assert.match(await textOf(page, 'h1 + p'), /^The first: switch "MF0;sw-spine2.* port 3: LID 16 .* runs in a circle/);
        assert.match(await textOf(page, '.legend'), /faults here/);
        await page.locator('section[aria-label^="Findings"] tbody tr').first().click();
        assert.doesNotMatch(await textOf(page, '.map aside'), /Nothing chosen/);
        const search = page.getByLabel('find a node'); // by LID and by GUID, too
        await search.fill('4');
        await search.press('Enter');
        const byLid = await textOf(page, '.map aside');
        assert.doesNotMatch(byLid, /There is no/);
    },
    async 'an evaluation shows its mean and a histogram to be read off'() {
        const words = ['evaluate', '--network', 'xgft:m=4x4,w=1x4', '--metric', 'all', '--mappings', '500'];
        run(...words, '--format', 'html', '-o', file('evaluate.html'));
        const report = JSON.parse(run(...words, '--format', 'json')),
            page = await open('evaluate.html');
        assert.match(
            await textOf(page, 'h1'),
            new RegExp(`${Number((100 * report.metrics.hist_acc_band.mean).toPrecision(3))} %`),
        );
        const figure = page.locator('section[aria-label="sum_max_cong"] figure');
        assert.equal(await figure.locator('rect').count(), report.metrics.sum_max_cong.histogram.length);
        await figure.locator('svg').focus();
        await page.keyboard.press('ArrowRight');
        const first = report.metrics.sum_max_cong.histogram[0];
        assert.match(
            await figure.locator('.tip').innerText(),
            new RegExp(`^${first.value}: ${first.mappings} mappings`),
        );
        const command = await page.locator('section[aria-label="hist_acc_band"] code').innerText();
        const again = JSON.parse(
            execFileSync(program, [...command.split(' ').slice(1), '--format', 'json'], { encoding: 'utf8' }),
        );
        assert.equal(again.metrics.hist_acc_band.mean, report.metrics.hist_acc_band.min);
        const failed = [...words.slice(0, 3), '--routing', 'minhop', '--fail-cables', 'switch:2', '--mappings', '50'];
        run(...failed, '--format', 'html', '-o', file('failed.html'));
        const line = await (await open('failed.html')).locator('section[aria-label="hist_acc_band"] code').innerText(),
            one = execFileSync('sh', ['-c', line.replace('tailback', `'${program}' `) + ' --format json'], { encoding: 'utf8' }),
            worst = JSON.parse(run(...failed, '--format', 'json')).metrics.hist_acc_band;
        assert.equal(JSON.parse(one).metrics.hist_acc_band.mean, worst.min);
        assert.ok(line.includes('--fail-cables switch:2'));
        const rows = (await page.locator('section[aria-label="Links"] tbody tr').allInnerTexts()).map((row) => row.split('\t')),
            hottest = [...report.metrics.get_cable_cong.links].sort((one, two) => two.sum - one.sum)[0];
        assert.equal(rows.length, report.metrics.get_cable_cong.links.length);
        assert.deepEqual(rows[0].slice(0, 3), [
            `${hottest.from} [${hottest.from_port}]`,
            `${hottest.to} [${hottest.to_port}]`,
            hottest.sum.toLocaleString('en'),
        ]);
        run('evaluate', '--network', 'xgft:m=4x4,w=1x4', '--format', 'html', '-o', file('plain.html'));
        const plain = await open('plain.html'); // a page asks for loads by itself
        assert.equal(await plain.locator('section[aria-label="Links"] tbody tr').count(), rows.length);
        assert.doesNotMatch(await textOf(plain, '.legend'), /^unused$/);
    },
    async 'jobs show who slows whom'() {
        const words = ['jobs', '--network', 'xgft:m=4x4x4,w=1x2x2', '--mappings', '200'];
        for (const job of ['</script>a:pattern=rand,nodes=any:20', 'b:pattern=bisect,nodes=any:20', 'c:pattern=ring,nodes=any:8'])
            words.push('--job', job);
        run(...words, '--format', 'html', '-o', file('jobs.html'));
        const report = JSON.parse(run(...words, '--format', 'json')),
            page = await open('jobs.html'),
            most = report.jobs.reduce((a, b) => (b.slowdown.mean > a.slowdown.mean ? b : a));
        assert.ok((await textOf(page, 'h1')).startsWith(`${most.name} takes `));
        assert.equal(await page.locator('section[aria-label="Jobs"] tbody tr').count(), 3);
        const cells = page.locator('section[aria-label="Who slows whom"] tbody tr').nth(0).locator('td');
        assert.equal(await cells.count(), 3);
        assert.equal(await cells.nth(1).innerText(), String(Number(report.jobs[0].slowdown_by.b.toPrecision(4))));
        const links = page.locator('section[aria-label="Links that jobs share"] tbody tr');
        assert.equal(await links.count(), Math.min(200, report.links.length));
        await links.first().click();
        const hottest = report.links.reduce((a, b) => (b.load > a.load ? b : a));
        assert.ok((await textOf(page, '.map aside')).includes(hottest.from));
    },
    async 'a bracket stands side by side, of an evaluation and in a sweep'() {
        const words = ['bracket', '--network', 'xgft:m=4x4,w=1x2', '--routing', 'ar:minimal'];
        words.push('--pattern', 'rand', '--mappings', '50', '--optimal-mappings', '5');
        run(...words, '--format', 'html', '-o', file('bracket.html'));
        const report = JSON.parse(run(...words, '--format', 'json')),
            page = await open('bracket.html');
        await open('bracket.html', { dark: true });
        const small = await open('bracket.html', { width: 390 }); // a table of few rows is not cut
        assert.ok(await small.locator('[aria-label="divisions"]').evaluate((box) => box.scrollHeight <= box.clientHeight));
        const titleOf = async (shown, metric) => (await shown.locator(`section[aria-label="${metric}"] figure text`).allTextContents()).join('|');
        assert.match(await titleOf(page, 'hist_acc_band'), /hist_acc_band, part of a link/);
        assert.match(await titleOf(page, 'sum_max_cong'), /sum_max_cong, flows a link/);
        run('bracket', '--network', 'xgft:m=4x4,w=1x2', '--routing', 'ar:minimal', '--pattern', 'alltoall:size=1MiB', '--link-rate',
            '400Gb/s', '--mappings', '5', '--optimal-mappings', '2', '--format', 'html', '-o', file('seconds.html'));
        const seconds = await open('seconds.html');
        assert.match(await titleOf(seconds, 'sum_max_cong'), /sum_max_cong, in (ms|us)/);
        assert.match(await textOf(seconds, 'section[aria-label="Side by side"]'), /\d (ms|us)/);
        // A number that is not known has no unit, whatever the axis.
        const source = readFileSync(new URL('../../host/report/html/elements.js', import.meta.url), 'utf8'),
            elements = `data:text/javascript,${encodeURIComponent(source)}`;
        const { unitOf } = await import(elements);
        for (const axis of [undefined, 'sum_max_cong, flows a link', 'sum_max_cong, in bytes', 'sum_max_cong, in seconds'])
            for (const nothing of [null, undefined, NaN]) assert.equal(unitOf(axis, 2).text(nothing), '-');
        assert.equal(unitOf('sum_max_cong, in bytes', 2000).text(2000), '2,000 bytes');
        assert.equal(unitOf('sum_max_cong, in seconds', 0.002).text(0.0015), '1.5 ms');
        assert.equal(unitOf('sum_max_cong, flows a link', 2).text(2), '2');
        const one = (text) => text.replace(/\s+/g, ' ').trim();
        assert.equal(one(await textOf(page, 'h1')), one(report.verdict));
        const rows = page.locator('section[aria-label="Side by side"] tbody tr');
        assert.equal(await rows.count(), 4);
        assert.equal(
            await rows.nth(1).locator('td').nth(2).innerText(),
            String(Number(report.columns.equal.hist_acc_band.mean.toPrecision(4))),
        );
        assert.equal(await page.locator('section[aria-label="sum_max_cong"] circle').count(), 4);
        assert.ok((await textOf(page, 'section[aria-label="Beside the optimum"]')).includes('5 mappings'));
        writeFileSync(
            file('brackets.yaml'),
            'network: ["xgft:m=4x4,w=1x2", "xgft:m=4x4,w=1x4"]\nrouting: "ar:minimal"\nbracket: true\nmappings: 20\n',
        );
        run('sweep', file('brackets.yaml'), '--output', file('brackets'), '--format', 'html');
        const sweep = await open('brackets/sweep.html');
        assert.ok((await sweep.locator('select[aria-label="number"] option').allInnerTexts()).includes('sum_max_cong optimal mean'));
        assert.ok((await sweep.locator('section[aria-label="Chart"] circle').count()) >= 2);
    },
    async 'queue pairs, and several LIDs, stand side by side'() {
        const words = ['multipath', '--network', `frr:${join(fixtures, '../../examples/roce')}`, '--mappings', '100'];
        run(...words, '--queue-pairs', '1,2,4', '--format', 'html', '-o', file('pairs.html'));
        const report = JSON.parse(run(...words, '--queue-pairs', '1,2,4', '--format', 'json')),
            page = await open('pairs.html');
        await open('pairs.html', { width: 390 });
        const one = (text) => text.replace(/\s+/g, ' ').trim(),
            rows = page.locator('section[aria-label="Side by side"] tbody tr');
        assert.equal(one(await textOf(page, 'h1')), one(report.verdict));
        assert.deepEqual(await rows.locator('td:first-child').allInnerTexts(), ['equal', '1', '2', '4']);
        const digits = (name) => String(Number(report.columns[name].hist_acc_band.mean.toPrecision(4)));
        assert.equal(await rows.nth(3).locator('td').nth(2).innerText(), digits('4'));
        assert.match(one(await textOf(page, '.numbers')), /1 queue pair a flow.*every switch divides equally.*4 queue pairs/);
        run('multipath', '--network', 'xgft:m=4x4,w=1x4', '--routing', 'minhop', '--lmc', '1', '--mappings', '20',
            '--format', 'html', '-o', file('lids.html'));
        const lids = await open('lids.html');
        assert.equal(await lids.locator('section[aria-label="Side by side"] tbody tr').count(), 5);
    },
    async 'what is not cabled as planned is told, costed, and shown on the map'() {
        const plan = join(fixtures, '../../examples/plan');
        const words = ['compare', '--network', join(plan, 'there.csv'), '--plan', join(plan, 'plan.csv')];
        run(...words, '--format', 'html', '-o', file('plan.html'));
        const report = JSON.parse(run(...words, '--format', 'json')),
            page = await open('plan.html');
        await open('plan.html', { dark: true });
        await open('plan.html', { width: 390 });
        const one = (text) => text.replace(/\s+/g, ' ').trim();
        assert.ok(one(run(...words)).startsWith(`${one(await textOf(page, 'h1'))} `)); // word for word
        const rows = page.locator('section[aria-label="Mistakes"] tbody tr');
        assert.equal(await rows.count(), report.mistakes.length);
        await rows.first().focus();
        await page.keyboard.press('Enter');
        assert.match(await page.locator('.map aside').innerText(), /leaf-1 \[1\]/);
        await rows.nth(1).click(); // nothing is there: the node that lacks a cable
        assert.match(await page.locator('.map aside').innerText(), /leaf-1.*missing: line 9/s);
        const costs = page.locator('section[aria-label^="What it costs"] tbody tr');
        assert.equal(await costs.count(), 2 + report.mistakes.length);
        const { bandwidth } = report.costs.as_planned;
        assert.equal(await costs.nth(1).locator('td').nth(1).innerText(), String(Number(bandwidth.toPrecision(4))));
    },
    async 'a collective operation tells its time with a unit, busbw, and what the cables allow'() {
        const words = ['evaluate', '--network', 'crossbar:8', '--mapping', 'identity', '--link-rate', '400Gb/s'];
        words.push('--pattern', 'allreduce:size=64MiB', '--time');
        run(...words, '--format', 'html', '-o', file('collective.html'));
        const page = await open('collective.html');
        // 2 x 7/8 x 64 MiB at 50 GB/s
        assert.equal(await textOf(page, 'h1'), 'allreduce:size=64MiB takes 2.349 ms.');
        assert.deepEqual(await page.locator('.numbers dt').allInnerTexts(), ['mean', 'busbw', 'of the cables']);
        assert.match(await textOf(page, '.numbers'), /2\.349 ms.*50\.0 GB\/s.*100\.0 %/s);
        const told = run(...words).replace(/\s+/g, ' ');
        for (const line of await page.locator('section[aria-label="Bandwidth"] p').allInnerTexts())
            assert.ok(told.includes(line.replace(/^The /, '').replace(', busbw', ' busbw').replace(/\.$/, '')), line);
        assert.match(await textOf(page, 'section[aria-label="makespan"]'), /: 2\.349 ms\./);
        assert.match(await textOf(page, 'body'), /links of 400 Gb\/s where no file tells/);
        assert.equal(await page.locator('section[aria-label="makespan"] figure').count(), 0); // of one mapping
        await page.close();
        // Simulated times say nothing of loads: the page has none.
        run(...words, '--latency', 'link=100ns', '--format', 'html', '-o', file('simulated.html'));
        const simulated = await open('simulated.html');
        assert.match(await textOf(simulated, 'h1'), / takes 2\.3\d\d ms\./);
        await simulated.close();
        words.splice(words.indexOf('identity'), 1, 'random');
        run(...words, '--mappings', '20', '--format', 'html', '-o', file('collective.html'));
        const alike = await open('collective.html');
        assert.match(await textOf(alike, 'section[aria-label="makespan"]'), /: 2\.349 ms, in all 20 mappings\.$/);
        assert.equal(await alike.locator('section[aria-label="makespan"] figure').count(), 0);
        await alike.close();
    },
    async 'times have a unit that fits them on every axis'() {
        const words = ['evaluate', '--network', 'xgft:m=4x4,w=1x2', '--link-rate', '400Gb/s', '--mappings', '100'];
        words.push('--pattern', 'alltoall:size=1MiB', '--time');
        run(...words, '--format', 'html', '-o', file('times.html'));
        const page = await open('times.html'),
            report = JSON.parse(run(...words, '--format', 'json'));
        const titles = await page.locator('section[aria-label="makespan"] figure text').allTextContents();
        assert.ok(titles.some((title) => /, in ms$/.test(title)), titles.join('|'));
        assert.match(await textOf(page, 'h1'), new RegExp(`${Number((1000 * report.metrics.makespan.mean).toPrecision(4))} ms on average`));
        const figures = page.locator('section[aria-label="completion_time"] figure');
        assert.equal(await figures.count(), 2); // of mappings, and of flows
        assert.ok((await figures.first().locator('rect').count()) <= 60); // though no two means are alike
        await page.close();
    },
    async 'an audit of routes of equal cost tells both bandwidths'() {
        const routers = `frr:${join(fixtures, '../../examples/roce')}`;
        run('audit', '--network', routers, '--format', 'html', '-o', file('roce.html'));
        const page = await open('roce.html');
        // In words of IP, and by equal division: each host has a link's worth.
        assert.equal(await page.getByLabel('find a node').getAttribute('placeholder'), 'find: name or address');
        assert.match(await textOf(page, '.numbers'), /worst permutation\s+1\s*flows on one link where switches divide equally/);
        assert.doesNotMatch(await textOf(page, 'main'), /static|LID|GUID/);
        await page.getByLabel('find a node').fill('10.2.1.2');
        await page.getByLabel('find a node').press('Enter');
        assert.match(await textOf(page, '.map aside'), /node09 \(10\.2\.1\.2\) is at this switch/);
        await page
            .getByText(/1\.000 ± 0\.000 where switches divide flows equally, 0\.\d+ ± 0\.\d+ where a hash picks/)
            .first()
            .waitFor({ timeout: 5000 });
        await page.close();
    },
    async 'an audit tells the fates over all choices'() {
        run('audit', '--network', 'xgft:m=4x4,w=1x2', '--routing', 'ar:minimal', '--format', 'html', '-o', file('choices.html'));
        const page = await open('choices.html'),
            rows = page.locator('section[aria-label="All choices"] table').first().locator('tbody tr');
        assert.equal(await rows.count(), 5);
        assert.equal(await rows.first().locator('td').nth(1).innerText(), '240');
        assert.equal(await rows.first().locator('td').nth(2).innerText(), '100 %');
    },
    async 'a comparison ends in a verdict'() {
        const network = join(fixtures, 'opensm/ft2-16/minhop/ibnetdiscover.out.xz');
        run(
            'diff',
            network,
            network,
            '--old-tables',
            join(fixtures, 'opensm/ft2-16/minhop/opensm-lfts.dump.xz'),
            '--new-tables',
            join(fixtures, 'opensm/ft2-16/file-broken/opensm-lfts.dump.xz'),
            '--format',
            'html',
            '-o',
            file('diff.html'),
        );
        const page = await open('diff.html');
        assert.match(await textOf(page, 'h1'), /Worse: .*pairs not delivered/i);
        const row = page.locator('section[aria-label="Old and new side by side"] tbody tr', {
            hasText: 'pairs not delivered',
        });
        assert.match(await row.innerText(), /0\s+28\s+worse/);
        run(
            'diff',
            network,
            network,
            '--old-tables',
            join(fixtures, 'opensm/ft2-16/minhop/opensm-lfts.dump.xz'),
            '--new-tables',
            join(fixtures, 'opensm/ft2-16/minhop/opensm.fdbs.xz'),
            '--format',
            'html',
            '-o',
            file('same.html'),
        );
        assert.match(await textOf(await open('same.html'), 'h1'), /Nothing differs/);
    },
    async 'better tables stand beside those that were'() {
        run('improve', 'torus:4x4', '--routing', 'minhop', '--moves', '20k', '--lanes', '8', '--format', 'html',
            '--report', file('improve.html'), '--output', file('better.lfts'));
        for (const how of [{}, { dark: true }, { width: 390, height: 800 }]) {
            const page = await open('improve.html', how);
            assert.match(await textOf(page, 'h1'), /Better tables/);
            assert.equal(await page.locator('canvas').count(), 2);
            const rows = page.locator('section[aria-label="Before and after"] tbody tr');
            assert.match(await rows.filter({ hasText: 'largest load' }).innerText(), /14\s+8/);
            assert.match(await textOf(page, 'section[aria-label="Changing the tables"]'), /opensm -R file,no_fallback/);
        }
    },
    async 'an audit tells what other routings and missing cables would give'() {
        run('audit', 'xgft:m=4x4,w=1x4', '--routing', 'minhop', '--fail-cables', 'switch:1', '--try-routings',
            '--return-cables', 'uneven', '--format', 'html', '-o', file('tried.html'));
        const page = await open('tried.html');
        assert.ok((await page.locator('section[aria-label="Other routings"] tbody tr').count()) > 3);
        assert.equal(await page.locator('section[aria-label="Missing cables"] tbody tr').count(), 1);
        assert.match(await textOf(page, 'section[aria-label="Missing cables"]'), /tables made anew have .* four starts/s);
        await page.close();
        // Where flows divide there are no tables, and ends go by the names of ports.
        run('audit', '--network', `frr:${join(fixtures, '../../examples/roce')}`, '--fail-cables', 'leaf01:swp49',
            '--return-cables', 'failed', '--format', 'html', '-o', file('divided.html'));
        const divided = await open('divided.html'),
            text = await textOf(divided, 'section[aria-label="Missing cables"]');
        assert.match(text, /next hops made anew \(ar:minimal; flows divide equally\) have bandwidth .* random bisections/s);
        assert.match(text, /leaf01 \[swp49\]/);
        assert.doesNotMatch(text, /tables/);
    },
    async 'of thousands of unused cables ten are shown until all are asked for'() {
        run('audit', '--network', 'xgft:m=12x12,w=1x12', '--routing', 'bfs', '--format', 'html', '--output', file('unused.html'));
        const page = await open('unused.html');
        const findings = page.locator('section[aria-label^="Findings"]');
        const rows = findings.locator('tbody tr', { hasText: 'unused' });
        assert.match(await findings.innerText(), /132 are of the kind unused, of which ten are shown/);
        assert.equal(await rows.count(), 10);
        await findings.getByRole('button', { name: 'Show all' }).click();
        assert.equal(await rows.count(), 132);
    },
    async 'a sweep draws series over its axes'() {
        writeFileSync(
            file('grid.yaml'),
            'network: [torus:4x4, "xgft:m=4x4,w=1x4"]\nrouting: [minhop, updn]\npattern: [bisect, rand]\nfail-cables: [0, 1, 2]\nmappings: 50\n',
        );
        run('sweep', file('grid.yaml'), '--output', file('out'), '--format', 'html');
        writeFileSync(file('sweep.html'), readFileSync(file('out/sweep.html')));
        const page = await open('sweep.html');
        assert.match(await textOf(page, 'h1'), /^24 points/);
        assert.equal(await page.locator('.facets figure > svg').count(), 2);
        await page.getByLabel('facet').selectOption('');
        assert.equal(await page.locator('.facets figure > svg').count(), 1);
        assert.equal(await page.locator('.facets figure > svg path[stroke-width="2"]').count(), 8);
        assert.equal(await page.locator('section[aria-label="Table"] tbody tr').count(), 24);
    },
    async 'a sweep that loses flows opens on the means of all flows, which fall'() {
        writeFileSync(
            file('lossy.yaml'),
            'network: "xgft:m=8x8,w=1x8"\nrouting: dmodk\npattern: bisect\nfail-cables: [0, 10%, 20%]\nmappings: 50\n',
        );
        run('sweep', file('lossy.yaml'), '--output', file('lossy'), '--format', 'html');
        const page = await open('lossy/sweep.html');
        const chart = page.locator('section[aria-label="Chart"]');
        assert.equal(await page.getByLabel('number').inputValue(), 'hist_acc_band mean_all');
        assert.doesNotMatch(await chart.innerText(), /lose flows/);
        const heights = await chart.locator('circle').evaluateAll((dots) => dots.map((dot) => Number(dot.getAttribute('cy'))));
        assert.ok(heights.length === 3 && heights[0] < heights[1] && heights[1] < heights[2]);
        await page.getByLabel('number').selectOption('hist_acc_band mean');
        assert.match(await chart.innerText(), /Some points lose flows.*hist_acc_band mean_all covers all of them/);
    },
    async 'hostile names are text'() {
        const names = [
            '</script><img src=x onerror=alert(1)>',
            '"><script>alert(2)</script>',
            "'+alert(3)+'",
            '{{7*7}}${8*8}',
            '<!--',
            ']]>&lt;b&gt;',
        ];
        const graph = names.map((name) => name.replaceAll('\\', '\\\\').replaceAll('"', '\\"'));
        const quoted = (name) => `"${name}"`,
            lines = ['graph {'];
        graph
            .slice(2)
            .forEach((name, n) => lines.push(`${quoted(`H${n}${name}`)} -- ${quoted(`S${graph[n % 2]}`)};`));
        lines.push(`${quoted(`S${graph[0]}`)} -- ${quoted(`S${graph[1]}`)};`, '}');
        run('generate', 'torus:3x3', '--output', file('torus'));
        let net = readFileSync(file('torus/ibnetdiscover.out'), 'utf8');
        names.forEach((name, n) => {
            net = net
                .replaceAll(`"S${n}"`, `"${name.replaceAll('"', "'")}"`)
                .replaceAll(`"H${n + 1}"`, `"${name.replaceAll('"', "'")}"`);
        });
        writeFileSync(file('hostile.net'), net);
        run(
            'audit',
            '--network',
            file('hostile.net'),
            '--routing',
            'minhop',
            '--format',
            'html',
            '-o',
            file('hostile.html'),
        );
        assert.doesNotMatch(readFileSync(file('hostile.html'), 'utf8'), /<img/);
        const page = await open('hostile.html');
        assert.equal(await page.locator('img').count(), 0);
        assert.match(await textOf(page, 'section[aria-label="Links"]'), /<img src=x onerror=alert\(1\)>/);
        const search = page.getByLabel('find a node');
        await search.fill('</script>');
        await search.press('Enter');
        assert.equal(await page.locator('img').count(), 0);
    },
    async 'no script but its own runs'() {
        const page = await browser.newPage();  // without listeners: here the browser is to complain
        const refused = [];
        page.on('console', (message) => refused.push(message.text()));
        await page.goto(`file://${file('audit.html')}`);
        await page.waitForSelector('h1');
        assert.deepEqual(refused, []);
        const ran = await page.evaluate(() => {
            const old = document.querySelector('script:not([type])').nonce;
            for (const nonce of ['', old, 'tailback']) {
                const script = document.createElement('script');
                script.nonce = nonce;
                script.textContent = 'window.foreign = true;';
                document.body.append(script);
            }
            return window.foreign === true;
        });
        assert.equal(ran, false);
        assert.equal(refused.length, 3, refused.join('\n'));
        assert.match(refused[0], /Content Security Policy/);
        await page.close();
    },
    async 'dark, and on a small screen'() {
        await open('audit.html', { dark: true });
        const page = await open('evaluate.html', { width: 390, height: 800 });
        const [scrolled, width] = await page.evaluate(() => [
            document.documentElement.scrollWidth,
            window.innerWidth,
        ]);
        assert.ok(scrolled <= width + 1, `${scrolled} > ${width}`);
    },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
    try {
        await test();
        console.log(`ok      ${name}`);
    } catch (error) {
        ++failed;
        console.log(`FAILED  ${name}\n${error.stack}`);
    }
}
await browser.close();
rmSync(folder, { recursive: true });
console.log(`${Object.keys(tests).length} tests, ${failed} failed, ${opened} pages opened`);
process.exit(failed > 0 ? 1 : 0);
