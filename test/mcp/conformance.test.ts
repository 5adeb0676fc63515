// The official conformance suites, unchanged: against the production endpoint with the suites' fixtures
// added, and against a server as an operator starts it, with a key and without the suites' fixtures.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ServerProcess } from '../support/server-process.ts';
import {
  type ConformanceException,
  EXCEPTIONS_2025_11_25,
  EXCEPTIONS_2026_07_28,
  EXCEPTIONS_RELEASED,
  STARTED_2026_07_28,
  STARTED_RELEASED,
} from './conformance-exceptions.ts';
import { type ConformanceServer, run, startConformanceServer } from './subprocess.ts';

const RELEASED = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const NEWER = 'node_modules/@modelcontextprotocol/conformance-next/dist/index.js';
const SUITE_TIMEOUT_MS = 120_000;

interface SuiteRun {
  readonly name: string;
  readonly suite: string;
  readonly args: readonly string[];
  readonly exceptions: readonly ConformanceException[];
  /**
   * The exceptions for a server as an operator starts it; null if the suite does not run against such a
   * server.
   */
  readonly startedExceptions: readonly ConformanceException[] | null;
  /** The number of scenarios in the suite. A different number means that not the whole suite ran. */
  readonly scenarioCount: number;
}

const RUNS: readonly SuiteRun[] = [
  {
    name: '0.1.16 active',
    suite: RELEASED,
    args: [],
    exceptions: EXCEPTIONS_RELEASED,
    startedExceptions: STARTED_RELEASED,
    scenarioCount: 30,
  },
  {
    name: 'newer line, requirements 2025-11-25',
    suite: NEWER,
    args: ['--requirements', '2025-11-25'],
    exceptions: EXCEPTIONS_2025_11_25,
    // The suite of the older version tests a started server with the same version of the protocol.
    startedExceptions: null,
    scenarioCount: 33,
  },
  {
    name: 'newer line, requirements 2026-07-28',
    suite: NEWER,
    args: ['--requirements', '2026-07-28'],
    exceptions: EXCEPTIONS_2026_07_28,
    startedExceptions: STARTED_2026_07_28,
    scenarioCount: 50,
  },
];

let fixtures: ConformanceServer;
let started: ServerProcess;
let proxy: Bun.Server<undefined>;
beforeAll(async () => {
  fixtures = await startConformanceServer();
  started = new ServerProcess({ SIMULATOR_FOOTBALL_FIXTURES: '5', SIMULATOR_BASKETBALL_FIXTURES: '2' });
  const url = await started.serving();
  const [, key] = await started.logged(/key="?(isk_\w+)/);
  // The suites cannot send a key, and without a key they would soon exceed a rate limit.
  proxy = authorizingProxy(url, key!);
});
afterAll(async () => {
  await proxy.stop(true);
  await started[Symbol.asyncDispose]();
  await fixtures[Symbol.asyncDispose]();
});

const TARGETS = [
  { target: 'the endpoint with fixtures', url: () => fixtures.url, of: (run: SuiteRun) => run.exceptions },
  { target: 'a started server', url: () => `${proxy.url}mcp`, of: (run: SuiteRun) => run.startedExceptions },
] as const;

describe.each(TARGETS)('conformance of $target', ({ url, of }) => {
  for (const suiteRun of RUNS) {
    const { name, suite, args, scenarioCount } = suiteRun;
    const exceptions = of(suiteRun);
    if (exceptions === null) continue;
    test(
      `${name}: every scenario passes except the listed ones`,
      async () => {
        const command = [process.execPath, suite, 'server', '--url', url(), ...args];
        const { stdout } = await run(command, { timeoutMs: SUITE_TIMEOUT_MS });
        const scenarios = readSummary(stdout);
        expect(scenarios.length).toBe(scenarioCount);
        const notPassed = scenarios.filter(({ passed, failed }) => failed > 0 || passed === 0);
        expect(notPassed.map(({ scenario }) => scenario).sort()).toEqual(
          exceptions.map(({ scenario }) => scenario).sort(),
        );
      },
      SUITE_TIMEOUT_MS + 2_000,
    );
  }
});

interface ScenarioResult {
  readonly scenario: string;
  readonly passed: number;
  readonly failed: number;
}

/** Lines like "✓ ping: 2 passed, 0 failed". */
function readSummary(stdout: string): readonly ScenarioResult[] {
  const lines = stdout.matchAll(/^[✓✗] ([a-z0-9-]+): (\d+) passed, (\d+) failed$/gm);
  return [...lines].map(([, scenario = '', passed, failed]) => ({
    scenario,
    passed: Number(passed),
    failed: Number(failed),
  }));
}

/** A proxy for clients that cannot send a key: it adds the key and changes nothing else. */
function authorizingProxy(target: string, key: string): Bun.Server<undefined> {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set('authorization', `Bearer ${key}`);
      const body = request.body === null ? null : await request.arrayBuffer();
      return await fetch(target + pathname + search, { method: request.method, headers, body });
    },
  });
}
