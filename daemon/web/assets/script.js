// The tracker: one pageview per page, plausible() for everything else. It is served under every name
// that Plausible's snippets use. Options come from the script's own name (script.hash.local.js), from
// the attributes of its tag (data-domain, data-api, data-hash, data-outbound, data-downloads[="pdf,zip"],
// data-local, data-manual) and from plausible.init({…}).
!function (w, d) {
  var l = w.location, names = /\/js\/(script|plausible|analytics|index|pa-)[^\/]*\.js/, stub = w.plausible || {}, attributes, extensions, options, last, api, local, types, held = [], push = w.history.pushState,
    s = d.currentScript || [].filter.call(d.scripts, function (x) { return names.test(x.src) })[0];
  if (!s || stub.l) return;
  attributes = s.dataset;
  extensions = s.src.split(/[?#]/)[0].split('/').pop().split('.').slice(1, -1);
  local = l.protocol === 'file:' || /^(localhost|127\.[\d.]+|\[::1?\])$/.test(l.hostname);

  // An option is on by an attribute, by the script's name, or by plausible.init().
  function has(attribute, extension, option) {
    return attribute in attributes ? attributes[attribute] !== 'false' : option in options ? !!options[option] : extensions.indexOf(extension) >= 0
  }
  function hash() { return has('hash', 'hash', 'hashBasedRouting') }
  function outbound() { return has('outbound', 'outbound-links', 'outboundLinks') }
  function downloads() { return has('downloads', 'file-downloads', 'fileDownloads') }

  // The server takes 2000 bytes: of a longer one the page and its campaign.
  function short(u) {
    var p = u.length > 2e3 && new URL(u);
    return p ? (p.origin + p.pathname.slice(0, 1e3) + '?' + (p.search.match(/(utm_\w+|ref|source)=[^&]{0,200}/g) || []).slice(0, 5).join('&')).slice(0, 2e3) : u
  }

  function send(name, e) {
    e = e || {};
    var done = e.callback || function () { }, ignored;
    try { ignored = w.localStorage.plausible_ignore === 'true' } catch (_) { }
    if (!options) return held.push([name, e]);
    if (ignored || local && !has('local', 'local', 'captureOnLocalhost')) return done();
    w.fetch(api, {
      method: 'POST', keepalive: true, credentials: 'omit', headers: { 'Content-Type': 'text/plain' },
      body: JSON.stringify({
        n: name, d: attributes.domain || options.domain || l.hostname.replace(/^www\./, ''), u: short(e.url || e.u || l.href), r: d.referrer || null, w: w.innerWidth,
        h: hash() ? 1 : 0, p: e.props, $: e.revenue, i: e.interactive
      })
    }).then(function (r) { done({ status: r.status }) }, function (error) { done({ error: error }) })
  }

  function page() {
    var now = l.pathname + (hash() ? l.hash : '');
    if (last !== now) send('pageview'), last = now
  }

  function click(e) {
    var a = e.target.closest && e.target.closest('a[href]'), u;
    if (!a || e.defaultPrevented || e.type === 'auxclick' && e.button !== 1) return;
    try { u = new URL(a.href.baseVal || a.href, l) } catch (_) { return }
    if (!/^http/.test(u.protocol)) return;
    if (downloads() && (a.hasAttribute('download') || types.indexOf(u.pathname.split('.').pop().toLowerCase()) >= 0))
      send('File Download', { props: { url: u.origin + u.pathname } });
    else if (outbound() && u.host !== l.host) send('Outbound Link: Click', { props: { url: u.href } })
  }

  // Starts counting. Later calls change nothing: a page is initialised once.
  function init(given) {
    var wanted, auto;
    if (options) return;
    options = given || {};
    api = attributes.api || options.endpoint || new URL(s.src).origin + '/api/event';
    wanted = attributes.downloads && attributes.downloads !== 'true' ? attributes.downloads : (options.fileDownloads || {}).fileExtensions;
    types = String(wanted || 'pdf,zip,gz,dmg,exe,msi,deb,rpm,apk,csv,xls,xlsx,doc,docx,ppt,pptx,mp3,mp4,mov,rar,7z,iso').split(/\s*,\s*/);
    auto = !('manual' in attributes ? attributes.manual !== 'false' : 'autoCapturePageviews' in options ? !options.autoCapturePageviews : extensions.indexOf('manual') >= 0);
    (stub.q || []).concat(held).forEach(function (call) { send.apply(null, call) });
    if (outbound() || downloads()) w.addEventListener('click', click), w.addEventListener('auxclick', click);
    if (!auto) return;
    w.history.pushState = function () { push.apply(this, arguments), page() };
    w.addEventListener('popstate', page);
    w.addEventListener('hashchange', page);
    w.addEventListener('pageshow', function (e) { if (e.persisted) last = 0, page() });
    d.prerendering ? d.addEventListener('prerenderingchange', page, { once: true }) : page()
  }

  w.plausible = send;
  send.l = 1;
  send.init = init;
  // A snippet's plausible.init() may run before or after this script. One named pa-… is always
  // initialised by its snippet; others start by themselves, at the latest when the page is parsed.
  if (stub.o) init(stub.o);
  else if (!/\/pa-[^\/]*$/.test(s.src)) attributes.domain || d.readyState !== 'loading' ? init() : d.addEventListener('DOMContentLoaded', function () { init() })
}(window, document);
