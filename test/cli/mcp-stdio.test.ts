// The stdio server as a child process: it speaks both protocol versions, writes nothing else to standard
// output and ends quickly. test/mcp/served-tool.test.ts has the tools of a running server.

import { describe, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ERAS, type Mode, makeClient } from '../mcp/serve.ts';
import { REPOSITORY, run } from '../mcp/subprocess.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';

const TIMEOUT_MS = 120_000;
const EMBEDDED = [process.execPath, 'test/mcp/stdio-embedded-server.ts'] as const;
const REAL = [process.execPath, PROGRAM_PATH, 'mcp'] as const;

async function connectTo(
  command: readonly string[],
  mode: Mode,
  env: Readonly<Record<string, string>> = {},
): Promise<Client & AsyncDisposable> {
  const [executable = '', ...args] = command;
  const client = makeClient(mode);
  const transport = new StdioClientTransport({
    command: executable,
    args,
    env: { ...env },
    cwd: REPOSITORY,
    stderr: 'ignore',
  });
  await client.connect(transport);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

for (const { era, mode, protocol } of ERAS) {
  describe(`stdio server, ${era} client`, () => {
    test(
      'the stdio server serves the tools of this process',
      async () => {
        await using client = await connectTo(EMBEDDED, mode);
        expect(client.getNegotiatedProtocolVersion()).toBe(protocol);
        expect((await client.listTools()).tools).toHaveLength(4);
        const result = await client.callTool({ name: 'list_lines', arguments: { limit: 3 } });
        expect(result.structuredContent).toMatchObject({ count: 3, tier: 'standard' });
        const failed = await client.callTool({ name: 'leak', arguments: {} });
        expect(failed.isError).toBe(true);
        expect(JSON.stringify(failed)).not.toContain('hunter2');
      },
      TIMEOUT_MS,
    );
  });
}

describe('stdio server', () => {
  test(
    'the stdio server writes nothing but protocol to standard output and exits 0 when standard input ends',
    async () => {
      const child = Bun.spawn([...EMBEDDED], {
        cwd: REPOSITORY,
        stdin: 'pipe',
        stdout: 'pipe',
        stderr: 'ignore',
      });
      const initialize = {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'raw', version: '1' },
        },
      };
      child.stdin.write(`${JSON.stringify(initialize)}\n`);
      await child.stdin.flush();
      const reader = child.stdout.getReader();
      const decoder = new TextDecoder();
      let text = '';
      while (!text.includes('\n')) {
        const { done, value } = await reader.read();
        if (done) break;
        text += decoder.decode(value, { stream: true });
      }
      child.stdin.end();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        text += decoder.decode(value, { stream: true });
      }
      expect(await child.exited).toBe(0);
      const messages = text.trimEnd().split('\n');
      expect(messages.map((line) => JSON.parse(line) as unknown)).toEqual([
        expect.objectContaining({ jsonrpc: '2.0', id: 1 }),
      ]);
    },
    TIMEOUT_MS,
  );

  test(
    'the stdio server reports on standard error why it cannot start, and exits 1',
    async () => {
      const env = { OVERROUND_URL: 'http://127.0.0.1:1', OVERROUND_API_KEY: '' };
      const { exitCode, stdout, stderr } = await run(REAL, { timeoutMs: TIMEOUT_MS - 1_000, env });
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toContain('Cannot read the tools of http://127.0.0.1:1/v1/mcp/tools');
    },
    TIMEOUT_MS,
  );
});
