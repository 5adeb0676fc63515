// The whole service over HTTP when its slate is missing, silent or refused. Restarts: openings.test.ts.

import { describe, expect, test } from 'bun:test';
import { join, resolve } from 'node:path';
import { type Config, loadConfig } from '../../src/settings/config.ts';
import { startService } from '../../src/start/service.ts';
import { eventWire, heartbeatWire, helloWire } from '../feed/wire.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { until } from '../support/condition.ts';
import { twoFixtures, writeLines } from '../support/recording-file.ts';
import { runService } from '../support/running-service.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';

function configOf(directory: TemporaryFolder, environment: Record<string, string>): Config {
  return loadConfig({
    PORT: '0',
    DATA_DIR: directory.path,
    LOG_LEVEL: 'error',
    NODE_ENV: 'test',
    ...environment,
  });
}

describe('startService refuses a FEED that is no recording, by name', () => {
  for (const [what, lines] of [
    ['a file that starts with no hello', [eventWire(1)]],
    ['a recording of another protocol', [helloWire({ protocol: 2 })]],
    ['a file of something else', ['GIF89a']],
  ] as const) {
    test(what, async () => {
      using directory = temporaryFolder();
      const FEED = writeLines(join(directory.path, 'odd.ndjson'), [...lines]);
      await expect(startService(configOf(directory, { FEED }))).rejects.toThrow(
        `Cannot start: FEED is "${FEED}"`,
      );
    });
  }

  test('a missing file: the command reports it and ends with 1', async () => {
    using directory = temporaryFolder();
    const child = Bun.spawn([process.execPath, PROGRAM_PATH, 'start'], {
      cwd: `${import.meta.dir}/../..`,
      env: { ...childEnvironment(), FEED: 'replay:nowhere.ndjson', PORT: '0', DATA_DIR: directory.path },
      stdout: 'ignore',
      stderr: 'pipe',
    });
    expect(await new Response(child.stderr).text()).toBe(
      `Cannot start: FEED names the recording ${resolve('nowhere.ndjson')}, and that file is missing\n`,
    );
    expect(await child.exited).toBe(1);
  });
});

describe('without a slate', () => {
  test('503 again while the feed is silent for longer than the pre-match window, then back', async () => {
    using directory = temporaryFolder();
    const FEED = writeLines(join(directory.path, 'two.ndjson'), [
      ...twoFixtures(),
      heartbeatWire(7, { at: '2026-03-02T12:00:00Z' }), // a day ahead, so that the recording does not end meanwhile
    ]);
    // A replay sends a heartbeat every 5 s, so a window of 1 s opens and closes between two.
    await using service = await runService({ FEED, PREMATCH_FRESHNESS_S: '1', LIVE_FRESHNESS_S: '1' });
    let silent: Response | null = null;
    await until('the feed is silent', async () => {
      const response = await fetch(`${service.url}/v1/events`);
      if (response.status === 503) silent = response;
      return silent !== null;
    });
    expect(silent!.headers.get('retry-after')).toBe('5');
    expect(await silent!.json()).toMatchObject({ error: { code: 'upstream_unavailable' } });
    await until('the feed is back', async () => (await fetch(`${service.url}/v1/events`)).status === 200);
  }, 120_000);
});
