// `bun run mcp` without OVERROUND_URL: the whole service inside the stdio server, on a data folder of its own.

import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { SqliteKeyRepository } from '../../src/accounts/sqlite-key-repository.ts';
import { DATABASE_NAME, openDatabase } from '../../src/database.ts';
import { TOOL_NAMES } from '../support/tool-names.ts';
import { ERAS, makeClient } from './serve.ts';
import { REPOSITORY } from './subprocess.ts';

const TIMEOUT_MS = 20_000;

test(
  'the embedded stdio server sees the sharp book and leaves the development key to the next start',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'overround-stdio-'));
    const client = makeClient(ERAS[0]!.mode);
    try {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: ['src/main.ts', 'mcp'],
        env: { DATA_DIR: dataDir, SIMULATOR_FOOTBALL_FIXTURES: '5', SIMULATOR_BASKETBALL_FIXTURES: '0' },
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
        expect(await new SqliteKeyRepository(database).listAllKeys()).toEqual([]);
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
