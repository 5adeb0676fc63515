// The official conformance suites, run as they ship against the production endpoint with their fixtures beside ours.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  type ConformanceException,
  EXCEPTIONS_2025_11_25,
  EXCEPTIONS_2026_07_28,
  EXCEPTIONS_RELEASED,
} from './conformance-exceptions.ts';
import { type ConformanceServer, run, startConformanceServer } from './subprocess.ts';

const RELEASED = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const NEWER = 'node_modules/@modelcontextprotocol/conformance-next/dist/index.js';
const SUITE_TIMEOUT_MS = 25_000;

interface SuiteRun {
  readonly name: string;
  readonly suite: string;
  readonly args: readonly string[];
  readonly exceptions: readonly ConformanceException[];
  /** Scenarios the suite is known to hold; fewer means that it did not run. */
  readonly scenarioCount: number;
}

const RUNS: readonly SuiteRun[] = [
  { name: '0.1.16 active', suite: RELEASED, args: [], exceptions: EXCEPTIONS_RELEASED, scenarioCount: 30 },
  {
    name: 'newer line, requirements 2025-11-25',
    suite: NEWER,
    args: ['--requirements', '2025-11-25'],
    exceptions: EXCEPTIONS_2025_11_25,
    scenarioCount: 33,
  },
  {
    name: 'newer line, requirements 2026-07-28',
    suite: NEWER,
    args: ['--requirements', '2026-07-28'],
    exceptions: EXCEPTIONS_2026_07_28,
    scenarioCount: 50,
  },
];

let server: ConformanceServer;
beforeAll(async () => {
  server = await startConformanceServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe('conformance', () => {
  for (const { name, suite, args, exceptions, scenarioCount } of RUNS) {
    test(
      `${name}: every scenario passes except the listed ones`,
      async () => {
        const command = [process.execPath, suite, 'server', '--url', server.url, ...args];
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
