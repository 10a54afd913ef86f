// The tracker. It sends a pageview for each page, and how long and how far the page was read. Other
// events are sent with plausible(). The daemon serves this script under every name that Plausible's
// snippets use. Options come from the attributes of the script's tag, from plausible.init({…}) and
// from the script's own name (script.hash.local.js).
!function (w, d) {
  var l = w.location, root = d.documentElement, stub = w.plausible || {}, held = [],
    tag = d.currentScript || d.querySelector('script#plausible,script[data-domain]'),
    attributes, options, is, api, domain, last, read, since = 0, engaged = 0, height, deepest, told;
  if (!tag || stub.l) return;
  attributes = tag.dataset;

  function on(target, kinds, action) { kinds.split(' ').forEach((kind) => target.addEventListener(kind, action, true)) }
  function each(list, action) { if (list) [...list].forEach(action) }
  function path() { return l.pathname + (is.hash ? l.hash : '') }

  // Shortens a URL of over 2,000 bytes, the server's limit, to its path and campaign parameters.
  function short(u) {
    var p = u.length > 2e3 && new URL(u, l);
    return p ? (p.origin + p.pathname.slice(0, 1e3) + '?' + (p.search.match(/(utm_\w+|ref|source)=[^&]{0,200}/g) || []).slice(0, 5).join('&')).slice(0, 2e3) : u
  }

  // Returns true if a list of patterns such as "/blog/*, /docs/**" matches the page's path. `*`
  // matches any characters except slashes; `**` also matches slashes.
  function lists(patterns) {
    return patterns.split(',').some((pattern) =>
      RegExp('^' + pattern.trim().replace(/[^\w*]/g, '\\$&').replace(/\*+/g, (stars) => stars[1] ? '.*' : '[^/]*') + '/?$').test(path()))
  }

  // Returns the reason why an event must not be sent; undefined if it may be sent.
  function obstacle(name) {
    try { if (w.localStorage.plausible_ignore === 'true') return 'localStorage' } catch (_) { }
    if (!is.local && (l.protocol === 'file:' || /^(localhost|127\.[\d.]+|\[::1?\])$/.test(l.hostname) || !w.__plausible && w.navigator.webdriver)) return 'no visitor';
    if (name === 'pageview' && (attributes.exclude && lists(attributes.exclude) || attributes.include && !lists(attributes.include))) return 'exclusion rule'
  }

  function post(payload, done) {
    w.fetch(api, { method: 'POST', keepalive: true, credentials: 'omit', headers: { 'Content-Type': 'text/plain' }, body: JSON.stringify(payload) })
      .then((reply) => ({ status: reply.status }), (error) => ({ error })).then(done)
  }

  function send(name, e) {
    e = e || {};
    if (!options) return held.push([name, e]);
    var why = obstacle(name), custom = options.customProperties, isPage = name === 'pageview', payload;
    if (isPage) leave(), read = 0;
    if (!why) {
      payload = {
        n: name, d: domain, u: short(e.url || e.u || l.href), r: d.referrer || null, w: w.innerWidth, h: is.hash ? 1 : 0,
        p: Object.assign({}, custom && custom.call ? custom(name) : custom, e.props || e.meta), $: e.revenue, i: e.interactive
      };
      each(tag.attributes, (a) => {
        var key = a.name.split(/^event-/)[1];
        if (key && !payload.p[key]) payload.p[key] = a.value
      });
      if (options.transformRequest && !(payload = options.transformRequest(payload))) why = 'transformRequest'
    }
    if (why) {
      if (options.logging !== false) console.warn('Ignoring ' + name + ': ' + why);
      return e.callback && e.callback()
    }
    if (isPage) read = payload, told = -1, deepest = engaged = 0, since = now(), scrolled();
    post(payload, e.callback)
  }

  // Returns the time if the page is visible and has the focus, so that it is being read; else 0.
  function now() { return d.visibilityState === 'visible' && d.hasFocus() ? Date.now() : 0 }
  function time() { return engaged + (since && Date.now() - since) }
  function scrolled() {
    height = Math.max(root.scrollHeight, d.body ? d.body.scrollHeight : 1);
    deepest = Math.max(deepest, Math.min(height, w.scrollY + w.innerHeight))
  }
  function looked() {
    engaged = time();
    since = now();
    if (!since) leave()
  }
  // Sends how long and how far the page was read, unless that is hardly more than was sent before.
  function leave() {
    var e = time();
    if (!read || deepest <= told && e < 3e3 || attributes.engagement === 'false') return;
    told = deepest;
    engaged = since = 0;
    post({ n: 'engagement', d: read.d, u: read.u, p: read.p, h: read.h, e: e, sd: Math.round(deepest / height * 100) })
  }

  function page() { if (last !== path()) last = path(), send('pageview') }

  // Returns the event that the classes of an element describe, such as plausible-event-name=Buy
  // plausible-revenue-amount=9.90; nothing if no class names an event.
  function tagged(element) {
    var event = { props: {} };
    each(is.tagged && element.classList, (name) => {
      var part = /^plausible-(event|revenue)-(.+?)(?:=|--)(.+)/.exec(name) || [], key = part[2], value = part[3];
      if (part[1] > 'f') (event.revenue = event.revenue || {})[key] = value;
      else if (key) (key === 'name' ? event : event.props)[key] = value.replace(/\+/g, ' ')
    });
    return event.name && event
  }

  // Sends the event of a click. The clicked element has the classes, or one of its three closest
  // ancestors does. For a form, submit() sends the event.
  function click(e) {
    var x = e.target, a = x.closest('a[href]'), i = 0, event, u, file;
    if (e.button > 1) return; // only the main and the middle button count
    for (; x && i < 4; x = x.parentNode, i++) {
      if (x.nodeName === 'FORM') { event = 0; break }
      event = event || tagged(x)
    }
    if (event) {
      if (a) event.props.url = a.href;
      return send(event.name, event)
    }
    try { u = new URL(a.href.baseVal || a.href, l) } catch (_) { return }
    if (!/^http/.test(u.protocol)) return;
    file = u.origin + u.pathname;
    if (is.outbound && u.host !== l.host) send('Outbound Link: Click', { props: { url: u.href } });
    else if (is.downloads && is.downloads.test(file)) send('File Download', { props: { url: file } })
  }

  function submit(e) {
    var form = e.target, event = tagged(form) || tagged(form.parentNode);
    if (event) send(event.name, event);
    else if (is.forms && (form.noValidate || form.checkValidity())) send('Form: Submission')
  }

  // Starts to count with the options `given`. Later calls do nothing.
  function init(given) {
    if (options) return;
    options = given || {};
    var extensions = tag.src.split(/[?#]/)[0].split('/').pop().split('.').slice(1), push = w.history.pushState, types = attributes.downloads, more = tag.getAttribute('add-file-types');
    function has(attribute, option, extension) {
      return attribute in attributes ? attributes[attribute] !== 'false' : option in options ? options[option] : extensions.includes(extension || attribute)
    }
    api = attributes.api || options.endpoint || new URL(tag.src).origin + '/api/event';
    domain = attributes.domain || options.domain || l.hostname.replace(/^www\./, '');
    is = {
      hash: has('hash', 'hashBasedRouting'), local: has('local', 'captureOnLocalhost'), outbound: has('outbound', 'outboundLinks', 'outbound-links'),
      downloads: has('downloads', 'fileDownloads', 'file-downloads'), forms: has('forms', 'formSubmissions'), tagged: given || has('tagged', '', 'tagged-events')
    };
    if (is.downloads) {
      types = types && types !== 'true' ? types : tag.getAttribute('file-types') || is.downloads.fileExtensions ||
        'pdf,zip,gz,7z,rar,iso,dmg,pkg,exe,msi,deb,rpm,apk,csv,txt,rtf,key,xlsx?,docx?,pps,pptx?,mp[34],mpeg,mov,avi,wm[va],wav,midi' + (more ? ',' + more : '');
      is.downloads = RegExp('\\.(' + String(types).replace(/\s*,\s*/g, '|') + ')$', 'i')
    }
    each((stub.q || []).concat(held), (call) => send(...call));
    on(d, 'click auxclick', click);
    on(d, 'submit', submit);
    on(d, 'visibilitychange', looked);
    on(w, 'blur focus', looked);
    on(w, 'scroll', scrolled);
    if (options.autoCapturePageviews === false || has('manual', '')) return;
    w.history.pushState = function () { push.apply(this, arguments), page() };
    on(w, 'popstate hashchange', page);
    on(w, 'pageshow', (e) => { if (e.persisted) last = 0, page() });
    // A page that is not visible yet, as in a background tab, counts once it becomes visible.
    d.visibilityState === 'visible' ? page() : on(d, 'visibilitychange', () => last || page())
  }

  w.plausible = send;
  send.l = 1;
  send.init = init;
  // A snippet's plausible.init() may run before or after this script. A script named pa-… is always
  // initialised by its snippet. Other scripts start by themselves, at the latest when the page is
  // parsed.
  if (stub.o) init(stub.o);
  else if (!/\/pa-[^\/]*$/.test(tag.src)) attributes.domain || d.readyState !== 'loading' ? init() : on(d, 'DOMContentLoaded', () => init())
}(window, document);
