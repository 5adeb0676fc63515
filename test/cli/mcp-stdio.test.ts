// The stdio server as a child process: both protocol versions, both sources of tools, clean standard output,
// a prompt end.

import { describe, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { readServerSettings } from '../../src/terminal/server-settings.ts';
import { KEY, serveRestStub } from '../mcp/rest-stub.ts';
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
      'serves the tools of this process',
      async () => {
        await using client = await connectTo(EMBEDDED, mode);
        expect(client.getNegotiatedProtocolVersion()).toBe(protocol);
        expect((await client.listTools()).tools).toHaveLength(5);
        const result = await client.callTool({ name: 'list_lines', arguments: { limit: 3 } });
        expect(result.structuredContent).toMatchObject({ count: 3, tier: 'standard' });
        const failed = await client.callTool({ name: 'leak', arguments: {} });
        expect(failed.isError).toBe(true);
        expect(JSON.stringify(failed)).not.toContain('hunter2');
      },
      TIMEOUT_MS,
    );

    test(
      'serves the tools of a running server with the key',
      async () => {
        await using stub = serveRestStub();
        const env = { OVERROUND_URL: `${stub.url}/`, OVERROUND_API_KEY: KEY };
        await using client = await connectTo(REAL, mode, env);
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(['list_lines', 'refuse', 'leak']);
        const result = await client.callTool({ name: 'list_lines', arguments: { limit: 3 } });
        expect(result.structuredContent).toMatchObject({ count: 3, tier: 'standard' });
        const refused = await client.callTool({ name: 'refuse', arguments: {} });
        expect(JSON.stringify(refused.content)).toContain('the slate is loading');
        const invalid = await client.callTool({ name: 'list_lines', arguments: { limit: -1 } });
        expect(JSON.stringify(invalid.content)).toContain(
          'limit: Input should be greater than or equal to 0',
        );
      },
      TIMEOUT_MS,
    );
  });
}

describe('stdio server', () => {
  test(
    'writes nothing but protocol to standard output and exits 0 when standard input ends',
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
    'reports on standard error why it cannot start, and exits 1',
    async () => {
      const env = { OVERROUND_URL: 'http://127.0.0.1:1', OVERROUND_API_KEY: '' };
      const { exitCode, stdout, stderr } = await run(REAL, { timeoutMs: TIMEOUT_MS - 1_000, env });
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toContain('Cannot read the tools of http://127.0.0.1:1/v1/mcp/tools');
    },
    TIMEOUT_MS,
  );
});

describe('readServerSettings()', () => {
  test('refuses a key that cannot be sent in a header', () => {
    for (const key of ['isk_x y', 'isk_x\ny', 'isk_€']) {
      expect(() => readServerSettings({ OVERROUND_API_KEY: key })).toThrow(
        'OVERROUND_API_KEY contains a character',
      );
    }
  });

  test('reads address and key, and refuses an address that is not http', () => {
    expect(readServerSettings({})).toEqual({ url: null, apiKey: null });
    expect(readServerSettings({ OVERROUND_URL: ' http://host:1/ ', OVERROUND_API_KEY: ' k ' })).toEqual({
      url: 'http://host:1',
      apiKey: 'k',
    });
    for (const url of ['ftp://host', 'host', 'http://user:secret@host', 'http://host?key=secret']) {
      expect(() => readServerSettings({ OVERROUND_URL: url })).toThrow('OVERROUND_URL');
    }
  });

  test.each(['OVERROUND_ULR', 'OVERROUNDURL', 'OVERROUND_URLS', 'OVERROUND_API_KYE', 'OVERROUND_APIKEY'])(
    '%s is refused with the nearest, and its value is not shown',
    (name) => {
      const nearest = name.includes('K') ? 'OVERROUND_API_KEY' : 'OVERROUND_URL';
      expect(() => readServerSettings({ [name]: 'secret' })).toThrow(
        `Cannot start: there is no setting ${name}, the nearest is ${nearest}`,
      );
    },
  );

  test('ignores variables of other programs', () => {
    expect(readServerSettings({ HOME: '/', PATH: '/bin', DATABASE_URL: 'x' }).url).toBeNull();
  });
});
