// Checks src/ against the table of imports and the bans of support/import-rules.ts, and shows that the check
// finds violations.

import { describe, expect, test } from 'bun:test';
import {
  BANS,
  circlesOf,
  exportedTypesOf,
  importsOf,
  ROOMS,
  roomOf,
  violationsOf,
} from './support/import-rules.ts';

const SOURCE = new URL('../src/', import.meta.url).pathname;
const ROOT = new URL('../', import.meta.url).pathname;

function filesOf(folder: string, pattern = '**/*.{ts,tsx}'): string[] {
  return [...new Bun.Glob(pattern).scanSync(folder)].sort();
}

describe('src', () => {
  test('src imports only what the table allows, and uses nothing that a ban forbids', async () => {
    const paths = filesOf(SOURCE);
    expect(paths.length).toBeGreaterThan(20);
    const violations: string[] = [];
    for (const path of paths) violations.push(...violationsOf(path, await Bun.file(SOURCE + path).text()));
    expect(violations).toEqual([]);
  });

  test('src uses every permission of the table, and imports values wherever the table allows more than types', async () => {
    const used = new Set<string>();
    for (const path of filesOf(SOURCE, '*/**/*.{ts,tsx}')) {
      for (const { target, typesOnly } of importsOf(await Bun.file(SOURCE + path).text())) {
        const other = roomOf(new URL(target, `file:///${path}`).pathname.slice(1));
        if (target.startsWith('.') && other !== null)
          used.add(`${typesOnly ? 'types' : 'all'} ${roomOf(path)} ${other}`);
      }
    }
    const unused = Object.entries(ROOMS).flatMap(([room, { rooms, types = [] }]) => [
      ...rooms.filter((other) => !used.has(`all ${room} ${other}`)).map((other) => `${room}: ${other}`),
      ...types
        .filter((other) => !used.has(`types ${room} ${other}`))
        .map((other) => `${room}: types of ${other}`),
    ]);
    expect(unused).toEqual([]);
  });

  test('src has no room that the table does not name', () => {
    const rooms = new Set(filesOf(SOURCE, '*/**/*.ts').map((path) => path.slice(0, path.indexOf('/'))));
    expect([...rooms].filter((room) => !(room in ROOMS))).toEqual([]);
  });

  test('src has no circle of imports, not even of types', async () => {
    const imports = new Map<string, readonly string[]>();
    for (const path of filesOf(SOURCE)) {
      const targets = importsOf(await Bun.file(SOURCE + path).text()).map(({ target }) => target);
      const own = targets.filter((target) => target.startsWith('.'));
      imports.set(
        path,
        own.map((target) => new URL(target, `file:///${path}`).pathname.slice(1)),
      );
    }
    expect(circlesOf(imports)).toEqual([]);
    const circle = new Map([
      ['a.ts', ['b.ts', 'd.ts']],
      ['b.ts', ['c.ts']],
      ['c.ts', ['a.ts']],
    ]);
    expect(circlesOf(circle)).toEqual(['a.ts -> b.ts -> c.ts -> a.ts']);
  });

  test('src has no two exported types with the same name', async () => {
    const declared = new Map<string, string[]>();
    for (const path of filesOf(SOURCE)) {
      for (const name of exportedTypesOf(await Bun.file(SOURCE + path).text()))
        declared.set(name, [...(declared.get(name) ?? []), path]);
    }
    expect(declared.size).toBeGreaterThan(500);
    expect([...declared].filter(([, paths]) => paths.length > 1)).toEqual([]);
    const text = 'export abstract class A {}\nexport type B = 1;\ntype C = 2;\nexport type { D };';
    expect(exportedTypesOf(text)).toEqual(['A', 'B']);
  });

  test('src has at most 20 files in a folder, and at most 12 directly in src/', () => {
    const counts = new Map<string, number>();
    for (const path of filesOf(SOURCE, '**/*')) {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const isFull = ([folder, count]: [string, number]): boolean => count > (folder === '' ? 12 : 20);
    expect([...counts].filter(isFull)).toEqual([]);
  });
});

describe('bench, scripts and test', () => {
  test('bench, scripts and test do not import main', async () => {
    for (const path of filesOf(ROOT, '{bench,test,scripts}/**/*.ts')) {
      const targets = importsOf(await Bun.file(ROOT + path).text()).map(({ target }) => target);
      expect({ path, targets: targets.filter((target) => target.endsWith('src/main.ts')) }).toEqual({
        path,
        targets: [],
      });
    }
  });
});

test('the code of attackers and of account clients does not load the service', async () => {
  const roots = ['test/faults/crowd.worker.ts', 'test/support/account-client.ts'];
  const seen = new Set<string>(roots);
  for (const path of seen) {
    for (const { target, typesOnly } of importsOf(await Bun.file(ROOT + path).text())) {
      if (typesOnly || !/^\..*\.ts$/.test(target)) continue;
      seen.add(new URL(target, `file:///${path}`).pathname.slice(1));
    }
  }
  expect(seen.size).toBeGreaterThan(10);
  const services = ['src/start/', 'test/support/running-service.ts'];
  expect([...seen].filter((path) => services.some((start) => path.startsWith(start)))).toEqual([]);
});

describe('violationsOf', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['domain/fake.ts', "import { SlateReader } from '../store/reader.ts';", 'domain may import no room'],
    ['domain/fake.ts', "import { log } from '../log.ts';", 'only shared files'],
    ['store/fake.ts', "import { a,\n  b } from\n '../feed/protocol.ts';", 'store may import domain'],
    ['store/deep/fake.ts', "export * from '../../ingest/apply.ts';", 'store may import domain'],
    ['query/fake.ts', "import { Odds } from '../contract/odds.ts';", 'types of contract'],
    ['query/fake.ts', "import { type Odds, OddsSchema } from '../contract/odds.ts';", 'types of contract'],
    ['query/fake.ts', "const late = await import('../http/app.ts');", 'query may import'],
    ['http/fake.ts', "import '../service.ts';", 'only shared files'],
    ['http/fake.ts', "import '../start/service.ts';", 'http may import contract'],
    ['service.ts', "import { main } from './main.ts';", 'nothing may'],
    ['clock.ts', "import { packQuoteKey } from './store/quote-key.ts';", 'only each other'],
    ['cellar/fake.ts', "import { assert } from '../store/reader.ts';", 'no room cellar'],
    ['query/fake.ts', 'const now = Date.now();', 'reading time'],
    ['query/fake.ts', 'const now = new Date();', 'reading time'],
    ['query/fake.ts', `const text = \`at \${performance.now()}\`;`, 'reading time'],
    ['query/fake.ts', 'const clock = clockOf(null);', 'the machine’s clock'],
    ['domain/fake.ts', 'const chance = Math.random();', 'Math.random'],
    ['domain/fake.ts', 'function take(value: any): void {}', 'type any'],
    ['domain/fake.ts', 'const all = value as any;', 'type any'],
    ['domain/fake.ts', 'const all: Map<string, any> = new Map();', 'type any'],
    ['domain/fake.ts', `// @${'ts-ignore'}\nconst a = 1;`, 'ts-ignore'],
    ['http/fake.ts', 'const port = process.env.PORT;', 'the environment'],
    ['http/fake.ts', 'const port = Bun.env.PORT;', 'the environment'],
    ['http/fake.ts', "const worker = new Worker('x.ts');", 'new Worker'],
    ['http/fake.ts', "import { Database } from 'bun:sqlite';", 'uses SQL'],
    ['query/fake.ts', "rows('SELECT name FROM keys');", 'uses SQL'],
    ['query/fake.ts', 'Atomics.load(words, 0);', 'uses Atomics'],
    ['query/fake.ts', "await fetch('http://localhost');", 'uses a socket'],
    ['query/fake.ts', "import { connect } from 'node:net';", 'uses a socket'],
    ['store/fake.ts', "import { readFile } from 'node:fs/promises';", 'uses a file'],
    ['store/fake.ts', "const { size } = Bun.file('a');", 'uses a file'],
    ['start/fake.ts', "import { Elysia } from 'elysia';", 'uses Elysia'],
    ['web/fake.ts', "import { swagger } from '@elysiajs/swagger';", 'uses Elysia'],
    ['http/fake.ts', "import type { McpServer } from '@modelcontextprotocol/server';", 'uses the MCP SDK'],
    ['mcp/fake.ts', "import { isIP } from 'elysia';", 'uses Elysia'],
    ['web/client/fake.tsx', "import { Event } from '../../contract/event.ts';", 'types of contract'],
    [
      'terminal/fake.ts',
      "import { a } from '../../clients/typescript/src/mirror.ts';",
      'terminal may import',
    ],
    ['web/client/fake.tsx', "import type { Gate } from '../../access/gate.ts';", 'types of contract'],
    ['tools/fake.ts', 'const answer = eval(text);', 'uses code out of text'],
    ['web/client/fake.tsx', '<p dangerouslySetInnerHTML={{ __html: name }} />', 'uses HTML out of text'],
    ['feed/fake.ts', "Bun.spawn(['sh', '-c', text]);", 'uses another program'],
    ['web/fake.ts', "import { texts } from './client/texts.ts';", 'web may import no room'],
  ];
  for (const [path, text, sentence] of cases) {
    test(`violationsOf reports in ${path}: ${JSON.stringify(text)}`, () => {
      expect(violationsOf(path, text).join('\n')).toContain(sentence);
    });
  }

  test('violationsOf allows what the table allows', () => {
    const allowed: readonly (readonly [string, string])[] = [
      ['query/fake.ts', "import type { Odds } from '../contract/odds.ts';"],
      ['query/fake.ts', "import { type Odds, type Event } from '../contract/odds.ts';"],
      ['store/fake.ts', "import { SPORTS } from '../domain/catalogue.ts';\nimport { a } from './layout.ts';"],
      ['service.ts', "import { SlateReader } from './store/reader.ts';"],
      ['log.ts', "import type { Clock } from './clock.ts';"],
      ['clock.ts', 'export const now = Date.now();'],
      ['query/fake.ts', "import { Type } from '@sinclair/typebox';"],
      ['archive/fake.ts', "import { Database } from 'bun:sqlite';"],
      ['store/fake.ts', 'Atomics.load(words, 0);'],
      ['query/fake.ts', 'const answer = app.fetch(request);'],
    ];
    for (const [path, text] of allowed) expect(violationsOf(path, text)).toEqual([]);
  });

  test('violationsOf reads neither comments nor strings as code', () => {
    const text = [
      '// Date.now() and any: Math.random()',
      '/* new Worker, process.env */',
      "const help = 'not Math.random, as any; // really; fetch(it) by Atomics';",
      'const quote = /["\'`]/; const more = "it\'s: any";',
      `const text = \`Date.now() or \${value}: any\`;`,
      'const signal = AbortSignal.any([one]);',
      "// import { a } from '../http/app.ts';",
    ].join('\n');
    expect(violationsOf('domain/fake.ts', text)).toEqual([]);
  });

  test('violationsOf names what to use instead for every ban', () => {
    for (const ban of BANS) expect(ban.instead.length).toBeGreaterThan(0);
  });
});
