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
  await page?.unrouteAll({ behavior: 'wait' });  // requests of the page may be running
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
/// Serves a site whose pages have a script tag with these attributes and this body, and opens the
/// first page.
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
    '<a id=mail href="mailto:me@studio.mov">mail</a><a id=both href="http://127.0.0.2:9/b.pdf" onclick="return false">both</a>' +
    '<svg><a id=svg href="http://127.0.0.2:9/svg"><text y=20>svg</text></a></svg>');
  await service.stored(1);
  await page.evaluate(() => window.addEventListener('click', (event) => event.preventDefault()));
  for (const id of ['mail', 'both', 'out', 'file', 'in', 'svg']) await page.click('#' + id);
  const clicks = (await service.stored(5)).filter((row) => row.name !== 'pageview');
  assert.deepEqual(clicks.map((row) => row.name + ' ' + JSON.parse(row.props).url).sort(), // events arrive in any order
    ['File Download ' + site.url + '/a.pdf', 'Outbound Link: Click http://127.0.0.2:9/b.pdf',
      'Outbound Link: Click http://127.0.0.2:9/svg', 'Outbound Link: Click http://127.0.0.2:9/x']);
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

test('a browser that a program drives is not counted, unless the page says so', async () => {
  await page.route('http://site.example/**', async (route) => {  // the site's own proxy
    const { pathname } = new URL(route.request().url());
    if (/^.(js|api)./.test(pathname)) return route.fulfill({ response: await route.fetch({ url: service.url + pathname }) });
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><script defer src="/js/script.js"></script>' });
  });
  const driven = () => Object.defineProperty(navigator, 'webdriver', { get: () => true });
  await page.goto('http://site.example/person');
  await service.stored(1);
  await page.addInitScript(driven);
  await page.goto('http://site.example/program');
  assert.equal(await page.evaluate(() => new Promise((resolve) => plausible('X', { callback: (r) => resolve(r === undefined) }))), true);
  await page.addInitScript(() => { window.__plausible = true; });
  await page.goto('http://site.example/checked');
  assert.deepEqual(paths(await service.stored(2)), ['pageview /person', 'pageview /checked']);
});

// Snippets of Plausible, and the domain that each one counts for. A snippet without a domain counts
// for the page's host.
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
  // The next snippets are as themes and plugins of site generators write them.
  ['Next: a script made after the page was loaded', (url) => `<script>addEventListener('load', () => { const s = document.createElement('script');
    s.id = 'plausible'; s.defer = true; s.dataset.domain = 'site.example'; s.src = '${url}/js/script.local.js'; document.head.appendChild(s) })</script>`, 'site.example'],
  ['WordPress: properties of the page, a version behind the name', (url) => `<script defer data-domain='site.example' data-api='${url}/api/event' data-cfasync='false' event-author='ann'
    src='${url}/js/plausible.outbound-links.pageview-props.compat.tagged-events.local.js?ver=2.0.9' id='plausible-analytics-js'></script>
    <script id='plausible-analytics-js-after'>window.plausible = window.plausible || function() { (window.plausible.q = window.plausible.q || []).push(arguments) }</script>`, 'site.example'],
  ['Gatsby: async and defer, the stub behind it', (url) => `<link rel="preconnect" href="${url}"><script async defer data-domain="site.example" src="${url}/js/plausible.local.js"></script>
    <script>window.plausible = window.plausible || function() { (window.plausible.q = window.plausible.q || []).push(arguments) };</script>`, 'site.example'],
  ['Hugo: inserted before the first script, an address of its own', (url) => `<script>(function (d) { var s = d.createElement('script'); s.defer = true; s.setAttribute('data-domain', 'site.example');
    s.setAttribute('data-api', '${url}/api/event'); s.src = '${url}/js/script.exclusions.local.js'; d.head.insertBefore(s, d.scripts[0]) })(document)</script>`, 'site.example'],
  ['Docusaurus: async, revenue and downloads', (url) => `<script async data-domain="site.example" src="${url}/js/script.file-downloads.revenue.local.js"></script>`, 'site.example'],
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

// The names of the classes are those in Plausible's guide to custom event goals.
test('elements with classes of Plausible count as custom events, forms when they are sent', async () => {
  await visit(`data-domain="site.example" src="${service.url}/js/script.tagged-events.outbound-links.revenue.local.js"`,
    `<button id=plain class="btn plausible-event-name=Button+Click plausible-event-place=foot--er">x</button>
    <div class="plausible-event-name--Card"><p><b id=deep>x</b></p></div>
    <div class="plausible-event-name=Far"><p><i><s><b id=far>x</b></s></i></p></div>
    <a id=link class="plausible-event-name=Buy plausible-revenue-amount=12.50 plausible-revenue-currency=EUR" href="http://127.0.0.2:9/x">x</a>
    <form class="plausible-event-name=Contact plausible-event-kind=a+b"><button id=sent class="plausible-event-name=No">x</button></form>
    <form><input required><button id=invalid>x</button></form><form><button id=untagged>x</button></form>`);
  await service.stored(1);
  await page.evaluate(() => ['click', 'submit'].forEach((kind) => window.addEventListener(kind, (event) => event.target.nodeName === 'BUTTON' && kind === 'click' || event.preventDefault())));
  for (const id of ['plain', 'deep', 'far', 'link', 'sent', 'invalid', 'untagged']) await page.click('#' + id);
  const rows = (await service.stored(5)).filter((row) => row.name !== 'pageview');
  assert.deepEqual(rows.map((row) => row.name + ' ' + row.props).sort(), [
    'Button Click {"place":"foot--er"}', 'Buy {"url":"http://127.0.0.2:9/x"}', 'Card null', 'Contact {"kind":"a b"}']);
  assert.match(service.rows('SELECT revenue_micros FROM events WHERE revenue_micros IS NOT NULL'), /12500000/);
});

test('the options of plausible.init(): forms, file types, properties, and a change to each request', async () => {
  await service.site('127.0.0.1');
  site = await servePages({ '*': `<!doctype html><body><form><button id=form>x</button></form><form novalidate><input required><button id=loose>x</button></form>
    <form><input required><button id=invalid>x</button></form><a id=odt href="/a.odt">x</a><a id=pdf href="/a.pdf">x</a><b id=tag class="plausible-event-name=Tag">x</b>
    <script>window.plausible=window.plausible||function(){(plausible.q=plausible.q||[]).push(arguments)},plausible.init=plausible.init||function(i){plausible.o=i||{}};
    plausible.init({captureOnLocalhost: true, formSubmissions: true, fileDownloads: {fileExtensions: ['odt']},
      customProperties: (name) => ({name, plan: 'free'}), transformRequest: (r) => r.n === 'Secret' ? null : (r.u = r.u.replace('first', 'changed'), r)})</script>
    <script async src="${service.url}/js/pa-x.js"></script>` });
  await page.goto(site.url + '/first');
  await service.stored(1);
  await page.evaluate(() => ['click', 'submit'].forEach((kind) => window.addEventListener(kind, (event) => event.target.nodeName === 'BUTTON' && kind === 'click' || event.preventDefault())));
  for (const id of ['form', 'loose', 'invalid', 'odt', 'pdf', 'tag']) await page.click('#' + id);
  assert.equal(await page.evaluate(() => new Promise((resolve) => plausible('Secret', { callback: (r) => resolve(r === undefined) }))), true);
  await page.evaluate(() => new Promise((resolve) => plausible('Own', { props: { plan: 'pro' }, callback: resolve })));
  const rows = await service.stored(6);
  assert.deepEqual(rows.map((row) => row.name + ' ' + row.path + ' ' + row.props).sort(), [
    'File Download /changed {"name":"File Download","plan":"free","url":"' + site.url + '/a.odt"}',
    'Form: Submission /changed {"name":"Form: Submission","plan":"free"}', 'Form: Submission /changed {"name":"Form: Submission","plan":"free"}',
    'Own /changed {"name":"Own","plan":"pro"}', 'Tag /changed {"name":"Tag","plan":"free"}', 'pageview /changed {"name":"pageview","plan":"free"}']);
});

test('event-… attributes of the tag are properties of each event; compat finds the tag by its id', async () => {
  const url = service.url + '/js/script.compat.pageview-props.local.js';
  await visit('', `<script id="plausible" type="text/later" data-domain="site.example" event-author="Ann" event-Kind="post" src="${url}"></script>
    <script type=module>await import('${url}')</script>`);
  await service.stored(1);
  await page.evaluate(() => new Promise((resolve) => plausible('Own', { props: { author: 'Bob' }, callback: resolve })));
  assert.deepEqual((await service.stored(2)).map((row) => row.name + row.props),
    ['pageview{"author":"Ann","kind":"post"}', 'Own{"author":"Bob","kind":"post"}']);
});

test('a page that is left tells how long and how far it was read, once', async () => {
  await visit(ours('data-hash event-author="Ann"'), '<div style="height:4000px">long</div>');
  await service.stored(1);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2 - innerHeight));
  await page.waitForFunction(() => scrollY > 0);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))); // handles its scroll event
  const sent = [];
  page.on('request', (request) => sent.push(JSON.parse(request.postData() ?? '{}')));
  const read = () => sent.filter((body) => body.n === 'engagement');
  await page.evaluate(() => { location.hash = '#/inner'; });
  await service.stored(2);
  const [first] = read();
  assert.match(first.u, /first/);
  assert.deepEqual([first.d, first.h, first.p], ['site.example', 1, { author: 'Ann' }]);
  assert.ok(first.sd >= 48 && first.sd <= 52 && first.e >= 0, JSON.stringify(first));
  const hidden = () => page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await hidden();
  await hidden();
  await page.evaluate(() => plausible('Own', {}));
  await service.stored(3);
  assert.equal(read().length, 2);
  assert.match(read()[1].u, /inner/);
  assert.ok(await eventually(() => /2/.test(service.rows("SELECT count(*) n FROM event_text WHERE name = 'engagement'"))));
});

test('nothing is told of a page that does not count, nor where it is not wanted', async () => {
  await visit(ours('data-engagement="false"'));
  await service.stored(1);
  const sent = [];
  page.on('request', (request) => sent.push(request.postData()));
  await page.evaluate(() => history.pushState(null, '', '/second'));
  await service.stored(2);
  assert.equal(sent.filter((body) => /engagement/.test(body)).length, 0);
});

test('data-exclude and data-include keep pageviews out, and nothing else', async () => {
  await visit(ours('data-exclude="/secret/*, /deep/**, /a.b" data-include="/**"').replace('script.js', 'script.exclusions.js'));
  await service.stored(1);
  for (const path of ['/secret/1', '/secret/1/2', '/deep/1/2', '/a.b', '/axb', '/last'])
    await page.evaluate((p) => history.pushState(null, '', p), path);
  await page.evaluate(() => history.pushState(null, '', '/secret/3'));
  await page.evaluate(() => new Promise((resolve) => plausible('Own', { callback: resolve })));
  assert.deepEqual(paths(await service.stored(5)).sort(),
    ['Own /secret/3', 'pageview /axb', 'pageview /first', 'pageview /last', 'pageview /secret/1/2']);
});

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
  await service.stored(2); // otherwise the next event could arrive first
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
