// The tracker: one pageview a page, plausible() for everything else. Attributes of its script tag:
// data-domain, data-api, data-hash, data-outbound, data-downloads[="pdf,zip"], data-local.
!function (w, d) {
  var l = w.location, s = d.currentScript || d.querySelector('script[data-domain][src*="/js/script"]'), o, last, api, local, types;
  if (!s || w.plausible && w.plausible.l) return;
  o = s.dataset;
  api = o.api || new URL(s.src).origin + '/api/event';
  local = l.protocol === 'file:' || /^(localhost|127\.[\d.]+|\[::1?\])$/.test(l.hostname);
  types = (o.downloads && o.downloads !== 'true' ? o.downloads : 'pdf,zip,gz,dmg,exe,msi,deb,rpm,apk,csv,xls,xlsx,doc,docx,ppt,pptx,mp3,mp4,mov,rar,7z,iso').split(/\s*,\s*/);

  function has(k) { return k in o && o[k] !== 'false' }

  // The server takes 2000 bytes: of a longer one the page and its campaign.
  function short(u) {
    var p = u.length > 2e3 && new URL(u);
    return p ? p.origin + p.pathname.slice(0, 1e3) + '?' + (p.search.match(/(utm_\w+|ref|source)=[^&]{0,200}/g) || []).slice(0, 5).join('&') : u
  }

  function send(name, e) {
    e = e || {};
    var done = e.callback || function () { }, ignored;
    try { ignored = w.localStorage.plausible_ignore === 'true' } catch (_) { }
    if (ignored || local && !has('local')) return done();
    w.fetch(api, {
      method: 'POST', keepalive: true, credentials: 'omit', headers: { 'Content-Type': 'text/plain' },
      body: JSON.stringify({
        n: name, d: o.domain || l.hostname, u: short(e.url || e.u || l.href), r: d.referrer || null, w: w.innerWidth,
        h: has('hash') ? 1 : 0, p: e.props, $: e.revenue, i: e.interactive
      })
    }).then(function (r) { done({ status: r.status }) }, function (error) { done({ error: error }) })
  }

  function page() {
    var now = l.pathname + (has('hash') ? l.hash : '');
    if (last !== now) send('pageview'), last = now
  }

  function click(e) {
    var a = e.target.closest && e.target.closest('a[href]'), u;
    if (!a || e.defaultPrevented || e.type === 'auxclick' && e.button !== 1) return;
    try { u = new URL(a.href.baseVal || a.href, l) } catch (_) { return }
    if (!/^http/.test(u.protocol)) return;
    if (has('downloads') && (a.hasAttribute('download') || types.indexOf(u.pathname.split('.').pop().toLowerCase()) >= 0))
      send('File Download', { props: { url: u.origin + u.pathname } });
    else if (has('outbound') && u.host !== l.host) send('Outbound Link: Click', { props: { url: u.href } })
  }

  var queue = (w.plausible || {}).q || [], push = w.history.pushState;
  w.plausible = send;
  send.l = 1;
  queue.forEach(function (call) { send.apply(null, call) });
  w.history.pushState = function () { push.apply(this, arguments), page() };
  w.addEventListener('popstate', page);
  w.addEventListener('hashchange', page);
  w.addEventListener('pageshow', function (e) { if (e.persisted) last = 0, page() });
  if (has('outbound') || has('downloads')) w.addEventListener('click', click), w.addEventListener('auxclick', click);
  d.prerendering ? d.addEventListener('prerenderingchange', page, { once: true }) : page()
}(window, document);
