// The MCP Inspector's command line against both transports, with its strict schema checks.

import { afterAll, describe, expect, test } from 'bun:test';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { serveEndpoint } from './serve.ts';
import { type Finished, run } from './subprocess.ts';

const INSPECTOR = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const STDIO = [process.execPath, 'test/mcp/stdio-embedded-server.ts'] as const;
const TIMEOUT_MS = 120_000;

interface Listing {
  readonly tools: readonly { readonly name: string }[];
}

/** Home directory of the Inspector, which keeps files there. */
const home = temporaryFolder();
afterAll(() => home[Symbol.dispose]());

function inspect(...args: readonly string[]): Promise<Finished> {
  const command = [process.execPath, INSPECTOR, '--cli', ...args, '--quiet'];
  return run(command, { timeoutMs: TIMEOUT_MS - 1_000, env: { HOME: home.path } });
}

function readJson<Value>({ stdout, stderr }: Finished): Value {
  if (!stdout.trimStart().startsWith('{'))
    throw new Error(`Cannot read the Inspector's answer: ${stdout}${stderr}`);
  return JSON.parse(stdout) as Value;
}

for (const era of ['legacy', 'modern'] as const) {
  describe(`Inspector, ${era} era`, () => {
    test(
      'the Inspector lists tools that pass its strict checks, and calls one, over HTTP',
      async () => {
        await using served = serveEndpoint();
        const target = [served.url, '--transport', 'http', '--protocol-era', era];
        const listed = await inspect(...target, '--method', 'tools/list', '--strict');
        expect([listed.exitCode, listed.stderr]).toEqual([0, '']);
        expect(readJson<Listing>(listed).tools).toHaveLength(4);
        const called = await inspect(...target, '--method', 'tools/call', ...CALL);
        expect(called.exitCode).toBe(0);
        expect(called.stdout).toContain('There are 3 lines.');
      },
      TIMEOUT_MS,
    );
  });
}

// test/cli/mcp-stdio.test.ts calls a tool over stdio, in each era.
test(
  'the Inspector lists tools that pass its strict checks over stdio',
  async () => {
    const target = [...STDIO, '--protocol-era', 'modern'];
    const listed = await inspect(...target, '--method', 'tools/list', '--strict');
    expect(listed.exitCode).toBe(0);
    expect(readJson<Listing>(listed).tools).toHaveLength(4);
  },
  TIMEOUT_MS,
);

const CALL = ['--tool-name', 'list_lines', '--tool-arg', 'limit=3'];
