// `bun run mcp` without OVERROUND_URL: the whole service inside the stdio server, on a data folder of its
// own.

import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { freePort } from '../support/free-port.ts';
import { runService } from '../support/running-service.ts';
import { TOOL_NAMES } from '../support/tool-names.ts';
import { ERAS, makeClient } from './serve.ts';
import { REPOSITORY, run } from './subprocess.ts';

const TIMEOUT_MS = 120_000;

test(
  'the embedded stdio server sees the sharp book and leaves the development key to the next start',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'overround-stdio-'));
    const client = makeClient(ERAS[0]!.mode);
    try {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: ['src/main.ts', 'mcp'],
        env: {
          DATA_DIR: dataDir,
          PORT: '1',
          SIMULATOR_FOOTBALL_FIXTURES: '5',
          SIMULATOR_BASKETBALL_FIXTURES: '0',
        },
        cwd: REPOSITORY,
        stderr: 'ignore',
      });
      await client.connect(transport);
      expect((await client.listTools()).tools).toHaveLength(TOOL_NAMES.length);
      const answer = await client.callTool({ name: 'scan_slate', arguments: {} });
      expect(answer.structuredContent).toMatchObject({ count: expect.any(Number) });
      expect(JSON.stringify(answer)).not.toContain('is not part of the free tier');
      await client.close();
      const database = openDatabase({ path: join(dataDir, DATABASE_NAME), schemas: [], create: false });
      try {
        expect(await new KeyRepository(sqliteSql(database)).listAllKeys()).toEqual([]);
      } finally {
        database.close();
      }
    } finally {
      await client.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  TIMEOUT_MS,
);

const SMALL = { SIMULATOR_FOOTBALL_FIXTURES: '5', SIMULATOR_BASKETBALL_FIXTURES: '2' };
const COMMAND = [process.execPath, 'src/main.ts', 'mcp'] as const;

test(
  'beside a server that answers on PORT, it serves that server’s tools, as the key sees them, and starts none',
  async () => {
    await using service = await runService({ ...SMALL, PORT: String(freePort()) });
    const env = { DATA_DIR: service.dataDir, PORT: new URL(service.url).port };
    for (const [OVERROUND_API_KEY, seesSharp] of [
      [service.key, true],
      ['', false],
    ] as const) {
      const client = makeClient(ERAS[0]!.mode);
      try {
        const [command, ...args] = COMMAND;
        const stdio = { command, args, env: { ...env, OVERROUND_API_KEY }, cwd: REPOSITORY };
        await client.connect(new StdioClientTransport({ ...stdio, stderr: 'ignore' }));
        const { data } = await service.get<{ data: { id: string }[] }>('/v1/events?status=scheduled&limit=1');
        const answer = await client.callTool({
          name: 'get_match_odds',
          arguments: { event_id: data[0]!.id },
        });
        expect(JSON.stringify(answer)).toContain(data[0]!.id);
        expect(JSON.stringify(answer).includes('pinnacle')).toBe(seesSharp);
      } finally {
        await client.close();
      }
    }
  },
  TIMEOUT_MS,
);

test(
  'beside a server on the same data folder that does not answer on PORT, it refuses like a second start',
  async () => {
    await using service = await runService(SMALL);
    const env = { DATA_DIR: service.dataDir, PORT: String(freePort()) };
    const { exitCode, stderr } = await run(COMMAND, { timeoutMs: TIMEOUT_MS, env });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('another server (process ')]);
    expect(stderr).toContain('OVERROUND_URL');
  },
  TIMEOUT_MS,
);
