// Keeps the shared page live: the page itself is whole without it.
'use strict';
(() => {
  const CURRENT_EVERY = 15e3, PAGE_EVERY = 60e3;  // milliseconds
  const names = window.Intl && Intl.DisplayNames ? new Intl.DisplayNames('en', { type: 'region' }) : null;

  const nameCountries = () => document.querySelectorAll('[data-country]').forEach((place) => {
    try { place.textContent = names.of(place.dataset.country); } catch { /* the code says it, too */ }
  });

  const get = (url) => fetch(url, { credentials: 'omit' }).then((reply) => {
    if (!reply.ok) throw new Error(reply.status);
    return reply.text();
  });

  // The new page in place of the old one: no script in it runs, and the focus stays where it was.
  const show = async (url) => {
    const page = new DOMParser().parseFromString(await get(url), 'text/html');
    const active = document.activeElement;
    if (active && active.matches('input')) return;  // somebody is choosing days
    const href = active && active.getAttribute('href');
    const open = document.querySelector('details[open]') !== null;
    document.querySelector('main').replaceWith(page.querySelector('main'));
    document.getElementById('current').textContent = page.getElementById('current').textContent;
    document.body.toggleAttribute('data-refresh', page.body.hasAttribute('data-refresh'));
    nameCountries();
    if (open && document.querySelector('details')) document.querySelector('details').open = true;
    const again = href && [...document.querySelectorAll('main a')].find((a) => a.getAttribute('href') === href);
    if (again) again.focus({ preventScroll: true });
  };
  const go = (url) => show(url).catch(() => location.assign(url));

  document.addEventListener('click', (event) => {
    const link = event.target.closest('main a[href]');
    if (!link || link.hasAttribute('download') || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, '', link.href);
    go(link.href);
  });
  window.addEventListener('popstate', () => go(location.href));

  const tip = document.createElement('p');
  tip.id = 'tip';
  document.addEventListener('pointermove', (event) => {
    const bar = event.target.closest && event.target.closest('.chart g');
    if (!bar) return tip.remove();
    const chart = bar.closest('.chart'), box = chart.getBoundingClientRect();
    const title = bar.querySelector('title');
    if (title) { bar.dataset.tip = title.textContent; title.remove(); }  // not both
    tip.textContent = bar.dataset.tip;
    chart.append(tip);
    const left = event.clientX - box.left;
    tip.style.left = Math.min(left + 12, box.width - tip.offsetWidth - 4) + 'px';
    tip.style.top = event.clientY - box.top - 36 + 'px';
  });

  const every = (milliseconds, work) =>
    setInterval(() => { if (!document.hidden) work().catch(() => {}); }, milliseconds);
  if (!document.body.dataset.live) return;
  nameCountries();
  every(CURRENT_EVERY, async () => {
    document.getElementById('current').textContent = JSON.parse(await get(document.body.dataset.live));
  });
  every(PAGE_EVERY, async () => {
    if (document.body.hasAttribute('data-refresh')) await show(location.href);
  });
})();
