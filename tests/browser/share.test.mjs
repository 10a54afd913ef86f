import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { Service, openBrowser, patience, read, servePages, userAgent } from './service.mjs';

const axe = read(createRequire(import.meta.url).resolve('axe-core/axe.min.js'));
const hostile = [
  '<script>window.pwned=1</script>', '"><img src=x onerror=window.pwned=1>', "'onmouseover='window.pwned=1",
  'javascript:window.pwned=1', '</title><svg onload=window.pwned=1>', '{{7*7}}', '\u202Etxt.exe', 'x'.repeat(600),
  '&lt;b&gt;', '<!--', '\u{1F600}'.repeat(30), '=1+1', 'a\u0301'.repeat(60),
];
/// The page first shows the 30 days that end with yesterday.
const yesterday = Date.now() - 86400e3;
let service, browser, quiet, loud;

before(async () => {
  service = await Service.start();
  browser = await openBrowser();
  quiet = await service.site('quiet.example');
  loud = await service.site('loud.example');
  await service.call('PUT', '/api/v1/sites/goals', { site_id: 'quiet.example', goal_type: 'event', event_name: 'Signup' });
  await service.events('quiet.example', [
    ...Array.from({ length: 40 }, (_, i) => ({
      url: 'https://quiet.example/' + ['', 'docs', 'pricing', 'blog/a'][i % 4],
      referrer: ['', 'https://google.com/', 'https://github.com/x'][i % 3],
      timestamp: new Date(yesterday - i * 7200e3).toISOString(), country: ['DE', 'FR', 'US'][i % 3], city: 'Berlin',
    })),
    { name: 'Signup', props: { plan: 'pro' }, timestamp: yesterday },
    { name: 'Signup', props: { plan: 'free' }, timestamp: yesterday },
  ]);
  await service.events('loud.example', hostile.flatMap((text) => [
    { url: 'https://loud.example/' + encodeURIComponent(text) + '?utm_source=' + encodeURIComponent(text) +
        '&utm_campaign=' + encodeURIComponent(text), referrer: 'https://x.example/' + encodeURIComponent(text),
      city: text.slice(0, 60), browser: text.slice(0, 60), device: text.slice(0, 60), os: text.slice(0, 60) },
    { name: text.slice(0, 60), props: { [text.slice(0, 60)]: text } },  // the page opens with today
  ]));
});
after(async () => {
  await browser?.close();
  await service?.end();
});

const open = async (url, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
  await page.goto(url);
  return page;
};

test('the page fits every width, in light and dark, and axe finds nothing serious', async () => {
  for (const [width, colorScheme] of [[360, 'light'], [800, 'dark'], [1280, 'light']]) {
    const page = await open(quiet, { viewport: { width, height: 900 }, colorScheme });
    await page.screenshot({ path: `share-${width}-${colorScheme}.png`, fullPage: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} pixels on a screen of ${width}`);
    // The code runs like a bookmarklet, because the page's policy (CSP) blocks other scripts.
    const found = await page.evaluate(async (code) => {
      (0, eval)(code);
      return (await window.axe.run()).violations.filter((one) => ['serious', 'critical'].includes(one.impact))
        .map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | '));
    }, axe).catch(async () => {
      const bypass = await open(quiet, { viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
      await bypass.addScriptTag({ content: axe });
      return bypass.evaluate(async () => (await window.axe.run()).violations
        .filter((one) => ['serious', 'critical'].includes(one.impact))
        .map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | ')));
    });
    assert.deepEqual(found, []);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test('the page of all sites leads to each, and back', async () => {
  const link = JSON.parse(await service.call('PUT', '/api/v1/account/shared-links', { name: 'Me' })).url;
  for (const [width, colorScheme] of [[360, 'dark'], [1280, 'light']]) {
    const page = await open(link, { viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    await page.screenshot({ path: `sites-${width}-${colorScheme}.png`, fullPage: true });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
    await page.addScriptTag({ content: axe });
    assert.deepEqual(await page.evaluate(async () => (await window.axe.run()).violations
      .map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | '))), []);
    const site = page.locator('.sites tbody a').first();
    const name = await site.textContent();
    await site.click();
    await page.locator('h1', { hasText: name }).waitFor();
    await page.getByText('Sites', { exact: true }).click();
    assert.equal(await page.locator('header .menu [aria-current]').textContent(), name);
    await page.getByRole('link', { name: 'All sites' }).click();
    await page.locator('h1', { hasText: 'All sites' }).waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test('a click sets a filter, the URL has it, back takes it away', async () => {
  const page = await open(quiet);
  const visitors = () => page.locator('.tiles strong').first().textContent();
  assert.equal(await visitors(), '42');
  await page.locator('#sources').getByRole('link', { name: 'Google', exact: true }).click();
  await page.locator('.filters').getByText('source is Google').waitFor();
  assert.match(page.url(), /filters=/);
  assert.equal(await visitors(), '13');
  await page.goBack();
  await page.locator('.filters').waitFor({ state: 'detached' });
  assert.equal(await visitors(), '42');
  await page.locator('#sources').getByRole('link', { name: 'Channel' }).click();
  await page.locator('#sources').getByText('Organic Search').waitFor();
  await page.getByRole('link', { name: 'Bounce rate' }).click();
  await page.locator('.chart h2', { hasText: 'Bounce rate' }).waitFor();
  assert.deepEqual(page.problems, []);
  await page.locator('#places').getByText('Germany', { exact: true }).waitFor();
  await page.context().close();
});

test('a bar of the chart opens its day; a finger asks for its numbers first', async () => {
  const page = await open(quiet);
  const bar = page.locator('.plot a').nth(3);
  const href = await bar.getAttribute('href');
  await bar.locator('.hit').click();
  await page.waitForURL((url) => url.href.endsWith(href));
  assert.equal(await page.locator('.plot a').count(), 0);  // bars of hours have no links
  await page.context().close();
  const phone = await open(quiet, { viewport: { width: 360, height: 800 }, hasTouch: true });
  const own = phone.url();
  const touched = phone.locator('.plot a .hit').nth(3);
  await touched.tap();
  await phone.locator('#tip').waitFor();
  assert.equal(phone.url(), own);
  await touched.tap({ force: true }); // `force`, because the bar disappears immediately
  await phone.waitForURL((url) => url.href.endsWith(href));
  await phone.context().close();
});

test('days are chosen by the form, and by the keyboard alone', async () => {
  const page = await open(quiet);
  await page.getByText('Choose days').focus();
  await page.keyboard.press('Enter');
  await page.locator('input[name=from]').fill('2026-01-01');
  await page.locator('input[name=to]').fill('2026-01-02');
  await page.keyboard.press('Tab');
  for (let i = 0; i < 5 && !await page.evaluate(() => document.activeElement.matches('button')); ++i) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.getByText('1 Jan 2026 – 2 Jan 2026').waitFor();
  assert.match(page.url(), /auth=.*from=2026-01-01.*to=2026-01-02/);
  assert.equal(await page.locator('.tiles strong').first().textContent(), '0');
  await page.context().close();
});

test('menus open within the screen, and close by Escape and by a press elsewhere', async () => {
  for (const width of [360, 800, 1280]) {
    const page = await open(quiet, { viewport: { width, height: 900 } });
    for (const name of ['Views', 'Choose days', 'Add a filter', 'Compared with']) {
      const summary = page.locator('.menu > summary', { hasText: name });
      const content = page.locator('.menu', { has: page.locator('summary', { hasText: name }) }).locator(':scope > :not(summary)');
      await summary.click();
      const box = await content.boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= width, `${name} is at ${box.x} to ${box.x + box.width} of ${width}`);
      await page.keyboard.press('Escape');
      await content.waitFor({ state: 'hidden' });
      await summary.click();
      await content.waitFor();
      await page.locator('h1').click();
      await content.waitFor({ state: 'hidden' });
    }
    await page.keyboard.press('w');
    await page.waitForFunction(() => document.title.endsWith('7 days'));
    await page.context().close();
  }
});

test('a panel with all its rows keeps their names on a phone', async () => {
  for (const more of ['pages', 'sources', 'goals', 'props']) {
    const page = await open(quiet + '&more=' + more, { viewport: { width: 360, height: 800 } });
    const narrow = await page.evaluate(() => Math.min(...[...document.querySelectorAll('.whole tbody th')].map((one) => one.offsetWidth)));
    assert.ok(narrow >= 100, `${narrow} pixels for a name in ${more}`);
    await page.context().close();
  }
});

test('it is whole without its script', async () => {
  const page = await open(quiet, { javaScriptEnabled: false });
  assert.equal(await page.locator('.tiles strong').first().textContent(), '42');
  await page.locator('#pages').getByRole('link', { name: 'Entry page' }).click();
  await page.locator('#pages').getByText('/docs').waitFor();
  await page.context().close();
});

test('a filter is put together by hand, with and without scripts', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await open(quiet, { javaScriptEnabled });
    await page.locator('summary').getByText('Add a filter').click();
    assert.equal(await page.getByLabel('Name of the property').isVisible(), false);
    await page.getByLabel('Filter by').selectOption({ label: 'Page' });
    await page.getByLabel('How').selectOption({ label: 'matches the pattern' });
    await page.getByLabel('Values, with | between them').fill('/blog/*|/docs');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('ul.filters').getByText('page matches /blog/* or /docs').waitFor();
    await page.locator('#pages tbody tr').nth(1).waitFor();
    assert.equal(await page.locator('#pages tbody tr').count(), 2);
    await page.locator('summary').getByText('Add a filter').click();
    await page.getByLabel('Filter by').selectOption({ label: 'Country' });
    await page.getByLabel('How').selectOption({ label: 'is not' });
    await page.getByLabel('Values, with | between them').fill('Germany');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('ul.filters').getByText('country name is not Germany').waitFor();
    await page.locator('#places tbody tr').first().waitFor();
    assert.equal(await page.locator('#places').getByText('Germany').count(), 0);
    await page.getByRole('link', { name: 'Remove all' }).click();
    await page.locator('ul.filters').waitFor({ state: 'detached' });
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test('a map has the countries, and filters by one', async () => {
  const page = await open(quiet);
  const germany = page.locator('.map a', { has: page.getByText('Germany: ') });
  await page.waitForFunction(() => [...document.querySelectorAll('.map use')].every((shape) => shape.getBBox().width > 0));
  assert.equal(await page.locator('.map a').count(), 3);
  assert.match(await germany.locator('use').getAttribute('class'), /^s[45]$/);
  await germany.click();
  await page.locator('ul.filters').getByText('country is Germany').waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('keys lead through the page, and can be turned off', async () => {
  const page = await open(quiet);
  await page.keyboard.press('w');
  await page.waitForURL(/period=7d/);
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/from=/);
  await page.keyboard.press('f');
  assert.equal(await page.evaluate(() => document.activeElement.name), 'filter_by');
  await page.keyboard.press('d');  // the key chooses an entry of the list instead of a period
  assert.doesNotMatch(page.url(), /period=day/);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('This month').waitFor();
  await page.getByLabel('Use these keys').uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('d');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  assert.doesNotMatch(page.url(), /period=day/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a view has a name, and its secret is not kept', async () => {
  const page = await open(quiet + '&period=7d&devices=browser');
  await page.getByText('Views', { exact: true }).click();
  await page.getByLabel('Name of this view').fill('<b>My view</b>');
  await page.getByRole('button', { name: 'Save this view' }).click();
  const link = page.locator('.views').getByRole('link', { name: '<b>My view</b>' });
  await link.waitFor();
  const secret = new URL(quiet).searchParams.get('auth');
  assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage }))).includes(secret));
  await page.goto(quiet);
  await page.getByText('Views', { exact: true }).click();
  await link.click();
  await page.waitForURL(/period=7d/);
  assert.match(page.url(), /devices=browser/);
  await page.getByRole('button', { name: 'Forget <b>My view</b>' }).click();
  await page.getByText('None yet.').waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('of two clicks the later one is shown, and a failed one keeps the page', async () => {
  const page = await open(quiet);
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route(/period=12mo/, async (route) => { await held; await route.continue(); });
  await page.getByRole('link', { name: '12 months' }).click();
  await page.getByRole('link', { name: 'Today' }).click();
  await page.waitForURL(/period=day/);
  const today = await page.locator('.dates p').textContent();
  release();
  await page.waitForTimeout(500);  // time in which the late answer could wrongly be shown
  assert.equal(await page.locator('.dates p').textContent(), today);
  assert.match(page.url(), /period=day/);
  await page.route(/period=7d/, (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.getByRole('link', { name: '7 days' }).click();
  await page.getByRole('alert').getByText('could not be fetched').waitFor();
  assert.match(page.url(), /period=day/);
  assert.equal(await page.locator('.dates p').textContent(), today);
  await page.context().close();
});

test('the focus stays in its panel, and the screen reader is told', async () => {
  const page = await open(quiet);
  await page.locator('#devices').getByRole('link', { name: 'Desktop' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.filters').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.closest('section')?.id), 'devices');
  assert.match(await page.locator('#said').textContent(), /Visitors/);
  await page.context().close();
});

test('what comes while it is open is seen', async () => {
  const page = await open(quiet);
  const current = page.locator('#current');
  const first = Number(await current.textContent());
  await fetch(service.url + '/api/event', { method: 'POST', headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent },
    body: JSON.stringify({ d: 'quiet.example', n: 'pageview', u: 'https://quiet.example/live' }) });
  await page.waitForFunction((was) => Number(document.getElementById('current').textContent) > was, first);
  await page.context().close();
});

test('hostile texts in every field run nothing and break no layout', async () => {
  for (const width of [360, 1280]) {
    for (const tabs of ['', '&sources=campaign&devices=browser&places=city&goals=event&pages=entry', '&sources=referrer&devices=os&more=pages',
      '&filters=' + encodeURIComponent(JSON.stringify([['contains', 'event:page', ['<script>window.pwned=1</script>']]]))]) {
      const page = await open(loud + tabs, { viewport: { width, height: 900 } });
      await page.waitForTimeout(100);  // time in which a hostile script could run
      assert.equal(await page.evaluate(() => window.pwned), undefined);
      assert.equal(await page.locator('script:not([src^="/assets/share.js?v="]), img, [onerror], [onload]').count(), 0);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} pixels on a screen of ${width} with ${tabs}`);
      assert.deepEqual(page.problems, []);
      await page.context().close();
    }
  }
});

const ensure = async (terms) => JSON.parse(await service.call('PUT', '/api/v1/sites/shared-links',
  { site_id: 'quiet.example', ...terms })).url;

test('a password is asked for, once, and the page then lives as any other', async () => {
  const url = await ensure({ name: 'locked', password: 'correct horse' });
  const page = await open(url, { viewport: { width: 360, height: 700 } });
  page.problems.length = 0;  // the browser reports the answer 403 as a problem
  await page.evaluate(axe + ';0');
  assert.deepEqual((await page.evaluate(() => axe.run())).violations.map((one) => one.id), []);
  await page.fill('input[type=password]', 'wrong horse');
  await page.click('button');
  await page.locator('[role=alert]', { hasText: 'This is not the password.' }).waitFor();
  await page.fill('input[type=password]', 'correct horse');
  await page.click('button');
  await page.locator('#current').waitFor();
  assert.equal(page.url(), url);
  await page.click('.periods a:has-text("7 days")');  // the script sends the cookie
  await page.locator('.periods [aria-current]', { hasText: '7 days' }).waitFor();
  assert.equal(await page.locator('input[type=password]').count(), 0);
  await ensure({ name: 'locked', password: 'another horse' });
  await page.reload();
  await page.locator('input[type=password]').waitFor();
  await page.context().close();
});

test('Plausible\'s embed code with the host changed: as high as the page, in the wanted colours', async () => {
  const pages = {};
  const host = await servePages(pages);
  const url = await ensure({ name: 'framed', frame_ancestors: host.url });
  pages['*'] = `<!doctype html><iframe plausible-embed src="${url}&embed=true&theme=dark&background=%23ff0011"
    scrolling="no" frameborder="0" loading="eager" style="width: 1px; min-width: 100%; height: 200px;"></iframe>
    <script async src="${service.url}/js/embed.host.js"></script>`;
  const page = await open(host.url + '/');
  const frame = page.frameLocator('iframe');
  await frame.locator('.tiles').waitFor();
  await page.waitForFunction(() => document.querySelector('iframe').offsetHeight > 600);
  const look = await frame.locator('body').evaluate((body) => ({
    background: getComputedStyle(body).backgroundColor, scheme: getComputedStyle(document.documentElement).colorScheme,
    title: getComputedStyle(document.querySelector('h1')).position, buttons: document.querySelectorAll('header button').length,
  }));
  assert.deepEqual(look, { background: 'rgb(255, 0, 17)', scheme: 'dark', title: 'absolute', buttons: 0 });
  assert.deepEqual(page.problems, []);
  await page.context().close();
  // The script of the host page may be loaded long after the frame.
  const whole = pages['*'];
  pages['*'] = whole.replace(/<script.*/, '');
  const late = await open(host.url + '/');
  await late.frameLocator('iframe').locator('.tiles').waitFor();
  await late.frameLocator('iframe').locator('body').evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  await late.addScriptTag({ url: service.url + '/js/embed.host.js' });
  await late.waitForFunction(() => document.querySelector('iframe').offsetHeight > 600);
  await late.context().close();
  pages['*'] = whole;
  // The page of all sites can be framed, too.
  const all = JSON.parse(await service.call('PUT', '/api/v1/account/shared-links', { name: 'all', frame_ancestors: host.url })).url;
  const framed = pages['*'];
  pages['*'] = framed.replace(url, all);
  const several = await open(host.url + '/');
  await several.frameLocator('iframe').getByRole('link', { name: 'quiet.example' }).waitFor();
  await several.waitForFunction(() => document.querySelector('iframe').style.height !== '200px');
  await several.frameLocator('iframe').getByRole('link', { name: 'quiet.example' }).click();
  await several.frameLocator('iframe').locator('.embedded .tiles').waitFor();
  await several.context().close();
  pages['*'] = framed;
  // No other site may frame the page, and no site may frame a page with a password.
  const other = await servePages({ '*': `<!doctype html><iframe src="${url}"></iframe>` });
  for (const one of [host, other]) {
    if (one === host) await ensure({ name: 'framed', password: 'correct horse' });
    const refused = await open(one.url + '/');
    await refused.waitForFunction(() => document.querySelector('iframe').contentDocument === null);
    assert.ok(refused.problems.some((text) => text.includes('frame-ancestors')), refused.problems.join());
    await refused.context().close();
    one.close();
  }
});
