// Replaces a ClickHouse server: offers the part of its HTTP interface that a node uses, with a
// current engine (npm chdb), for one request at a time. Arguments: the port, a folder for the data.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Session } from 'chdb';

const [port, folder] = process.argv.slice(2);
fs.mkdirSync(folder, { recursive: true });
const session = new Session(path.join(folder, 'data'));
const passwords = { default: '' };

function answer(request, body) {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const user = request.headers['x-clickhouse-user'] ?? 'default';
  if (passwords[user] !== (request.headers['x-clickhouse-key'] ?? '')) {
    throw new Error(`${user}: Authentication failed`);
  }
  const database = searchParams.get('database') ?? 'default';
  if (database !== 'default') session.query(`USE ${database}`);
  const sql = searchParams.get('query');
  if (!sql) {
    const statement = body.toString();
    if (!statement.endsWith(' FORMAT Native')) return session.query(statement, 'TabSeparated');
    const rows = path.join(folder, 'rows'); // a string would change bytes that are not UTF-8
    session.query(statement.replace(/ FORMAT Native$/, ` INTO OUTFILE '${rows}' TRUNCATE FORMAT Native`));
    return fs.readFileSync(rows);
  }
  const file = path.join(folder, 'insert');
  fs.writeFileSync(file, body);
  return session.query(sql.replace(' FORMAT', ` FROM INFILE '${file}' FORMAT`), 'TabSeparated');
}

http
  .createServer((request, response) => {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      let status = 200;
      let text = '';
      try {
        text = answer(request, Buffer.concat(pieces));
      } catch (error) {
        status = 500;
        text = String(error.message ?? error);
      }
      response.writeHead(status).end(text);
    });
  })
  .listen(Number(port), '127.0.0.1');
