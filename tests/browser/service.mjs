// For the tests in this folder: a daemon with its own database, and a browser that the daemon does
// not take for a bot.
import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const bin = process.env.ANALYTICS_BIN;
export const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

/// Milliseconds after which a test stops waiting. The limit only ends tests that hang, because a
/// loaded machine may be slow.
export const patience = 120000;

/// Polls until `holds` returns true because of another process. Returns false after `patience`.
export async function eventually(holds) {
  for (const end = Date.now() + patience; Date.now() < end;) {
    if (holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

export class Service {
  static async start() {
    const service = new Service();
    service.folder = mkdtempSync(join(tmpdir(), 'analytics-'));
    chmodSync(service.folder, 0o700);
    service.database = join(service.folder, 'a.db');
    service.key = execFileSync(join(bin, 'analyticsd'),
      ['keys', 'create', '--init', '--account', 'me', '--db', service.database]).toString().trim();
    service.daemon = spawn(join(bin, 'analyticsd'),
      ['serve', '--db', service.database, '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    service.url = await new Promise((resolve, reject) => {
      let log = '';
      service.daemon.stderr.on('data', (bytes) => {
        log += bytes;
        const ready = /^listening on (\S+)\n/m.exec(log);
        if (ready) resolve(ready[1]);
      });
      service.daemon.on('exit', () => reject(new Error('the daemon ended: ' + log)));
    });
    return service;
  }

  async call(method, path, body, type = 'application/json') {
    const reply = await fetch(this.url + path, {
      method,
      headers: { Authorization: 'Bearer ' + this.key, ...(body ? { 'Content-Type': type } : {}) },
      body: body && typeof body !== 'string' ? JSON.stringify(body) : body,
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return text;
  }
  async site(domain) {
    await this.call('POST', '/api/v1/sites', { domain });
    return JSON.parse(await this.call('PUT', '/api/v1/sites/shared-links', { site_id: domain, name: 'x' })).url;
  }
  /// Imports events with the members of POST /api/event. Each event has its own visitor unless it
  /// names another address.
  async events(domain, events) {
    const lines = events.map((event, i) => JSON.stringify({
      domain, name: 'pageview', url: 'https://' + domain + '/', ip: '198.51.100.' + (i % 200 + 1),
      user_agent: userAgent, ...event,
    }));
    const answer = JSON.parse(await this.call('POST', '/api/v1/events', lines.join('\n'), 'application/x-ndjson'));
    if (answer.problems.length) throw new Error(JSON.stringify(answer.problems.slice(0, 3)));
  }
  rows(sql) {
    return execFileSync('sqlite3', ['-readonly', '-json', this.database, sql]).toString();
  }
  /// Waits until `count` events are stored, without engagements, and returns them. Throws if there
  /// are more or too few.
  async stored(count) {
    let rows;
    await eventually(() => {
      const text = this.rows('SELECT name, hostname, path, referrer, props FROM event_text WHERE name != \'engagement\' ORDER BY rowid');
      rows = text ? JSON.parse(text) : [];
      return rows.length >= count;
    });
    if (rows.length !== count) throw new Error(`${rows.length} events and not ${count}: ${JSON.stringify(rows)}`);
    return rows;
  }
  async end() {
    this.daemon.removeAllListeners('exit');
    const code = await new Promise((resolve) => {
      this.daemon.once('exit', resolve);
      this.daemon.kill('SIGTERM');
    });
    rmSync(this.folder, { recursive: true, force: true });
    if (code !== 0) throw new Error('the daemon ended with ' + code);
  }
}

export const openBrowser = () => chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync',
    '--disable-blink-features=AutomationControlled'],  // hides that a program drives it
});

/// Serves the pages of a site under test on a new port. `pages` maps paths to HTML or scripts; "*"
/// is any other path.
export async function servePages(pages) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://x').pathname;
    const page = pages[path] ?? pages['*'];
    response.setHeader('Content-Type', path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(page);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: 'http://127.0.0.1:' + server.address().port, close: () => server.close() };
}

export const read = (file) => readFileSync(file, 'utf8');
