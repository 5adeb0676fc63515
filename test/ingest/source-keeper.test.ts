// A source that lost messages: if it can request a snapshot, it does; otherwise it is closed and reopened,
// once for any number of losses, after growing pauses.

import { expect, test } from 'bun:test';
import type { Clock } from '../../src/clock.ts';
import type { FeedSource } from '../../src/feed/source.ts';
import { SourceKeeper } from '../../src/ingest/source-keeper.ts';
import type { Log, LogFields } from '../../src/log.ts';
import { until } from '../support/condition.ts';

class Bench {
  readonly events: string[] = [];
  readonly pausesMs: number[] = [];
  readonly errors: unknown[] = [];
  nowMs = 0;
  opensFail = false;
  readonly clock: Clock = { wallMs: () => this.nowMs, monotonicMs: () => this.nowMs };
  readonly log = {
    warn: (_event: string, fields: LogFields) => void this.pausesMs.push(Number(fields.inMs)),
  } as unknown as Log;

  keeper(canReopen: boolean, resync?: () => void): SourceKeeper {
    let openCount = 0;
    return new SourceKeeper({
      name: 'upstream',
      canReopen,
      clock: this.clock,
      log: this.log,
      onError: (error) => this.errors.push(error),
      open: async (): Promise<FeedSource> => {
        if (this.opensFail) throw new Error('the upstream is away');
        const number = ++openCount;
        this.events.push(`open ${number}`);
        const close = async (): Promise<void> => void this.events.push(`close ${number}`);
        return resync === undefined ? { close } : { close, resync };
      },
    });
  }
}

test('a source that cannot request a snapshot is closed and reopened, once for any number of losses', async () => {
  const bench = new Bench();
  const keeper = bench.keeper(true);
  await keeper.open();
  for (let loss = 0; loss < 5; loss++) keeper.lost();
  await until('it is open again', () => bench.events.length === 3);
  expect(bench.events).toEqual(['open 1', 'close 1', 'open 2']);
  keeper.lost();
  await until('it is open a third time', () => bench.events.length === 5);
  expect(bench.events.slice(3)).toEqual(['close 2', 'open 3']);
  expect(bench.pausesMs).toHaveLength(2);
  expect(bench.pausesMs[1]!).toBeGreaterThan(bench.pausesMs[0]!);
  bench.nowMs = 120_001;
  keeper.lost();
  expect(bench.pausesMs[2]).toBe(bench.pausesMs[0]!);
  await keeper.close();
  expect(bench.events).toEqual(['open 1', 'close 1', 'open 2', 'close 2', 'open 3', 'close 3']);
  keeper.lost();
  expect(bench.pausesMs).toHaveLength(3);
});

test('a source that can request a snapshot requests one at each loss and stays open; a recording is not reopened', async () => {
  const bench = new Bench();
  let asked = 0;
  const asking = bench.keeper(true, () => asked++);
  await asking.open();
  asking.lost();
  asking.lost();
  expect([asked, bench.events, bench.pausesMs]).toEqual([2, ['open 1'], []]);
  const recording = bench.keeper(false);
  await recording.open();
  recording.lost();
  expect(bench.pausesMs).toEqual([]);
});

test('the owner is notified if the upstream cannot be reached when the source is reopened', async () => {
  const bench = new Bench();
  const keeper = bench.keeper(true);
  await keeper.open();
  bench.opensFail = true;
  keeper.lost();
  await until('the owner is notified', () => bench.errors.length === 1);
  expect(String(bench.errors[0])).toContain('the upstream is away');
  await keeper.close();
  expect(bench.events).toEqual(['open 1', 'close 1']);
});
