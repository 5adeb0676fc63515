// The comparison of contracts: a table of cases, and random changes of the contract on file, each known to be
// breaking or additive by the way it was made.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { changesBetween, type Json } from '../../scripts/contract/changes.ts';
import { contractOf, contractText } from '../../scripts/contract/document.ts';
import { announcedIn, contractOnFile, lineOf } from '../../scripts/contract/files.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are changed at paths that no type describes
type Tree = any;

const BASE = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: {
    '/items': {
      get: {
        operationId: 'listItems',
        description: 'Prose.',
        security: [{}, { apiKey: [] }],
        parameters: [
          { name: 'kind', in: 'query', required: false, schema: { type: 'string', enum: ['a', 'b'] } },
          {
            name: 'limit',
            in: 'query',
            required: false,
            schema: { type: 'integer', maximum: 9, default: 5 },
          },
        ],
        responses: {
          200: {
            description: 'The answer.',
            headers: { ETag: { schema: { type: 'string' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } },
          },
          400: { description: '`bad`: Bad. `worse`: Worse.' },
        },
      },
      post: {
        operationId: 'addItem',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                additionalProperties: false,
                properties: {
                  name: { type: 'string', maxLength: 5 },
                  note: { type: ['string', 'null'] },
                  by: {
                    anyOf: [
                      { type: 'string', default: 'id' },
                      { type: 'array', items: { type: 'string' } },
                    ],
                  },
                },
              },
            },
          },
        },
        responses: { 200: { description: 'Done.' } },
      },
    },
  },
  components: {
    schemas: {
      Item: {
        type: 'object',
        required: ['title', 'state'],
        additionalProperties: false,
        properties: {
          title: { type: 'string', description: 'Prose.' },
          state: { anyOf: [{ type: 'string', enum: ['x', 'y'] }, { type: 'null' }] },
          parent: { anyOf: [{ $ref: '#/components/schemas/Item' }, { type: 'null' }] },
          size: { type: 'number', minimum: 0 },
        },
      },
    },
  },
};

function listOf(before: Json, after: Json): string[] {
  const changes = changesBetween(contractOf(before), contractOf(after));
  return changes.map((change) => `${change.isBreaking ? '!' : '+'} ${lineOf(change)}`);
}

const get = (d: Tree): Tree => d.paths['/items'].get;
const body = (d: Tree): Tree => d.paths['/items'].post.requestBody.content['application/json'].schema;
const item = (d: Tree): Tree => d.components.schemas.Item;

const kind = (d: Tree): Tree => get(d).parameters[0];
const limit = (d: Tree): Tree => get(d).parameters[1];
const BODY = 'POST /items, body, application/json';

/** How the document changes, and the lines that report it: `!` breaking, `+` additive. */
const CASES: readonly (readonly [(document: Tree) => void, ...lines: string[]])[] = [
  [(d) => delete d.paths['/items'].post, '! POST /items: is gone'],
  [(d) => delete d.paths['/items'], '! /items: is gone'],
  [(d) => (d.paths['/more'] = {}), '+ /more: is new'],
  [(d) => (get(d).operationId = 'list'), '! GET /items: operationId "listItems" is now "list"'],
  [(d) => (get(d).deprecated = true), '+ GET /items: is deprecated'],
  [(d) => get(d).security.shift(), '! GET /items, called with {}: is gone'],
  [(d) => get(d).parameters.shift(), '! GET /items, parameter kind: is gone'],
  [
    (d) => (kind(d).name = 'sort'),
    '! GET /items, parameter kind: is gone',
    '+ GET /items, parameter sort: is new',
  ],
  [
    (d) => get(d).parameters.push({ name: 'q', in: 'query', required: true, schema: {} }),
    '! GET /items, parameter q: is new',
  ],
  [(d) => (kind(d).required = true), '! GET /items, parameter kind: is now required'],
  [(d) => kind(d).schema.enum.pop(), '! GET /items, parameter kind: value "b" is gone'],
  [(d) => kind(d).schema.enum.push('c'), '+ GET /items, parameter kind: value "c" is new'],
  [(d) => (limit(d).schema.default = 6), '! GET /items, parameter limit: default 5 is now 6'],
  [(d) => (limit(d).schema.maximum = 8), '! GET /items, parameter limit: maximum 9 is now 8'],
  [(d) => (limit(d).schema.maximum = 10), '+ GET /items, parameter limit: maximum 9 is now 10'],
  [(d) => delete get(d).responses[400], '! GET /items, 400: is gone'],
  [
    (d) => (get(d).responses[400].description = '`bad`: Bad.'),
    '! GET /items, 400, error code worse: is gone',
  ],
  [(d) => (get(d).responses[409] = { description: '' }), '+ GET /items, 409: is new'],
  [(d) => (get(d).responses[202] = { description: '' }), '! GET /items, 202: is new'],
  [(d) => delete get(d).responses[200].headers.ETag, '! GET /items, 200, header ETag: is gone'],
  [(d) => (get(d).responses[200].content = {}), '! GET /items, 200, application/json: is gone'],
  [(d) => delete item(d).properties.size, '! answer Item.size: is gone'],
  [(d) => (item(d).properties.more = {}), '+ answer Item.more: is new'],
  [(d) => item(d).required.pop(), '! answer Item.state: may now be left out'],
  [(d) => (item(d).properties.title.type = ['string', 'null']), '! answer Item.title: may also be null'],
  [(d) => item(d).properties.state.anyOf[0].enum.push('z'), '! answer Item.state(string): value "z" is new'],
  [(d) => delete item(d).properties.size.minimum, '! answer Item.size: minimum 0 is now none'],
  [
    (d) => (item(d).properties.size.type = 'integer'),
    '+ answer Item.size: can no longer be number',
    '! answer Item.size: may also be integer',
  ],
  [(d) => body(d).required.push('note'), `! ${BODY}.note: is now required`],
  [(d) => (body(d).properties.note.type = 'string'), `! ${BODY}.note: can no longer be null`],
  [(d) => body(d).properties.by.anyOf.pop(), `! ${BODY}.by: can no longer be array`],
  [
    (d) => (body(d).properties.by.anyOf[0].default = 'name'),
    `! ${BODY}.by(string): default "id" is now "name"`,
  ],
  [(d) => (body(d).properties.by.anyOf[1].deprecated = true), `+ ${BODY}.by(array): is deprecated`],
  [(d) => (body(d).propertyNames = { maxLength: 3 }), `! ${BODY}: propertyNames none is now {"maxLength":3}`],
];

describe('changesBetween()', () => {
  for (const [change, ...lines] of CASES) {
    test(lines.join(', '), () => {
      const after = structuredClone(BASE);
      change(after);
      expect(listOf(BASE, after)).toEqual(lines);
    });
  }

  test('changesBetween finds no change if prose, the order of members or repetitions differ', () => {
    const after: Tree = structuredClone(BASE);
    item(after).properties.state = { anyOf: [item(after).properties.state, { type: 'null' }] };
    item(after).properties = Object.fromEntries(Object.entries(item(after).properties).reverse());
    get(after).description = 'Other prose.';
    expect(listOf(BASE, after)).toEqual([]);
  });
});

/** The named components that a part of the document refers to, directly or through others. */
function reachable(document: Tree, part: Tree, found = new Set<string>()): Set<string> {
  for (const [, kind, name] of JSON.stringify(part ?? null).matchAll(/#\/components\/(\w+)\/([\w-]+)"/g)) {
    const key = `${kind}/${name}`;
    if (found.has(key)) continue;
    found.add(key);
    reachable(document, document.components[kind!][name!], found);
  }
  return found;
}

const CONTRACT: Tree = await contractOnFile('openapi');
const OPERATIONS: readonly (readonly [string, string])[] = Object.entries<Tree>(CONTRACT.paths).flatMap(
  ([path, methods]) => Object.keys(methods).map((method) => [path, method] as const),
);
const WITH_PARAMETERS = OPERATIONS.filter(([path, method]) => CONTRACT.paths[path][method].parameters);
const ANSWERED = reachable(
  CONTRACT,
  OPERATIONS.map(([path, method]) => CONTRACT.paths[path][method].responses),
);
const SENT = reachable(
  CONTRACT,
  OPERATIONS.map(([path, method]) => CONTRACT.paths[path][method].requestBody),
);
const OBJECTS = Object.keys(CONTRACT.components.schemas).filter((name) => {
  const { properties } = CONTRACT.components.schemas[name];
  return properties !== undefined && (ANSWERED.has(`schemas/${name}`) || SENT.has(`schemas/${name}`));
});

function acceptsNull(schema: Tree): boolean {
  if (schema.$ref !== undefined)
    return acceptsNull(CONTRACT.components.schemas[schema.$ref.split('/').at(-1)]);
  if (schema.anyOf !== undefined) return schema.anyOf.some(acceptsNull);
  return [schema.type ?? 'null'].flat().includes('null');
}

/**
 * Changes the contract. @param pick one of the values, chosen by the seed @returns whether the change is
 * breaking
 */
type Mutation = (document: Tree, pick: <Value>(values: readonly Value[]) => Value) => boolean;

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a route is gone': (document, pick) => {
    const [path, method] = pick(OPERATIONS);
    return delete document.paths[path][method];
  },
  'a route is new': (document, pick) => {
    const [path, method] = pick(OPERATIONS);
    document.paths[`${path}/more`] = { [method]: document.paths[path][method] };
    return false;
  },
  'a parameter is gone': (document, pick) => {
    const [path, method] = pick(WITH_PARAMETERS);
    const { parameters } = document.paths[path][method];
    parameters.splice(parameters.indexOf(pick(parameters)), 1);
    return true;
  },
  'a parameter is new': (document, pick) => {
    const [path, method] = pick(WITH_PARAMETERS);
    const required = pick([true, false]);
    document.paths[path][method].parameters.push({ name: 'new', in: 'query', required, schema: {} });
    return required;
  },
  'a status is gone': (document, pick) => {
    const [path, method] = pick(OPERATIONS);
    const { responses } = document.paths[path][method];
    return delete responses[pick(Object.keys(responses))];
  },
  'a field is gone': (document, pick) => {
    const { properties } = document.components.schemas[pick(OBJECTS)];
    return delete properties[pick(Object.keys(properties))];
  },
  'a field is new': (document, pick) => {
    document.components.schemas[pick(OBJECTS)].properties.new_field = { type: 'string' };
    return false;
  },
  'a field may be null': (document, pick) => {
    const name = pick(OBJECTS);
    const { properties } = document.components.schemas[name];
    const field = pick(Object.keys(properties));
    const before = properties[field];
    const unchanged = before.default === undefined ? {} : { default: before.default };
    properties[field] = { ...unchanged, anyOf: [before, { type: 'null' }] };
    return ANSWERED.has(`schemas/${name}`) && !acceptsNull(before);
  },
  'a field is another type': (document, pick) => {
    const { properties } = document.components.schemas[pick(OBJECTS)];
    const field = pick(Object.keys(properties));
    const isBoolean = JSON.stringify(properties[field]).includes('"boolean"');
    properties[field] = { type: isBoolean ? 'string' : 'boolean', const: 'never' };
    return true;
  },
  'a field is required': (document, pick) => {
    const name = pick(OBJECTS);
    const { properties, required = [] } = document.components.schemas[name];
    const field = pick(Object.keys(properties));
    document.components.schemas[name].required = [...required, field];
    return SENT.has(`schemas/${name}`) && !required.includes(field);
  },
};

test('random changes of the contract on file are classified by what they do to clients', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(MUTATIONS)),
      fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
      (name, picks) => {
        const after = structuredClone(CONTRACT);
        const rest = [...picks];
        const isBreaking = MUTATIONS[name]!(after, (values) => values[(rest.pop() ?? 0) % values.length]!);
        const changes = changesBetween(CONTRACT, after);
        seen.add(`${name} ${isBreaking}`);
        expect([name, changes.some((change) => change.isBreaking)]).toEqual([name, isBreaking]);
      },
    ),
    { numRuns: 25 },
  );
  expect(seen.size).toBeGreaterThan(3);
});

test('changes of stream messages are classified by which side sends the message', async () => {
  const contract: Tree = await contractOnFile('asyncapi');
  const changed = (change: (document: Tree) => void): string[] => {
    const after = structuredClone(contract);
    change(after);
    return changesBetween(contract, after).map((one) => `${one.isBreaking ? '!' : '+'} ${lineOf(one)}`);
  };
  expect(changed(() => {})).toEqual([]);
  expect(changed((d) => d.operations.sendStream.messages.pop())).toEqual([
    '! operation sendStream, message bye: is gone',
  ]);
  expect(changed((d) => (d.channels.stream.address = '/v2/stream'))).toEqual([
    '! channel stream: address "/v1/stream" is now "/v2/stream"',
  ]);
  expect(changed((d) => (d.components.schemas.SocketPing.properties.more = {}))).toEqual([
    '+ request SocketPing.more: is new',
  ]);
  expect(changed((d) => delete d.components.schemas.StreamHeartbeat.properties.cursor)).toEqual([
    expect.stringContaining('! answer StreamHeartbeat.cursor: is gone'),
  ]);
  expect(
    changed((d) => (d.operations.sendStream.bindings.http.query.properties.since.maxLength = 1)),
  ).toEqual(['! operation sendStream, binding http query.since: what holds for all alternatives changed']);
});

test('announcedIn reads the code marks under "### Breaking" in the topmost section of the changelog', () => {
  const log =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n- `a`\n\n### Breaking\n\n- `GET /x: is gone`, use y\n\n## [1]\n\n### Breaking\n- `old`\n';
  expect([...announcedIn(log)]).toEqual(['GET /x: is gone']);
});

test('the contract on file has a line for each path and schema, and reads back as the same document', () => {
  const text = contractText(contractOf(BASE));
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(contractOf(BASE))));
  expect(text.split('\n').filter((line) => line.startsWith('"Item":'))).toHaveLength(1);
  expect(text).not.toContain('Prose');
});
