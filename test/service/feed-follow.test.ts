// `feed serve` as a process, and a whole service that follows it.

import { describe, expect, test } from 'bun:test';
import { runService } from '../support/running-service.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';

/** Starts `feed serve` and reads its address from the log. */
async function serveSimulator(environment: Record<string, string>) {
  const child = Bun.spawn(['bun', PROGRAM_PATH, 'feed', 'serve', 'simulator', '--port', '0'], {
    env: {
      ...process.env,
      // There are enough fixtures that some have prices at any hour, however many have finished.
      SIMULATOR_FOOTBALL_FIXTURES: '24',
      SIMULATOR_BASKETBALL_FIXTURES: '6',
      ...environment,
    },
    stderr: 'pipe',
    stdout: 'ignore',
  });
  const reader = child.stderr.getReader(); // kept open: the process ends if it logs into a closed pipe
  let seen = '';
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    seen += new TextDecoder().decode(chunk.value);
    const url = /ws:\/\/[\d.]+:\d+/.exec(seen)?.[0];
    if (url === undefined) continue;
    return {
      url,
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGINT');
        expect(await child.exited).toBe(0);
      },
    };
  }
  throw new Error(`feed serve ended: ${seen}`);
}

describe('a service with FEED=ws://', () => {
  test('serves the slate that feed serve sends', async () => {
    await using feed = await serveSimulator({ FEED_TOKEN: 'of-the-feed' });
    await using service = await runService({ FEED: feed.url, FEED_TOKEN: 'of-the-feed' });
    const health = await service.get<{ feed_live: boolean; matches: number; odds: number }>('/health');
    expect(health).toMatchObject({ feed_live: true });
    expect(health.odds).toBeGreaterThan(100);
  });
});
