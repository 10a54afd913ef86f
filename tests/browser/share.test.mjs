import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { Service, openBrowser, patience, read, userAgent } from './service.mjs';

const axe = read(createRequire(import.meta.url).resolve('axe-core/axe.min.js'));
const hostile = [
  '<script>window.pwned=1</script>', '"><img src=x onerror=window.pwned=1>', "'onmouseover='window.pwned=1",
  'javascript:window.pwned=1', '</title><svg onload=window.pwned=1>', '{{7*7}}', '\u202Etxt.exe', 'x'.repeat(600),
  '&lt;b&gt;', '<!--', '\u{1F600}'.repeat(30), '=1+1', 'a\u0301'.repeat(60),
];
/// The 30 days that the page shows first end then.
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
    { name: text.slice(0, 60), props: { [text.slice(0, 60)]: text } },  // today: it opens with today
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
    // Into the page as a bookmarklet would be: its policy lets nothing else in.
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

test('days are chosen by the form, and by the keyboard alone', async () => {
  const page = await open(quiet);
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

test('it is whole without its script', async () => {
  const page = await open(quiet, { javaScriptEnabled: false });
  assert.equal(await page.locator('.tiles strong').first().textContent(), '42');
  await page.locator('#pages').getByRole('link', { name: 'Entry page' }).click();
  await page.locator('#pages').getByText('/docs').waitFor();
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
  await page.waitForTimeout(500);  // for what should not happen
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
      await page.waitForTimeout(100);  // for what should not happen
      assert.equal(await page.evaluate(() => window.pwned), undefined);
      assert.equal(await page.locator('script:not([src^="/assets/share.js?v="]), img, [onerror], [onload]').count(), 0);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} pixels on a screen of ${width} with ${tabs}`);
      assert.deepEqual(page.problems, []);
      await page.context().close();
    }
  }
});
