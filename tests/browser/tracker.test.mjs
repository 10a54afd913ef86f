import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { build } from 'esbuild';
import { Service, eventually, openBrowser, patience, servePages, userAgent } from './service.mjs';

let service, browser, site, page;

before(async () => { browser = await openBrowser(); });
after(async () => { await browser.close(); });
beforeEach(async () => {
  service = await Service.start();
  await service.site('site.example');
  page = await openPage({ userAgent });
});
afterEach(async () => {
  if (site) site.close();
  site = undefined;
  await page?.context().close();
  page = undefined;
  await service?.end();
  service = undefined;
});

const openPage = async (options) => {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience);
  return context.newPage();
};
/// A site whose pages have that script tag and body; its first page is opened.
const visit = async (attributes, body = '', pages = {}) => {
  const html = `<!doctype html><script defer ${attributes}></script><body>${body}`;
  site = await servePages({ '*': html, ...pages });
  await page.goto(site.url + '/first?utm_source=ads');
};
const ours = (more = '') => `data-domain="site.example" data-local ${more} src="${service.url}/js/script.js"`;
const paths = (rows) => rows.map((row) => row.name + ' ' + row.path);

test('a pageview a page, also where a script changes it, and none for what is no new page', async () => {
  await visit(ours());
  await service.stored(1);
  await page.evaluate(() => { history.pushState(null, '', '/second'); history.pushState(null, '', '/second'); });
  await page.evaluate(() => history.replaceState(null, '', '/second?x=1'));
  await page.evaluate(() => { location.hash = 'part'; });
  await service.stored(2);
  await page.evaluate(() => history.go(-3));
  await page.waitForFunction(() => location.pathname === '/first');
  assert.deepEqual(paths(await service.stored(3)), ['pageview /first', 'pageview /second', 'pageview /first']);
  assert.match(service.rows('SELECT utm_source FROM event_text LIMIT 1'), /ads/);
});

test('loaded twice it counts once; a long address loses its query, not the pageview', async () => {
  await visit(ours(), `<script defer ${ours()}></script><script type=module src="/again.js"></script>`,
    { '/again.js': `await import('${service.url}/js/script.js')` });
  await service.stored(1);
  await page.evaluate(() => history.pushState(null, '', '/long?utm_campaign=autumn&gclid=' + 'x'.repeat(2500)));
  assert.deepEqual(paths(await service.stored(2)), ['pageview /first', 'pageview /long']);
  assert.match(service.rows("SELECT utm_campaign FROM event_text WHERE path = '/long'"), /autumn/);
});

test('data-hash makes pages of fragments', async () => {
  await visit(ours('data-hash'));
  await service.stored(1);
  await page.evaluate(() => { location.hash = '#/inner'; });
  assert.deepEqual(paths(await service.stored(2)), ['pageview /first', 'pageview /first#/inner']);
});

test('custom events with props and revenue, called before and after the script is there', async () => {
  await visit(ours(), '<script>window.plausible=window.plausible||function(){(plausible.q=plausible.q||[]).push(arguments)};' +
    "plausible('Early',{props:{a:1}})</script>");
  await service.stored(2);
  const status = await page.evaluate(() => new Promise((resolve) => window.plausible('Buy', {
    props: { plan: 'pro' }, revenue: { amount: '9.90', currency: 'EUR' }, callback: resolve })));
  assert.deepEqual(status, { status: 202 });
  const rows = await service.stored(3);
  assert.deepEqual(rows.filter((row) => row.name !== 'pageview').map((row) => row.name + row.props),
    ['Early{"a":"1"}', 'Buy{"plan":"pro"}']);
  assert.match(service.rows('SELECT revenue_micros FROM events WHERE revenue_micros IS NOT NULL'), /9900000/);
});

test('outbound links and downloads, where they are asked for', async () => {
  await visit(ours('data-outbound data-downloads'),
    '<a id=out href="http://127.0.0.2:9/x">out</a><a id=file href="/a.pdf?x=1">file</a><a id=in href="#top">in</a>' +
    '<a id=mail href="mailto:me@studio.mov">mail</a><a id=no href="http://127.0.0.2:9/n" onclick="return false">no</a>' +
    '<svg><a id=svg href="http://127.0.0.2:9/svg"><text y=20>svg</text></a></svg>');
  await service.stored(1);
  await page.evaluate(() => window.addEventListener('click', (event) => event.preventDefault()));
  for (const id of ['mail', 'no', 'out', 'file', 'in', 'svg']) await page.click('#' + id);
  const clicks = (await service.stored(4)).filter((row) => row.name !== 'pageview');
  assert.deepEqual(clicks.map((row) => row.name + ' ' + JSON.parse(row.props).url).sort(), // they may overtake each other
    ['File Download ' + site.url + '/a.pdf', 'Outbound Link: Click http://127.0.0.2:9/svg', 'Outbound Link: Click http://127.0.0.2:9/x']);
});

test('local files, and who wants to be ignored, are not counted', async () => {
  await visit(`data-domain="site.example" src="${service.url}/js/script.js"`);
  assert.equal(await page.evaluate(() => new Promise((resolve) => plausible('X', { callback: (r) => resolve(r === undefined) }))), true);
  await page.context().close();
  page = await openPage({ userAgent });
  await page.addInitScript(() => localStorage.setItem('plausible_ignore', 'true'));
  site.close();
  await visit(ours());
  await page.evaluate(() => new Promise((resolve) => plausible('X', { callback: resolve })));
  await service.stored(0);
});

// The host is the page's own, so that no domain has to be named: a site of that name is made.
const snippets = [
  ['the first snippets: plausible.js', (url) => `<script async defer data-domain="site.example" src="${url}/js/plausible.js" data-local></script>`, 'site.example'],
  ['the usual one of 2023: script.js with extensions', (url) => `<script defer data-domain="site.example" src="${url}/js/script.hash.outbound-links.local.js"></script>
    <script>window.plausible = window.plausible || function() { (window.plausible.q = window.plausible.q || []).push(arguments) }</script>`, 'site.example'],
  ['the one of 2025: pa-….js with init()', (url) => `<script async src="${url}/js/pa-hQ2vXw7cYk.js"></script>
    <script>window.plausible=window.plausible||function(){(plausible.q=plausible.q||[]).push(arguments)},plausible.init=plausible.init||function(i){plausible.o=i||{}};
    plausible.init({captureOnLocalhost: true})</script>`, '127.0.0.1'],
  ['init() with a domain, an endpoint and hash pages', (url) => `<script>window.plausible=window.plausible||function(){(plausible.q=plausible.q||[]).push(arguments)},plausible.init=plausible.init||function(i){plausible.o=i||{}};
    plausible.init({domain: 'site.example', endpoint: '${url}/api/event', hashBasedRouting: true, captureOnLocalhost: true})</script>
    <script async src="${url}/js/pa-x.js"></script>`, 'site.example'],
  ['behind a proxy: index.js, no domain named', (url) => `<script src="${url}/js/index.local.js"></script>`, '127.0.0.1'],
];
for (const [name, snippet, domain] of snippets) {
  test('with only the host changed: ' + name, async () => {
    if (domain !== 'site.example') await service.site(domain);
    site = await servePages({ '*': '<!doctype html><title>x</title>' + snippet(service.url) + '<body>' });
    await page.goto(site.url + '/first');
    assert.deepEqual(paths(await service.stored(1)), ['pageview /first']);
    const status = await page.evaluate(() => new Promise((resolve) => plausible('Signup', { callback: resolve })));
    assert.deepEqual(status, { status: 202 });
    await page.evaluate(() => { location.hash = '#part'; });
    const counts_hash = /hash/.test(snippet(''));
    assert.deepEqual(paths(await service.stored(counts_hash ? 3 : 2)).slice(2), counts_hash ? ['pageview /first#part'] : []);
    assert.match(service.rows('SELECT DISTINCT site FROM event_text'), new RegExp(domain.replaceAll('.', '\\.')));
  });
}

test('manual: no pageview but those that the page sends', async () => {
  await visit(`data-domain="site.example" src="${service.url}/js/script.manual.local.js"`);
  await page.evaluate(() => plausible('pageview', { u: location.origin + '/made-up' }));
  assert.deepEqual(paths(await service.stored(1)), ['pageview /made-up']);
});

test('a script name that asks for a file-downloads extension counts downloads', async () => {
  await visit(`data-domain="site.example" src="${service.url}/js/script.file-downloads.local.js"`, '<a id=file href="/a.pdf">file</a>');
  await service.stored(1);
  await page.evaluate(() => window.addEventListener('click', (event) => event.preventDefault()));
  await page.click('#file');
  assert.equal((await service.stored(2))[1].name, 'File Download');
});

test('of a URL that is too long the page and its campaign are counted', async () => {
  await visit(ours());
  await service.stored(1);
  await page.evaluate(() => history.pushState(null, '', '/long?' + 'x'.repeat(3000) + '&utm_source=ads'));
  await service.stored(2); // else the next may overtake it
  await page.evaluate(() => history.pushState(null, '', '/' + 'y'.repeat(3000)));
  const rows = await service.stored(3);
  assert.deepEqual(rows.map((row) => row.path), ['/first', '/long', '/' + 'y'.repeat(999)]);
  assert.match(service.rows("SELECT utm_source FROM event_text WHERE path = '/long'"), /ads/);
});

test('without scripts the image counts', async () => {
  await page.context().close();
  page = await openPage({ userAgent, javaScriptEnabled: false });
  await visit(ours(), `<noscript><img src="${service.url}/api/pixel.gif?d=site.example" referrerpolicy="unsafe-url"></noscript>`);
  assert.deepEqual(paths(await service.stored(1)), ['pageview /first']);
});

const bundle = async (code) => (await build({
  stdin: { contents: code, resolveDir: process.cwd() }, bundle: true, write: false, format: 'iife', logLevel: 'error',
})).outputFiles[0].text;

test('the npm package plausible-tracker works unchanged', async () => {
  const code = await bundle(`
    import Plausible from 'plausible-tracker';
    const p = Plausible({ domain: 'site.example', trackLocalhost: true, apiHost: '${service.url}' });
    p.enableAutoPageviews();
    p.enableAutoOutboundTracking();
    window.done = new Promise((resolve) => p.trackEvent('Signup', { callback: resolve, props: { plan: 'pro' } }));`);
  await visit('', '<script src="/bundle.js"></script>', { '/bundle.js': code });
  await page.evaluate(() => window.done);
  await page.evaluate(() => history.pushState(null, '', '/second'));
  const rows = await service.stored(3);
  assert.deepEqual(paths(rows).sort(), ['Signup /first', 'pageview /first', 'pageview /second']);
  assert.equal(rows.find((row) => row.name === 'Signup').props, '{"plan":"pro"}');
});

test('the npm package @plausible-analytics/tracker works unchanged', async () => {
  const code = await bundle(`
    import { init, track } from '@plausible-analytics/tracker';
    init({ domain: 'site.example', endpoint: '${service.url}/api/event', captureOnLocalhost: true, outboundLinks: true, autoCapturePageviews: true });
    window.done = new Promise((resolve) => track('Signup', {
      callback: resolve, props: { plan: 'pro' }, revenue: { amount: 5, currency: 'USD' } }));`);
  await visit('', '<script src="/bundle.js"></script>', { '/bundle.js': code });
  assert.equal((await page.evaluate(() => window.done)).status, 202);
  await page.evaluate(() => history.pushState(null, '', '/second'));
  await eventually(() => /second/.test(service.rows("SELECT path FROM event_text WHERE name='pageview'")));
  const rows = JSON.parse(service.rows("SELECT name, path FROM event_text WHERE name != 'engagement' ORDER BY name, path"));
  assert.deepEqual(paths(rows), ['Signup /first', 'pageview /first', 'pageview /second']);
  assert.match(service.rows('SELECT revenue_micros FROM events WHERE revenue_micros IS NOT NULL'), /5000000/);
});
