import { expect, test } from 'bun:test';
import { AccessBench } from '../support.ts';

const ROUNDS = 3;
const LOST_AT_MOST_MS = 1_000;

test('after kill -9 at most one second of the daily counts is lost', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    using bench = new AccessBench();
    const child = Bun.spawn([process.execPath, `${import.meta.dir}/../daily-counts.child.ts`, bench.folder], {
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const seen: { readonly atMs: number; readonly admitted: number }[] = [];
    const killAfterMs = 1_100 + 170 * round;
    let killedAtMs = 0;
    for await (const bytes of child.stdout) {
      const atMs = performance.now();
      const lines = new TextDecoder().decode(bytes).trim().split('\n');
      seen.push({ atMs, admitted: Number(lines.at(-1)) });
      if (killedAtMs === 0 && atMs - (seen[0]?.atMs ?? atMs) > killAfterMs) {
        child.kill('SIGKILL');
        killedAtMs = atMs;
      }
    }
    await child.exited;
    const safe = seen.filter(({ atMs }) => atMs <= killedAtMs - LOST_AT_MOST_MS).at(-1);
    const row = bench.database
      .query<{ total: number }, []>('SELECT coalesce(sum(requests), 0) AS total FROM daily_counts')
      .get();
    expect(safe?.admitted).toBeGreaterThan(0);
    expect(row?.total).toBeGreaterThanOrEqual(safe?.admitted ?? Number.POSITIVE_INFINITY);
  }
}, 120_000);
