// The document and the pages of a running service: valid under two checkers for OpenAPI 3.1, exact, and
// complete without a connection to another host.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ERRORS } from '../../../src/errors.ts';
import { type RunningService, runService } from '../../support/running-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Json = { readonly [key: string]: unknown };
interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

let service: RunningService;
let document: Document;
let text: string;

beforeAll(async () => {
  service = await runService({
    FEED: 'simulator',
    SIMULATOR_FOOTBALL_FIXTURES: '2',
    SIMULATOR_BASKETBALL_FIXTURES: '1',
    PUBLIC_URL: 'https://odds.overround.test',
  });
  const response = await fetch(`${service.url}/openapi.json`);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  text = await response.text();
  document = JSON.parse(text) as Document;
});
afterAll(() => service[Symbol.asyncDispose]());

describe('/openapi.json', () => {
  test('the document is OpenAPI 3.1, of version 0.1.0 of the API', () => {
    expect(document.openapi).toStartWith('3.1.');
    expect(document.info.title).toBe('Overround');
    expect(document.info.version).toBe('0.1.0');
  });

  test('the document is valid under openapi-schema-validator', async () => {
    const result = await new Validator().validate(JSON.parse(text));
    expect(result).toEqual({ valid: true });
  });

  test("the document is valid under Redocly's strict rules, without a warning", async () => {
    using temporary = temporaryFolder();
    const folder = temporary.path;
    await Bun.write(join(folder, 'openapi.json'), text);
    await Bun.write(join(folder, 'redocly.yaml'), 'extends:\n  - recommended-strict\n');
    const lint = Bun.spawn(
      [
        process.execPath,
        Bun.resolveSync('@redocly/cli/bin/cli.js', import.meta.dir),
        'lint',
        'openapi.json',
        '--format=json',
      ],
      {
        cwd: folder,
        env: { PATH: '', HOME: folder, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        stdout: 'pipe',
        stderr: 'pipe',
      },
    );
    const [output, errors] = await Promise.all([
      new Response(lint.stdout).text(),
      new Response(lint.stderr).text(),
    ]);
    await lint.exited;
    expect(output, errors).toContain('"totals"');
    const report = JSON.parse(output) as { problems: { ruleId: string; message: string }[] };
    expect(report.problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  }, 120_000);

  test('the document contains no keyword of OpenAPI 3.0 and none of our own', () => {
    for (const [path, value] of keywordsOf(document as unknown as Json)) {
      expect(path.endsWith('.nullable'), path).toBeFalse();
      expect(/\.csv(Values|ItemsMax)$/.test(path), path).toBeFalse();
      if (path.endsWith('.type')) expect(Array.isArray(value) || typeof value === 'string', path).toBeTrue();
    }
  });

  test('every answer schema is exact: no unknown fields, every field required', () => {
    const answers = operations().flatMap(({ operation }) => schemasOfAnswers(operation));
    expect(answers.length).toBeGreaterThan(20);
    const seen = new Set<unknown>();
    for (const schema of answers) expectExact(schema, seen);
  });

  test('query integers are bounded integers and lists have limits', () => {
    let integers = 0;
    for (const { operation } of operations()) {
      for (const parameter of (operation.parameters ?? []) as { name: string; in: string; schema: Json }[]) {
        expect(parameter.schema.anyOf, parameter.name).toBeUndefined();
        if (parameter.schema.type === 'integer') {
          integers += 1;
          expect(parameter.schema).toMatchObject({
            minimum: expect.any(Number),
            maximum: expect.any(Number),
          });
        }
        if (parameter.schema.type === 'array') expect(parameter.schema.maxItems).toEqual(expect.any(Number));
      }
    }
    expect(integers).toBeGreaterThan(2);
  });

  test('every operation documents its errors, and 401, 429 and 503 where they can happen', () => {
    for (const { path, operation } of operations()) {
      const { responses, security } = operation as { responses: Json; security: Json[] };
      expect(Object.keys(responses), path).toContain('default');
      expect(Object.keys(responses), path).toContain('500');
      if (path.startsWith('/v1/')) {
        for (const status of ['401', '429', '503']) expect(Object.keys(responses), path).toContain(status);
      }
      if (['/v1/odds/batch', '/v1/usage', '/v1/tickets'].includes(path))
        expect(security).toEqual([{ apiKey: [] }]);
      else expect(security[0], path).toEqual({});
    }
  });

  test('the document describes the answers of /v1/ws: 101, and 426 to a request that is not a handshake', async () => {
    const { responses, parameters } = document.paths['/v1/ws']!.get as {
      responses: Json;
      parameters: Json[];
    };
    expect(parameters.map(({ name }) => name)).toEqual(['ticket']);
    expect(responses).toHaveProperty('101');
    const refused = await fetch(`${service.url}/v1/ws`);
    expect([refused.status, refused.headers.get('upgrade')]).toEqual([426, 'websocket']);
    expect(responses['426']).toMatchObject({ headers: { Upgrade: {} } });
  });

  test('every tag of an operation is described', () => {
    const described = (document as unknown as { tags: { name: string }[] }).tags.map(({ name }) => name);
    const used = operations().flatMap(({ operation }) => (operation as unknown as { tags: string[] }).tags);
    expect([...new Set(used)].filter((tag) => !described.includes(tag))).toEqual([]);
    expect(used.length).toBeGreaterThan(20);
  });
});

describe('pages', () => {
  test('/docs loads its own files only, and its policy permits exactly that', async () => {
    const response = await fetch(`${service.url}/docs`);
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      const file = await fetch(`${service.url}${link}`);
      expect([link, file.status]).toEqual([link, 200]);
      if (link.includes('/assets/')) expect(file.headers.get('cache-control')).toContain('immutable');
      expect((await fetch(`${service.url}${link}`, { method: 'HEAD' })).status).toBe(200);
    }
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-');
    expect(html).not.toMatch(/<script>|<style>| style=|https?:\/\//);
  });

  test('/docs/errors has a section per code, and every documentation_url leads to one', async () => {
    const html = await (await fetch(`${service.url}/docs/errors`)).text();
    for (const code of Object.keys(ERRORS)) expect(html).toContain(`<section id="${code}">`);
    const failure = (await (await fetch(`${service.url}/v1/nothing`)).json()) as {
      error: { documentation_url: string };
    };
    const url = new URL(failure.error.documentation_url);
    expect(url.origin).toBe('https://odds.overround.test');
    expect(url.pathname).toBe('/docs/errors');
    expect(html).toContain(`<section id="${url.hash.slice(1)}">`);
  });

  test('an unchanged page or document is 304', async () => {
    for (const path of ['/docs', '/docs/errors', '/openapi.json', '/asyncapi.json']) {
      const etag = (await fetch(service.url + path)).headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      expect((await fetch(service.url + path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    }
  });
});

function operations(): { readonly path: string; readonly operation: Json }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
}

function schemasOfAnswers(operation: Json): Json[] {
  const responses = Object.values(
    operation.responses as Record<string, { content?: Record<string, { schema: Json }> }>,
  );
  return responses.flatMap(({ content }) => Object.values(content ?? {}).map(({ schema }) => schema));
}

/**
 * Optional fields of answers are null, never absent; the conversion of odds is the one exception of the
 * contract.
 */
function expectExact(schema: Json, seen: Set<unknown>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  if (typeof schema.$ref === 'string') {
    const target = document.components.schemas[schema.$ref.slice('#/components/schemas/'.length)];
    expect(target, schema.$ref).toBeDefined();
    if (target !== undefined) expectExact(target, seen);
  }
  const properties = schema.properties as Record<string, Json> | undefined;
  if (properties !== undefined && schema.title !== 'ConvertOddsResponse') {
    expect(schema.additionalProperties, JSON.stringify(schema)).toBe(false);
    expect([...((schema.required ?? []) as string[])].sort()).toEqual(Object.keys(properties).sort());
  }
  const inner = [schema.items, ...Object.values(properties ?? {}), ...((schema.anyOf ?? []) as Json[])];
  for (const one of inner) if (typeof one === 'object' && one !== null) expectExact(one as Json, seen);
}

function* keywordsOf(value: Json, path = ''): Generator<[string, unknown]> {
  for (const [key, inner] of Object.entries(value)) {
    yield [`${path}.${key}`, inner];
    if (key === 'examples' || key === 'example' || key === 'properties') {
      if (key !== 'properties') continue;
      for (const [name, schema] of Object.entries(inner as Record<string, Json>))
        yield* keywordsOf(schema, `${path}.properties[${name}]`);
      continue;
    }
    if (typeof inner === 'object' && inner !== null) yield* keywordsOf(inner as Json, `${path}.${key}`);
  }
}
