// What watches a server: metrics on a listener of their own, in both formats, and the dashboard and alerts of ops/, whose
// every query is held against what a running server says.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { METRICS } from '../../src/telemetry/metrics.ts';
import { freePort } from '../support/free-port.ts';
import { anchorsOf } from '../support/markdown.ts';
import { readPrometheus } from '../support/prometheus.ts';
import { ServerProcess } from '../support/server-process.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const TOKEN = 'a-token-of-many-letters';
const OPENMETRICS = 'application/openmetrics-text; version=1.0.0';
/** Debian's own, which has its packages. */
const PYTHON = '/usr/bin/python3';
const hasParser = ranWell([PYTHON, '-c', 'import prometheus_client.openmetrics.parser']);
const promtool = Bun.which('promtool');

let server: ServerProcess;
let url: string;
let metricsUrl: string;

beforeAll(async () => {
  const port = freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  server = new ServerProcess({ METRICS_PORT: String(port), METRICS_TOKEN: TOKEN, HTTP_THREADS: '2' });
  url = await server.serving();
  for (const path of ['/v1/events', '/v1/odds?status=live', '/nowhere']) await fetch(url + path);
}, 30_000);
afterAll(() => server[Symbol.asyncDispose]());

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
  test('serves metrics there to who has the token, and nothing else; the port of the service has them no more', async () => {
    expect((await scrape()).status).toBe(200);
    expect((await fetch(metricsUrl)).status).toBe(401);
    expect((await scrape({ authorization: 'Bearer another' })).status).toBe(401);
    expect((await fetch(metricsUrl.replace('/metrics', '/v1/events'))).status).toBe(404);
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect(await (await fetch(url)).json()).not.toHaveProperty('metrics');
  });

  test('answers in OpenMetrics to who names it, and else in the Prometheus text format', async () => {
    for (const accept of [undefined, '*/*', 'text/plain', `${OPENMETRICS};q=0`]) {
      const response = await scrape(accept === undefined ? {} : { accept });
      expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
    }
    const response = await scrape({ accept: `${OPENMETRICS},text/plain;version=0.0.4;q=0.5,*/*;q=0.1` });
    expect(response.headers.get('content-type')).toStartWith(OPENMETRICS);
    expect(await response.text()).toEndWith('\n# EOF\n');
  });

  // Debian: python3-prometheus-client.
  test.skipIf(!hasParser)(
    'the official parser of OpenMetrics takes the page and finds every family',
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
/** Families of sources that are polled and of HTTPS have no samples here; their labels are those of their table. */
const ABSENT_HERE: Readonly<Record<string, readonly string[]>> = {
  overround_source_credits_left: ['source'],
  overround_certificate_ends_timestamp_seconds: [],
};

describe('the dashboard and the alerts', () => {
  test('name no metric and no label that the server does not have', async () => {
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

  // Debian: prometheus.
  test.skipIf(promtool === null)('promtool takes the rules', () => {
    const checked = Bun.spawnSync([promtool ?? '', 'check', 'rules', `${ROOT}ops/alerts.yaml`]);
    expect([checked.exitCode, checked.stderr.toString()]).toEqual([0, '']);
  });

  test('every alert has a severity, a sentence and a section in the runbook, and the runbook no other', async () => {
    const rules = await alerts();
    for (const { labels, annotations } of rules) {
      expect(['page', 'warn']).toContain(labels.severity);
      expect(annotations.summary.length).toBeGreaterThan(10);
    }
    const runbook = await Bun.file(`${ROOT}docs/runbook.md`).text();
    const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map((match) => match[1]!);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
    expect(anchorsOf(runbook).size).toBeGreaterThan(rules.length);
  });

  test('the runbook names no metric that is not there', async () => {
    const runbook = await Bun.file(`${ROOT}docs/runbook.md`).text();
    const known = new Set(METRICS.map(({ name }) => name));
    const named = [...runbook.matchAll(/`(overround_[a-z_]+)`/g)].map((match) => match[1]!);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('request ids', () => {
  test('what the thread of accounts logs for a request has its id; what it logs for another has that one', async () => {
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
});
