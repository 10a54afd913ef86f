// Keeps the numbers of a shared page current. The page is complete without this script.
'use strict';
(() => {
  const CURRENT_EVERY = 15e3, SLOWEST = 10 * 60e3, PATIENCE = 30e3;  // milliseconds
  const body = document.body;

  // Tells the page that shows this one in a frame how high this page is, and nothing else. There,
  // embed.js sets the height of the frame.
  const isEmbedded = body.classList.contains('embedded');
  if (isEmbedded && parent !== window) {
    const tellHeight = () => parent.postMessage({ analyticsHeight: Math.ceil(body.offsetHeight) }, '*');
    new ResizeObserver(tellHeight).observe(body);
    addEventListener('message', (event) => {
      if (event.source === parent && event.data && event.data.analyticsAsksHeight) tellHeight();
    });
  }
  if (!body.dataset.live) return;

  const get = async (url) => {
    const reply = await fetch(url, { credentials: 'same-origin', redirect: 'error', signal: AbortSignal.timeout(PATIENCE) });
    if (!reply.ok) throw Object.assign(new Error(reply.status), { status: reply.status });
    return reply.text();
  };
  const setText = (id, text) => {
    const place = document.getElementById(id);
    if (place.textContent !== text) place.textContent = text;
  };

  // Describes the focused link by its section and URL. focusAgain() finds the same link in the new
  // page and focuses it, or else the section's title.
  const focusOf = (element) => {
    const section = element && element.closest('section[id]');
    return { section: section && section.id, href: element && element.getAttribute('href') };
  };
  const focusAgain = ({ section, href }) => {
    const place = section ? document.getElementById(section) : document.querySelector('main');
    if (!place || !href) return;
    const same = [...place.querySelectorAll('a')].find((link) => link.getAttribute('href') === href);
    (same || place.querySelector('h2')).focus({ preventScroll: true });
  };

  // Replaces the content of this page by that of the page at `url`. Returns false and does nothing if
  // a later call has begun meanwhile. Scripts of the new page do not run, and the focus stays where
  // it was.
  let asked = 0;
  const show = async (url) => {
    const turn = ++asked;
    const page = new DOMParser().parseFromString(await get(url), 'text/html');
    const main = page.querySelector('main'), current = page.getElementById('current');
    if (!main || !current) throw new Error('not the page');
    if (turn !== asked) return false;
    const focus = focusOf(document.activeElement);
    document.title = page.title;
    const open = document.querySelector('main .chart > details[open]') !== null;
    document.querySelector('main').replaceWith(main);
    setText('current', current.textContent);
    if (page.body.dataset.refresh) body.dataset.refresh = page.body.dataset.refresh;
    else delete body.dataset.refresh;
    const numbers = document.querySelector('main .chart > details');
    if (open && numbers) numbers.open = true;
    focusAgain(focus);
    return true;
  };

  const complain = (text, url) => {
    const alert = document.createElement('p');
    alert.className = 'problem';
    alert.setAttribute('role', 'alert');
    alert.textContent = text + ' ';
    if (url) alert.append(Object.assign(document.createElement('a'), { href: url, textContent: 'Try again' }));
    document.querySelectorAll('main > .problem').forEach((old) => old.remove());
    document.querySelector('main').prepend(alert);
  };
  const go = async (url, isNew) => {
    try {
      if (!await show(url)) return;
      if (isNew) history.pushState(null, '', url);
      setText('said', document.querySelector('.dates p').textContent + ': ' +
        (document.querySelector('.tiles a')?.textContent ?? ''));
    } catch (error) {
      if (error.status === 404 || error.status === 403) location.assign(url);
      else complain('The numbers could not be fetched.', url);
    }
  };

  const tip = document.createElement('p');
  tip.id = 'tip';
  let pointed = null, isTouchedFirst = false;
  const point = (event) => {
    const bar = event.target.closest && event.target.closest('.chart g');
    if (event.type === 'pointerdown') isTouchedFirst = event.pointerType === 'touch' && bar !== pointed;
    pointed = bar;
    if (!bar) return tip.remove();
    const chart = bar.closest('.chart'), box = chart.getBoundingClientRect();
    const title = bar.querySelector('title');
    if (title) { bar.dataset.tip = title.textContent; title.remove(); }  // the browser would show this title, too
    tip.textContent = bar.dataset.tip;
    chart.append(tip);
    const left = event.clientX - box.left;
    tip.style.left = Math.max(Math.min(left + 12, box.width - tip.offsetWidth - 4), 4) + 'px';
    tip.style.top = event.clientY - box.top - 36 + 'px';
  };
  document.addEventListener('pointermove', point);
  document.addEventListener('pointerdown', point);

  document.addEventListener('click', (event) => {
    const link = event.target.closest('main a[href], .views a[href]');
    if (!link || link.hasAttribute('download') || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // The first touch of a bar shows its numbers; touching the bar again opens its days.
    if (isTouchedFirst && link.closest('.chart .plot')) return;
    go(new URL(link.getAttribute('href'), location.href).href, true);  // in SVG, link.href is no text
  });
  window.addEventListener('popstate', () => go(location.href, false));

  // Escape closes an open menu, and so does a press outside of it.
  const closeMenus = (except) => document.querySelectorAll('.menu[open]').forEach((menu) => {
    if (!menu.contains(except)) menu.open = false;
  });
  document.addEventListener('pointerdown', (event) => closeMenus(event.target));
  document.addEventListener('keydown', (event) => {
    const menu = event.key === 'Escape' && document.querySelector('.menu[open]');
    if (!menu) return;
    closeMenus(null);
    menu.querySelector('summary').focus();
  });

  // Returns functions that read and write a value stored by the browser for this page. Browsers may
  // forbid storing.
  const memory = (name) => ({
    read: (otherwise) => {
      try { return JSON.parse(localStorage.getItem(name + ' ' + location.pathname)) ?? otherwise; } catch { return otherwise; }
    },
    write: (value) => {
      try { localStorage.setItem(name + ' ' + location.pathname, JSON.stringify(value)); } catch { /* storing is forbidden */ }
    },
  });
  const make = (tag, values, ...inner) => {
    const element = Object.assign(document.createElement(tag), values);
    element.append(...inner);
    return element;
  };

  // Handles keyboard shortcuts, unless the viewer is typing or has turned them off.
  const keys = document.getElementById('keys'), useKeys = document.getElementById('use-keys');
  const keysWanted = memory('keys');
  useKeys.checked = keysWanted.read(true);
  useKeys.addEventListener('change', () => keysWanted.write(useKeys.checked));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keys.open || !event.target.closest) return;
    if (event.target.closest('input, select, .scroll, .wide')) return;
    if (event.key === '?') return keys.showModal();
    if (!useKeys.checked) return;
    const place = document.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
    if (!place) return;
    event.preventDefault();
    place.click();
    if (place.tagName === 'SUMMARY') place.parentElement.querySelector('select').focus();
  });

  // Named views: the parameters of the page's URL without the link's token, stored only in this
  // browser.
  const kept = memory('views');
  const list = make('ul', {}), nameless = make('p', { textContent: 'None yet.' });
  const secret = new URLSearchParams(location.search).get('auth');
  const drawViews = () => {
    const views = kept.read([]);
    nameless.hidden = views.length > 0;
    list.replaceChildren(...views.map(({ name, query }, place) => make('li', {},
      make('a', { href: '?' + new URLSearchParams([['auth', secret], ...new URLSearchParams(query)]), textContent: name }),
      make('button', { type: 'button', textContent: '×', ariaLabel: 'Forget ' + name,
        onclick: () => { kept.write(kept.read([]).toSpliced(place, 1)); drawViews(); } }))));
  };
  const viewName = make('input', { required: true, maxLength: 60, ariaLabel: 'Name of this view', placeholder: 'Name' });
  const viewForm = make('form', {
    onsubmit: (event) => {
      event.preventDefault();
      const query = new URLSearchParams(location.search), name = viewName.value.trim();
      query.delete('auth');
      kept.write([...kept.read([]).filter((one) => one.name !== name), { name, query: String(query) }]);
      viewForm.reset();
      drawViews();
    },
  }, viewName, make('button', { textContent: 'Save this view' }));
  if (!isEmbedded) document.querySelector('header').append(
    make('details', { className: 'views menu' }, make('summary', { textContent: 'Views' }),
      make('div', {}, list, nameless, viewForm, make('p', { textContent: 'Kept in this browser.' }))),
    make('button', { type: 'button', className: 'keys', textContent: 'Keys', onclick: () => keys.showModal() }));
  drawViews();

  // Returns false while the viewer does something that new numbers would interrupt, such as typing
  // or selecting text.
  const isIdle = () => {
    const active = document.activeElement;
    const isChanged = [...document.querySelectorAll('main input')].some((one) => one.value !== one.defaultValue);
    const isChoosing = document.querySelector('main .menu[open]') !== null;
    return !isChanged && !isChoosing && !(active && active.closest('form, details')) && String(window.getSelection()) === '';
  };
  // Repeats `work`, one call at a time, more slowly while it fails. Stops once the page is no longer
  // shared.
  const every = (usualNow, work) => {
    let wait = usualNow();
    const turn = async () => {
      try {
        if (!document.hidden) await work();
        wait = usualNow();
        document.getElementById('live').classList.remove('stale');
      } catch (error) {
        if (error.status === 404) return complain('This page is not shared any more.');
        if (error.status === 403) return location.reload();  // the server asks for the password again
        wait = Math.min(2 * wait, SLOWEST);
        document.getElementById('live').classList.add('stale');
      }
      setTimeout(turn, wait);
    };
    setTimeout(turn, wait);
  };
  every(() => CURRENT_EVERY, async () => setText('current', String(JSON.parse(await get(body.dataset.live)))));
  // The page sets the interval, in seconds; none if its period is over, because the numbers of past
  // periods do not change.
  every(() => (body.dataset.refresh || 60) * 1e3, async () => {
    const url = location.href;
    if (body.dataset.refresh && isIdle()) await show(url);
  });
})();
