// Checks that the OpenAPI document is well-formed and describes what the daemon does: it contains
// every answer that the contract tests got, and each of its operations has succeeded at least once.
// Arguments: the document, a folder of recorded traffic.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Validator } from '@seriousme/openapi-schema-validator';

const [file, folder] = process.argv.slice(2);
const document = JSON.parse(readFileSync(file, 'utf8'));
const problems = new Map();
const blame = (what, why) => problems.set(what, why);

const form = await new Validator().validate(document);
if (!form.valid) blame('the document', JSON.stringify(form.errors).slice(0, 2000));
const ids = new Set();
const methods = ['get', 'put', 'post', 'delete', 'options', 'patch'];
for (const [path, item] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    const name = `${method} ${path}`;
    if (!methods.includes(method)) blame(name, 'is no method');
    if (ids.has(operation.operationId)) blame(name, 'has the id of another operation');
    ids.add(operation.operationId);
    if (!operation.summary) blame(name, 'has no summary');
    const named = [...path.matchAll(/{(\w+)}/g)].map((match) => match[1]);
    const written = (operation.parameters ?? []).filter((one) => one.in === 'path').map((one) => one.name);
    if (named.sort().join() !== written.sort().join()) blame(name, 'has other path parameters than its path');
  }
}

const ajv = new Ajv({ strict: false, allErrors: false });
addFormats(ajv);
ajv.addSchema({ $id: 'doc', ...document });
const resolve = (node) => node && node.$ref
  ? node.$ref.slice(2).split('/').reduce((at, part) => at[part.replaceAll('~1', '/').replaceAll('~0', '~')], document) : node;
const routes = Object.entries(document.paths).map(([path, item]) => ({
  path, item, literal: !path.includes('{'),
  matches: new RegExp('^' + path.replace(/[.]/g, '\\.').replace(/{\w+}/g, '[^/]+') + '$'),
})).sort((a, b) => b.literal - a.literal);
const validators = new Map();
const validator = (pointer) => {
  if (!validators.has(pointer)) validators.set(pointer, ajv.compile({ $ref: 'doc#' + pointer }));
  return validators.get(pointer);
};
const escape = (part) => part.replaceAll('~', '~0').replaceAll('/', '~1');
const pointer_of = (node, otherwise) => (node.$ref ? node.$ref.slice(1) : otherwise);

const seen = new Set();
let answers = 0;
for (const name of readdirSync(folder)) {
  for (const line of readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean)) {
    const { method, target, status, type, body } = JSON.parse(line);
    const path = target.split('?')[0];
    const route = routes.find((one) => one.matches.test(path));
    // The document leaves out answers to unknown paths and methods, refused framing, and internal
    // errors, because they are the same everywhere.
    const is_operators = body.includes('There is only /metrics');  // not in the document
    if (!route || is_operators || [405, 408, 414, 431, 500, 501, 505].includes(status)) continue;
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = route.item[verb];
    if (!operation) continue;
    ++answers;
    const what = `${verb} ${route.path} ${status}`;
    const given = operation.responses[String(status)];
    if (!given) { blame(what, 'is not in the document: ' + body.slice(0, 200)); continue; }
    const response = resolve(given);
    if (status < 304) seen.add(`${verb} ${route.path}`);
    if (method === 'HEAD' || status === 204 || status === 304) continue;
    const media = type.split(';')[0].trim();
    const key = Object.keys(response.content ?? {}).find((one) => one.split(';')[0] === media);
    if (!key) { blame(what, `has the type ${type}, which is not in the document`); continue; }
    if (media !== 'application/json' || !response.content[key].schema) continue;
    const base = pointer_of(given, `/paths/${escape(route.path)}/${verb}/responses/${status}`);
    const check = validator(`${base}/content/${escape(key)}/schema`);
    if (!check(JSON.parse(body))) {
      blame(what, `${ajv.errorsText(check.errors)} in ${body.slice(0, 300)}`);
    }
  }
}
for (const [path, item] of Object.entries(document.paths)) {
  for (const method of Object.keys(item)) {
    if (!seen.has(`${method} ${path}`)) blame(`${method} ${path}`, 'was answered well by no contract test');
  }
}
for (const [what, why] of problems) console.error(`${what}: ${why}`);
console.log(`${answers} answers of ${seen.size} operations`);
process.exit(problems.size === 0 && answers > 0 ? 0 : 1);
