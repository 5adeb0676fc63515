// The monitoring of a server: metrics on their own listener, in both formats, and the dashboard and alerts of
// ops/, whose queries are all compared with the metrics of a running server. The server uses a Redis and a
// Postgres if they are installed; test/replication/worker.test.ts covers metrics that only cluster nodes
// have.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mintKey } from '../../src/accounts/credentials/secrets.ts';
import { createStore } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import type { MetricSources } from '../../src/telemetry/metric-family.ts';
import { METRICS } from '../../src/telemetry/metrics.ts';
import { nodeFamilies } from '../../src/telemetry/node-metrics.ts';
import { until } from '../support/condition.ts';
import { freePort } from '../support/free-port.ts';
import { anchorsOf } from '../support/markdown.ts';
import { POSTGRES_MISSING, PostgresServer } from '../support/postgres-server.ts';
import { readPrometheus } from '../support/prometheus.ts';
import { REDIS_MISSING, RedisServer } from '../support/redis-server.ts';
import { ServerProcess } from '../support/server-process.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const TOKEN = 'a-token-of-many-letters';
const OPENMETRICS = 'application/openmetrics-text; version=1.0.0';
/** Debian's Python, because only that one finds Debian's packages. */
const PYTHON = '/usr/bin/python3';
const hasParser = ranWell([PYTHON, '-c', 'import prometheus_client.openmetrics.parser']);
const promtool = Bun.which('promtool');

const open = new AsyncDisposableStack();
let postgres: PostgresServer | null = null;
let server: ServerProcess;
let url: string;
let metricsUrl: string;

beforeAll(async () => {
  const port = freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  const engines: Record<string, string> = {};
  if (POSTGRES_MISSING === null) {
    postgres = open.use(await PostgresServer.start());
    engines.DATABASE_URL = await postgres.createDatabase();
  }
  if (REDIS_MISSING === null) engines.REDIS_URL = open.use(await RedisServer.start()).url;
  const metrics = { METRICS_PORT: String(port), METRICS_TOKEN: TOKEN };
  server = open.use(new ServerProcess({ ...engines, ...metrics, HTTP_THREADS: '2', HISTORY_DAYS: '30' }));
  url = await server.serving();
  for (const path of ['/v1/events', '/v1/odds?status=live', '/nowhere']) await fetch(url + path);
}, 120_000);
afterAll(() => open.disposeAsync());

function ranWell(command: readonly string[]): boolean {
  try {
    return Bun.spawnSync([...command]).exitCode === 0;
  } catch {
    return false; // not installed
  }
}

async function scrape(headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return await fetch(metricsUrl, { headers: { authorization: `Bearer ${TOKEN}`, ...headers } });
}

describe('METRICS_PORT', () => {
  test("serves only metrics there, to callers with the token, and the service's port no longer has them", async () => {
    expect((await scrape()).status).toBe(200);
    expect((await fetch(metricsUrl)).status).toBe(401);
    expect((await scrape({ authorization: 'Bearer another' })).status).toBe(401);
    expect((await fetch(metricsUrl.replace('/metrics', '/v1/events'))).status).toBe(404);
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect(await (await fetch(url)).json()).not.toHaveProperty('metrics');
  });

  test('answers in OpenMetrics to a client that names it, otherwise in the Prometheus text format', async () => {
    for (const accept of [undefined, '*/*', 'text/plain', `${OPENMETRICS};q=0`]) {
      const response = await scrape(accept === undefined ? {} : { accept });
      expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
    }
    const response = await scrape({ accept: `${OPENMETRICS},text/plain;version=0.0.4;q=0.5,*/*;q=0.1` });
    expect(response.headers.get('content-type')).toStartWith(OPENMETRICS);
    expect(await response.text()).toEndWith('\n# EOF\n');
  });

  // Needs Debian's python3-prometheus-client.
  test.skipIf(!hasParser)(
    'the official parser of OpenMetrics accepts the page and finds every family',
    async () => {
      const [open, text] = await Promise.all([
        (await scrape({ accept: OPENMETRICS })).text(),
        (await scrape()).text(),
      ]);
      const script = `
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
for family in text_string_to_metric_families(sys.stdin.read()):
    print(family.type, family.name + ('_total' if family.type == 'counter' else ''), len(family.samples) > 0)`;
      const parsed = Bun.spawnSync([PYTHON, '-c', script], { stdin: new TextEncoder().encode(open) });
      expect(parsed.stderr.toString()).toBe('');
      const families = [...readPrometheus(text)].map(
        ([name, { kind, samples }]) => `${kind} ${name} ${samples.length > 0 ? 'True' : 'False'}`,
      );
      expect(parsed.stdout.toString().trim().split('\n')).toEqual(families);
    },
  );
});

interface Query {
  readonly where: string;
  readonly text: string;
}

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

async function alerts(): Promise<readonly AlertRule[]> {
  const file = Bun.YAML.parse(await Bun.file(`${ROOT}ops/alerts.yaml`).text()) as {
    readonly groups: readonly { readonly rules: readonly AlertRule[] }[];
  };
  return file.groups.flatMap(({ rules }) => rules);
}

async function queries(): Promise<Query[]> {
  const dashboard = (await Bun.file(`${ROOT}ops/grafana-dashboard.json`).json()) as {
    readonly panels: readonly {
      readonly title: string;
      readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
    }[];
  };
  const ofPanels = dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({ where: title, text: `${expr} ${legendFormat}` })),
  );
  const ofAlerts = (await alerts()).map(({ alert, expr, annotations }) => ({
    where: alert,
    text: `${expr} ${annotations.summary}`,
  }));
  return [...ofPanels, ...ofAlerts];
}

/** Labels that Prometheus itself adds, and those of a histogram. */
const GIVEN_LABELS = ['job', 'instance', 'le'];
/**
 * Metrics that only some nodes have: families that may have no samples here, and the labels of their table.
 */
const NODE_FAMILIES: ReadonlyMap<string, readonly string[]> = new Map(
  nodeFamilies().map(({ name, samples }) => {
    const sources = { node: { get: () => 0 }, wallMs: 0, reader: new SlateReader(createStore(1)) };
    const all = samples(sources as unknown as MetricSources);
    return [name, all.flatMap(({ labels }) => Object.keys(labels ?? {}))];
  }),
);
/** Families that have no samples here: those of polled sources, of HTTPS and of a cluster. */
const ABSENT_HERE: Readonly<Record<string, readonly string[]>> = {
  overround_source_credits_left: ['source'],
  overround_certificate_ends_timestamp_seconds: [],
  ...Object.fromEntries(NODE_FAMILIES),
  overround_slate_state: ['state'],
};

describe('the dashboard and the alerts', () => {
  test('queries of the dashboard and the alerts name no metric and no label that the server does not have', async () => {
    const families = readPrometheus(await (await scrape()).text());
    const known = new Set(METRICS.map(({ name }) => name));
    const problems: string[] = [];
    let count = 0;
    for (const { where, text } of await queries()) {
      const labels = new Set(GIVEN_LABELS);
      for (const [name] of text.matchAll(/\b(?:overround|process)_[a-z0-9_]+\b/g)) {
        count += 1;
        const family = known.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '');
        if (!known.has(family)) problems.push(`${where}: there is no metric ${name}`);
        const samples = families.get(family)?.samples ?? [];
        if (samples.length === 0 && ABSENT_HERE[family] === undefined)
          problems.push(`${where}: no sample of ${name}`);
        for (const label of ABSENT_HERE[family] ?? samples.flatMap((sample) => Object.keys(sample.labels)))
          labels.add(label);
      }
      const used = [
        ...[...text.matchAll(/\{([^{}]*?)\}/g)].flatMap(([, inner]) => [
          ...inner!.matchAll(/(\w+)\s*(?:=~|!=|!~|=)\s*"/g),
        ]),
        ...[...text.matchAll(/\{\{\s*(?:\$labels\.)?([a-z]+)\s*\}\}/g)],
        ...[...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => [...list!.matchAll(/(\w+)/g)]),
      ].map((match) => match[1]!);
      for (const label of used) if (!labels.has(label)) problems.push(`${where}: there is no label ${label}`);
    }
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(40);
  });

  test('a single server has no metrics of a cluster, but it has those of the services that it uses', async () => {
    const families = readPrometheus(await (await scrape()).text());
    const shown = [...NODE_FAMILIES.keys()].filter((name) => families.has(name));
    const expected = [...NODE_FAMILIES.keys()].filter((name) => {
      if (/_(?:redis|limits)_/.test(name)) return REDIS_MISSING === null;
      if (/_postgres_/.test(name)) return POSTGRES_MISSING === null;
      return /_(?:archive|history|signal_record|alerts?)_/.test(name);
    });
    expect(shown).toEqual(expected);
    const ups = [...families].filter(([name]) => name.endsWith('_up')).flatMap(([, { samples }]) => samples);
    expect(ups.filter(({ value }) => value !== 1)).toEqual([]);
  });

  // Needs Debian's prometheus.
  test.skipIf(promtool === null)('promtool accepts the rules', () => {
    const checked = Bun.spawnSync([promtool ?? '', 'check', 'rules', `${ROOT}ops/alerts.yaml`]);
    expect([checked.exitCode, checked.stderr.toString()]).toEqual([0, '']);
  });

  test('every alert has a severity, a sentence and a section in the runbook, and the runbook has no other alerts', async () => {
    const rules = await alerts();
    for (const { labels, annotations } of rules) {
      expect(['page', 'warn']).toContain(labels.severity);
      expect(annotations.summary.length).toBeGreaterThan(10);
    }
    const runbook = await Bun.file(`${ROOT}docs/guide/runbook.md`).text();
    const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map((match) => match[1]!);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
    expect(anchorsOf(runbook).size).toBeGreaterThan(rules.length);
  });

  test('the runbook names only metrics that exist', async () => {
    const runbook = await Bun.file(`${ROOT}docs/guide/runbook.md`).text();
    const known = new Set(METRICS.map(({ name }) => name));
    const named = [...runbook.matchAll(/`(overround_[a-z_]+)`/g)].map((match) => match[1]!);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('request ids', () => {
  test("a line that the accounts thread logs for a request has that request's id", async () => {
    const ids = ['first-request', 'second-request'];
    await Promise.all(
      ids.map((id) =>
        fetch(`${url}/platform/signup`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-request-id': id },
          body: JSON.stringify({ email: `${id}@example.com`, password: 'correct horse battery' }),
        }),
      ),
    );
    for (const id of ids) await server.logged(new RegExp(`mail_in_outbox request_id="${id}" `));
    expect(server.log).not.toMatch(/feed_\w+ request_id/);
  });

  test.skipIf(POSTGRES_MISSING !== null)(
    'when requests look up keys while Postgres is away, each log line has the id of its request',
    async () => {
      await postgres?.kill();
      const ids = ['third-request', 'fourth-request'];
      const statuses = await Promise.all(
        ids.map(async (id) => {
          const authorization = `Bearer ${mintKey((bytes) => crypto.getRandomValues(bytes)).text}`;
          const headers = { 'x-request-id': id, authorization };
          const { status, headers: answered } = await fetch(`${url}/v1/odds?status=live`, { headers });
          return [status, answered.get('x-request-id')];
        }),
      );
      expect(statuses).toEqual(ids.map((id) => [503, id]));
      for (const id of ids) await server.logged(new RegExp(`storage_failed request_id="${id}" `));
      expect(server.log).not.toMatch(/key_changes_unread request_id/);
      await until('the metrics report that Postgres is down', async () => {
        const families = readPrometheus(await (await scrape()).text());
        return families.get('overround_postgres_up')!.samples.some(({ value }) => value === 0);
      });
    },
  );
});
