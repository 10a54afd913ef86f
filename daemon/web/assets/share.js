// Keeps the shared page live: the page itself is whole without it.
'use strict';
(() => {
  const CURRENT_EVERY = 15e3, PAGE_EVERY = 60e3, SLOWEST = 10 * 60e3, PATIENCE = 30e3;  // milliseconds
  const body = document.body;
  if (!body.dataset.live) return;

  const get = async (url) => {
    const reply = await fetch(url, { credentials: 'omit', redirect: 'error', signal: AbortSignal.timeout(PATIENCE) });
    if (!reply.ok) throw Object.assign(new Error(reply.status), { status: reply.status });
    return reply.text();
  };
  const setText = (id, text) => {
    const place = document.getElementById(id);
    if (place.textContent !== text) place.textContent = text;
  };

  // Where the focus is: the same link in the same section again, or else the section's title.
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

  // The new page in place of the old one, unless a later one was asked for meanwhile. No script in it
  // runs, and the focus stays where it was.
  let asked = 0;
  const show = async (url) => {
    const turn = ++asked;
    const page = new DOMParser().parseFromString(await get(url), 'text/html');
    const main = page.querySelector('main'), current = page.getElementById('current');
    if (!main || !current) throw new Error('not the page');
    if (turn !== asked) return false;
    const focus = focusOf(document.activeElement);
    const open = document.querySelector('details[open]') !== null;
    document.querySelector('main').replaceWith(main);
    setText('current', current.textContent);
    body.toggleAttribute('data-refresh', page.body.hasAttribute('data-refresh'));
    if (open && document.querySelector('details')) document.querySelector('details').open = true;
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
      if (error.status === 404) location.assign(url);
      else complain('The numbers could not be fetched.', url);
    }
  };

  document.addEventListener('click', (event) => {
    const link = event.target.closest('main a[href]');
    if (!link || link.hasAttribute('download') || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.href, true);
  });
  window.addEventListener('popstate', () => go(location.href, false));

  const tip = document.createElement('p');
  tip.id = 'tip';
  const point = (event) => {
    const bar = event.target.closest && event.target.closest('.chart g');
    if (!bar) return tip.remove();
    const chart = bar.closest('.chart'), box = chart.getBoundingClientRect();
    const title = bar.querySelector('title');
    if (title) { bar.dataset.tip = title.textContent; title.remove(); }  // not both
    tip.textContent = bar.dataset.tip;
    chart.append(tip);
    const left = event.clientX - box.left;
    tip.style.left = Math.max(Math.min(left + 12, box.width - tip.offsetWidth - 4), 4) + 'px';
    tip.style.top = event.clientY - box.top - 36 + 'px';
  };
  document.addEventListener('pointermove', point);
  document.addEventListener('pointerdown', point);

  // Nobody is in the middle of something that new numbers would take away.
  const isIdle = () => {
    const active = document.activeElement;
    const isChanged = [...document.querySelectorAll('input[type=date]')].some((one) => one.value !== one.defaultValue);
    return !isChanged && !(active && active.closest('form, details')) && String(window.getSelection()) === '';
  };
  // Again and again, one at a time, more slowly while it fails, and never more for a page that is gone.
  const every = (usual, work) => {
    let wait = usual;
    const turn = async () => {
      try {
        if (!document.hidden) await work();
        wait = usual;
        document.getElementById('live').classList.remove('stale');
      } catch (error) {
        if (error.status === 404) return complain('This page is not shared any more.');
        wait = Math.min(2 * wait, SLOWEST);
        document.getElementById('live').classList.add('stale');
      }
      setTimeout(turn, wait);
    };
    setTimeout(turn, wait);
  };
  every(CURRENT_EVERY, async () => setText('current', String(JSON.parse(await get(body.dataset.live)))));
  every(PAGE_EVERY, async () => {
    const url = location.href;
    if (body.hasAttribute('data-refresh') && isIdle()) await show(url);
  });
})();
