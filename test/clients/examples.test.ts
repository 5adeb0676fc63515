// Runs each example as its user would, and compares its output with the server.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { until } from '../support/condition.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { freePort } from '../support/free-port.ts';
import { readPrometheus } from '../support/prometheus.ts';
import { PYTHON, PYTHON_NOTE } from '../support/python.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const EXAMPLES = join(ROOT, 'examples');
const folder = temporaryFolder();
const recording = join(folder.path, 'day.ndjson.gz');
let service: RunningService;

async function run(command: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${errors}`);
  return output;
}

/** The servers whose data folder is inside this folder, as `ps` shows them with their environment. */
async function serversIn(path: string): Promise<string[]> {
  const shown = await run(['ps', 'axeww', '-o', 'args']);
  return shown.split('\n').filter((line) => line.includes(`DATA_DIR=${path}`));
}

/** A checkout with one example and the clients, whose src/main.ts runs the same program as the tests. */
function checkoutOfProgram(example: string): TemporaryFolder {
  const checkout = temporaryFolder();
  const at = (path: string): string => join(checkout.path, path);
  for (const path of ['examples', 'src']) mkdirSync(at(path));
  cpSync(join(EXAMPLES, example), at(`examples/${example}`));
  symlinkSync(join(ROOT, 'clients'), at('clients'));
  const program = JSON.stringify(resolve(ROOT, PROGRAM_PATH));
  writeFileSync(at('src/main.ts'), `await import(${program});\n`);
  return checkout;
}

beforeAll(async () => {
  service = await runService({ HTTP_THREADS: '1' });
  const made = ['feed', 'simulate', recording, '--seed', '7', '--football', '2', '--minutes', '30'];
  await run([process.execPath, PROGRAM_PATH, ...made]);
}, 120_000);
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test('value-webhook.ts notifies a webhook of the server’s value bets, once each, and retries a failed call', async () => {
  const calls: {
    readonly id: string;
    readonly text: string;
    readonly value_bet: { readonly edge_pct: number };
  }[] = [];
  let refusals = 0;
  const webhook = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const body = (await request.json()) as (typeof calls)[number];
      if (refusals++ === 0) return new Response('not now', { status: 500 });
      calls.push(body);
      return new Response();
    },
  });
  const child = Bun.spawn([process.execPath, join(EXAMPLES, 'value-webhook.ts')], {
    env: {
      ...process.env,
      OVERROUND_URL: service.url,
      OVERROUND_API_KEY: service.key,
      WEBHOOK_URL: webhook.url.href,
      MIN_EDGE_PCT: '0.1',
    },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  try {
    await until('the webhook has accepted three calls', () => calls.length >= 3);
  } finally {
    child.kill();
    await child.exited;
    await webhook.stop(true);
  }
  for (const { text, value_bet } of calls) {
    expect(text).toMatch(/^.+ v .+: \w+.* at \w+ [\d.]+, fair [\d.]+, edge [\d.]+%$/);
    expect(value_bet.edge_pct).toBeGreaterThanOrEqual(0.1);
  }
  expect(await child.stderr.text()).toContain('The webhook answered 500 (1 of 3)');
}, 120_000);

test.each([
  ['without a key', {}, /^No value bets are possible: The free tier .* Set OVERROUND_API_KEY$/m],
  ['without a webhook', { WEBHOOK_URL: '' }, /^Set WEBHOOK_URL to the address/],
  ['without a server', { OVERROUND_URL: 'http://127.0.0.1:1' }, /^Cannot reach http:\/\/127\.0\.0\.1:1: /m],
])(
  'value-webhook.ts ends and says why %s',
  async (_name, env, message) => {
    const child = Bun.spawn([process.execPath, join(EXAMPLES, 'value-webhook.ts')], {
      env: {
        PATH: process.env.PATH ?? '',
        OVERROUND_URL: service.url,
        WEBHOOK_URL: 'http://127.0.0.1:1',
        ...env,
      },
      stdout: 'ignore',
      stderr: 'pipe',
    });
    const [errors, code] = await Promise.all([child.stderr.text(), child.exited]);
    expect([code, errors]).toEqual([1, expect.stringMatching(message)]);
  },
  120_000,
);

// test/service/documented-commands.test.ts runs it to its end.
test('replayed-match.ts prints a match, and leaves no server and no folder behind when it is terminated', async () => {
  using checkout = checkoutOfProgram('replayed-match.ts');
  using own = temporaryFolder();
  const child = Bun.spawn([process.execPath, join(checkout.path, 'examples/replayed-match.ts'), recording], {
    env: { ...process.env, LINES: '100000', TMPDIR: own.path },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const { value, done } = await child.stdout.getReader().read();
  expect(done).toBe(false);
  const lines = new TextDecoder().decode(value).trimEnd().split('\n');
  for (const line of lines) expect(line).toMatch(/ {2}.+ (?:\d:\d|-) .+ {2}(?:home \d|suspended)/);
  expect(await serversIn(own.path)).toHaveLength(1);
  child.kill('SIGTERM');
  expect(await child.exited).toBe(143);
  expect(readdirSync(own.path)).toEqual([]);
  expect(await serversIn(own.path)).toEqual([]);
}, 120_000);

test.skipIf(PYTHON === null)(
  `line_movement.py serves the metrics that the rules read${PYTHON_NOTE}`,
  async () => {
    const { path, env } = PYTHON!;
    const port = freePort();
    await using proxy = await CuttableProxy.to(service.url);
    const child = Bun.spawn([path, join(EXAMPLES, 'line_movement.py')], {
      env: {
        ...process.env,
        ...env,
        OVERROUND_URL: proxy.url,
        OVERROUND_API_KEY: service.key,
        PORT: String(port),
      },
      stdout: 'ignore',
      stderr: 'inherit',
    });
    try {
      const scrape = (): Promise<Response | null> =>
        fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null);
      await until('it holds the slate', async () => {
        expect(child.exitCode).toBeNull();
        return (await scrape())?.status === 200;
      });
      const families = readPrometheus(await (await scrape())!.text());
      const { samples } = families.get('overround_consensus_line')!;
      expect(samples.length).toBeGreaterThan(50);
      const rules = await Bun.file(join(EXAMPLES, 'line-movement.rules.yml')).text();
      const { groups } = Bun.YAML.parse(rules) as {
        groups: { rules: { expr: string; record?: string }[] }[];
      };
      // Every metric name in a rule is either served, or recorded by an earlier rule.
      const names = new Set(families.keys());
      for (const { expr, record } of groups.flatMap(({ rules: all }) => all)) {
        for (const [name] of expr.matchAll(/\boverround[\w:]+/g)) expect([...names]).toContain(name);
        if (record !== undefined) names.add(record);
      }
      expect(rules.match(/\$labels\.(\w+)/g)!.map((text) => text.split('.')[1]!)).toEqual(
        expect.arrayContaining(Object.keys(samples[0]!.labels)),
      );
      // The line of one match, from the server's own comparison.
      const handicap = samples.find(({ labels }) => labels.market_type === 'totals')!;
      const { event_id } = handicap.labels;
      const { lines_offered } = await service.post<{ lines_offered: number[] }>('/v1/mcp/compare_lines', {
        ...{ event_id, market_type: 'totals', period: 'full_time' },
      });
      expect(lines_offered).toContain(handicap.value);
      proxy.cut();
      await until('it serves no old lines', async () => (await scrape())?.status === 503);
      proxy.restore();
      await until('it serves lines again', async () => (await scrape())?.status === 200);
    } finally {
      child.kill();
      await child.exited;
    }
  },
  120_000,
);

test.skipIf(PYTHON === null || !PYTHON.hasPandas)(
  `the cells of day-movement.ipynb run in their order${PYTHON_NOTE}${PYTHON?.hasPandas === false ? ' (skipped: no pandas)' : ''}`,
  async () => {
    const { path, env } = PYTHON!;
    const notebook = (await Bun.file(join(EXAMPLES, 'day-movement.ipynb')).json()) as {
      readonly nbformat: number;
      readonly cells: readonly {
        readonly cell_type: string;
        readonly source: readonly string[];
        readonly outputs?: readonly unknown[];
      }[];
    };
    expect(notebook.nbformat).toBe(4);
    const cells = notebook.cells.filter(({ cell_type }) => cell_type === 'code');
    expect(cells.flatMap(({ outputs }) => outputs)).toEqual([]);
    const program = join(folder.path, 'notebook.py');
    await Bun.write(program, cells.map(({ source }) => source.join('')).join('\n\n'));
    const output = await run([path, program], { ...env, RECORDING: recording });
    expect(output).toMatch(/^\d{4,} quotes of \d matches by [4-7] bookmakers\n/);
    expect(output).toContain('moved');
  },
  120_000,
);
