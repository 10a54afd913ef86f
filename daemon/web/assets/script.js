// The tracker: one pageview a page, plausible() for everything else. Attributes of its script tag:
// data-domain, data-api, data-hash, data-outbound, data-downloads[="pdf,zip"], data-local.
!function (w, d) {
  var l = w.location, s = d.currentScript, o = s.dataset, has = function (k) { return k in o }, last,
    api = o.api || new URL(s.src).origin + '/api/event',
    local = l.protocol === 'file:' || /^(localhost|127\.[\d.]+|\[::1?\])$/.test(l.hostname),
    types = (o.downloads || 'pdf,zip,gz,dmg,exe,msi,deb,rpm,apk,csv,xls,xlsx,doc,docx,ppt,pptx,mp3,mp4,mov,rar,7z,iso').split(',');

  function send(name, e) {
    e = e || {};
    var done = e.callback || function () { }, ignored;
    try { ignored = w.localStorage.plausible_ignore === 'true' } catch (_) { }
    if (ignored || local && !has('local')) return done();
    w.fetch(api, {
      method: 'POST', keepalive: true, credentials: 'omit', headers: { 'Content-Type': 'text/plain' },
      body: JSON.stringify({
        n: name, d: o.domain || l.hostname, u: e.url || e.u || l.href, r: d.referrer || null, w: w.innerWidth,
        h: has('hash') ? 1 : 0, p: e.props, $: e.revenue, i: e.interactive
      })
    }).then(function (r) { done({ status: r.status }) }, function (error) { done({ error: error }) })
  }

  function page() {
    var now = l.pathname + (has('hash') ? l.hash : '');
    if (last !== now) send('pageview'), last = now
  }

  function click(e) {
    var a = e.target.closest && e.target.closest('a[href]'), file;
    if (!a || e.type === 'auxclick' && e.button !== 1) return;
    file = types.indexOf(a.pathname.split('.').pop().toLowerCase()) >= 0;
    if (has('downloads') && file) send('File Download', { props: { url: a.href.split('?')[0] } });
    else if (has('outbound') && a.host && a.host !== l.host && /^http/.test(a.protocol))
      send('Outbound Link: Click', { props: { url: a.href } })
  }

  var queue = (w.plausible || {}).q || [], push = w.history.pushState;
  w.plausible = send;
  queue.forEach(function (call) { send.apply(null, call) });
  w.history.pushState = function () { push.apply(this, arguments), page() };
  w.addEventListener('popstate', page);
  w.addEventListener('hashchange', page);
  w.addEventListener('pageshow', function (e) { if (e.persisted) last = 0, page() });
  if (has('outbound') || has('downloads')) d.addEventListener('click', click), d.addEventListener('auxclick', click);
  d.prerendering ? d.addEventListener('prerenderingchange', page, { once: true }) : page()
}(window, document);
