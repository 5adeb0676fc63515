// Logs of the tape: when they are removed, what a repeated attempt writes, and when a newly opened folder
// begins a new log.

import { expect, test } from 'bun:test';
import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/clock.ts';
import { STATUS_LIVE, STATUS_SCHEDULED } from '../../../src/domain/catalogue.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import type { HistoryFolder } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { LiveSegment } from '../../../src/history/live/live-segment.ts';
import { readLog, recoverLogs } from '../../../src/history/live/recover-logs.ts';
import { SealQueue } from '../../../src/history/live/seal-queue.ts';
import { TapeLog } from '../../../src/history/live/tape-log.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asModel, KEYS, modelText, TapeWorld } from '../tape-world.ts';

test('a log that could not be removed is removed at a later attempt, and meanwhile the tape is written', async () => {
  using folder = temporaryFolder();
  await using world = new TapeWorld({ path: folder.path, liveTicksMax: 2 });
  const local = new LocalFolder(folder.path);
  await world.startWith(1);
  world.failsToRemove = () => true;
  const add = async (): Promise<void> => {
    for (let price = 0; price < 3; price++) {
      world.putQuote(1, KEYS[0]!, 10_100 + (world.nowMs % 997));
      world.publish();
      world.settle(1_000);
      await world.tape.sealed();
    }
  };
  await add();
  await add();
  expect(world.tape.standing()).toMatchObject({ stopped: null, ticks: 6 });
  expect([(await local.logs()).length > 1, (await local.list('prices/')).length]).toEqual([true, 3]);
  world.failsToRemove = () => false;
  world.settle(60_000);
  await world.tape.sealed();
  await world.tape.step();
  expect(world.tape.standing()).toMatchObject({ stopped: null, ticks: 6 });
  expect(await local.logs()).toHaveLength(1);
  expect((await world.taped()).ticks.map(asModel)).toEqual(world.published.map(modelText));
});

/** Writes twenty prices, two a file, while no log can be removed. */
async function withLogsLeft(world: TapeWorld): Promise<void> {
  await world.startWith(1);
  world.failsToRemove = () => true;
  for (let price = 10_100; price < 10_120; price++) {
    world.publishPrice(price);
    world.settle(1_000);
    await world.tape.sealed();
  }
}

test('of the logs that are in files and could not be removed, a start reads only the newest', async () => {
  using folder = temporaryFolder();
  await using world = new TapeWorld({ path: folder.path, liveTicksMax: 2 });
  await withLogsLeft(world);
  const local = new LocalFolder(folder.path);
  const read: string[] = [];
  const spied: Pick<HistoryFolder, 'readLog' | 'read'> = {
    readLog: (path, offset) => {
      read.push(path);
      return LocalFolder.prototype.readLog.call(local, path, offset);
    },
    read: (path) => {
      read.push(path);
      return LocalFolder.prototype.read.call(local, path);
    },
  };
  const { recovered } = await recoverLogs(Object.assign(local, spied));
  expect(recovered.length).toBeGreaterThan(8);
  expect(recovered.map(({ path }) => path)).toEqual([...(await local.logs())]);
  const inMemory = recovered.map(({ segment }) => segment.rowCount > 0);
  expect(inMemory.indexOf(true)).toBe(recovered.length - 4);
  expect(recovered.filter(({ isInFile }) => isInFile)).toHaveLength(recovered.length - 1);
  expect(read.length).toBe(7); // four logs, and the files of three of them
  await world.killed(0);
  world.putFixture(1);
  world.publishPrice(10_119);
  world.feedIsBack();
  await world.tape.step();
  expect((await world.taped()).ticks.map(asModel)).toEqual(world.published.map(modelText).slice(0, 20));
});

test('logs that are in files and could not be removed do not delay the first records after a start', async () => {
  using folder = temporaryFolder();
  await using world = new TapeWorld({ path: folder.path, liveTicksMax: 2 });
  await withLogsLeft(world);
  await world.killed(0);
  world.putFixture(1);
  world.publishPrice(10_200);
  world.feedIsBack();
  const { ticks } = world.tape.standing();
  await world.tape.step();
  expect(world.tape.standing().ticks).toBeGreaterThan(ticks);
  expect(world.tape.live.tickCount).toBeGreaterThan(0);
});

test('a segment that waits becomes a file before further logs are removed', async () => {
  const events: string[] = [];
  const folder = Object.assign(new MemoryFolder(), {
    removeLog: async (path: string) => {
      events.push(path);
      if (path === 'log/1-a.log') {
        queue.add({ segment: new LiveSegment(), logPath: 'log/3-a.log', beginMs: 3 });
      }
    },
  });
  const fail = (error: unknown): never => {
    throw error;
  };
  const queue = new SealQueue({
    ...{ folder, clock: systemClock, onFile: () => events.push('file') },
    ...{ onFailure: fail, onLogLeft: (_path: string, error: unknown) => fail(error) },
  });
  for (const path of ['log/1-a.log', 'log/2-a.log']) queue.remove(path);
  while (queue.hasWork) {
    queue.start();
    await queue.idle();
  }
  expect(events).toEqual(['log/1-a.log', 'file', 'log/2-a.log', 'log/3-a.log']);
});

test('a log that can never be removed is tried once a minute, and the other logs are removed', async () => {
  using folder = temporaryFolder();
  await using world = new TapeWorld({ path: folder.path, liveTicksMax: 2 });
  const local = new LocalFolder(folder.path);
  await world.startWith(1);
  await world.tape.step();
  const [stays = ''] = await local.logs();
  const triedAtMs: number[] = [];
  world.failsToRemove = (path) => {
    if (path === stays) triedAtMs.push(world.nowMs);
    return path === stays;
  };
  for (let step = 0; step < 200; step++) {
    if (step % 10 === 0) world.putQuote(1, KEYS[0]!, 10_100 + step);
    world.publish();
    world.settle(1_000);
    await world.tape.sealed();
    expect(world.tape.standing().stopped).toBeNull();
  }
  const pauses = triedAtMs.slice(1).map((atMs, index) => Math.floor((atMs - triedAtMs[index]!) / 1_000));
  expect(pauses).toEqual([60, 60, 60]);
  world.settle(60_000);
  await world.tape.sealed();
  const logs = await local.logs();
  expect([logs.length, logs.includes(stays)]).toEqual([2, true]);
  world.failsToRemove = () => false;
});

test('a chunk that is appended again has the same bytes, whatever was published since the first attempt', async () => {
  using folder = temporaryFolder();
  await using world = new TapeWorld({ path: folder.path, liveTicksMax: 20 });
  await world.startWith(1);
  /** The bytes of each attempt, by log and offset. */
  const attempts = new Map<string, string[]>();
  let failures = 0;
  world.onAppend = (path, offset, bytes) => {
    const place = `${path} ${offset}`;
    attempts.set(place, [...(attempts.get(place) ?? []), Buffer.from(bytes).toString('base64')]);
    if (failures-- > 0) throw Object.assign(new Error('slow'), { code: 'ETIMEDOUT' });
  };
  for (let number = 0; number < 60; number++) {
    if (number % 10 === 0) failures = 2;
    if (number % 13 === 0) world.feedIsLost();
    if (number % 13 === 6) world.feedReturns();
    world.putQuote(1, KEYS[number % 2]!, 10_100 + number);
    world.publish();
    world.settle(600);
    await world.tape.step();
  }
  const again = [...attempts.values()].filter(({ length }) => length > 1);
  expect(again.length).toBeGreaterThan(3);
  for (const bytes of again) expect(new Set(bytes).size).toBe(1);
});

test.each(['thread', 'process'])(
  'where a write may be applied late, the next %s begins a new log, so that each piece of a log has the same bytes in every attempt',
  async (next) => {
    using folder = temporaryFolder();
    await using world = new TapeWorld({ path: folder.path, liveTicksMax: 20, mayApplyLate: true });
    await world.startWith(1);
    const attempts = new Map<string, string[]>();
    let isFailing = false;
    world.onAppend = (path, offset, bytes) => {
      const place = `${path} ${offset}`;
      attempts.set(place, [...(attempts.get(place) ?? []), Buffer.from(bytes).toString('base64')]);
      if (isFailing) throw Object.assign(new Error('slow'), { code: 'ETIMEDOUT' });
    };
    const quote = async (price: number): Promise<void> => {
      world.putQuote(1, KEYS[0]!, price);
      world.publish();
      world.settle(2_000);
      await world.tape.step();
      if (!isFailing) await world.tape.sealed();
    };
    for (let round = 0; round < 4; round++) {
      await quote(10_100 + 10 * round);
      isFailing = true;
      for (const more of [1, 2]) await quote(10_100 + 10 * round + more);
      isFailing = false;
      if (next === 'thread') {
        await world.startTape();
        isFailing = true;
        await world.tape.step();
        isFailing = false;
        await world.startTape(); // in the same millisecond
      } else {
        await world.killed(0);
        world.putFixture(1);
        world.putQuote(1, KEYS[0]!, 10_103 + 10 * round);
        world.publish();
        world.feedIsBack();
      }
      await quote(10_104 + 10 * round);
    }
    expect([...attempts.values()].filter(({ length }) => length > 1).length).toBeGreaterThan(2);
    for (const bytes of attempts.values()) expect(new Set(bytes).size).toBe(1);
    const { ticks } = await world.taped();
    if (next === 'thread') {
      expect(world.tape.gaps()).toEqual([]);
      expect(ticks.map(asModel)).toEqual(world.published.map(modelText));
    } else expect(world.tape.gaps()).toHaveLength(4);
  },
);

test('a log whose first piece is applied only after the next process has begun its own log is not continued', async () => {
  using folder = temporaryFolder();
  // The numbers of the rings are written in base 36: the second is "z" and the third "10", so their names do
  // not sort by time.
  await using world = new TapeWorld({ path: folder.path, mayApplyLate: true, number: 33 });
  const quote = async (price: number): Promise<void> => {
    world.publishPrice(price);
    world.settle(2_000);
    await world.tape.step();
  };
  const restart = async (): Promise<void> => {
    await world.killed(0);
    world.putFixture(1);
    world.feedIsBack();
  };
  await world.startWith(1);
  await quote(10_100);
  let late: { readonly path: string; readonly bytes: Uint8Array } | null = null;
  world.onAppend = (path, offset, bytes) => {
    if (offset === 0) late ??= { path, bytes: bytes.slice() };
    throw Object.assign(new Error('slow'), { code: 'ETIMEDOUT' });
  };
  await restart();
  await quote(10_200);
  world.onAppend = () => {};
  await restart();
  const instants: number[] = [];
  for (const price of [10_300, 10_301, 10_302]) {
    await quote(price);
    instants.push(world.nowMs - 1_000);
  }
  const answers = async () => [
    await world.standingsAt(instants),
    await world.reading((tape) =>
      Promise.all(instants.map((instant) => tape.time.isKnownAt(instant, 'all'))),
    ),
  ];
  const before = await answers();
  expect(before[1]).toEqual([true, true, true]);
  const { path, bytes } = late!;
  const bucket = new LocalFolder(folder.path);
  const [own = ''] = (await bucket.logs()).slice(-1);
  expect(own.slice(0, own.indexOf('-'))).toBe(path.slice(0, path.indexOf('-'))); // both begin at the same time
  await bucket.append(path, 0, bytes);
  await bucket.close();
  await restart();
  await world.tape.step();
  expect(await answers()).toEqual(before);
  await quote(10_400);
  await world.tape.sealed();
  expect(await answers()).toEqual(before);
});

test('after a kill while a log was being removed, the next thread answers from the file, also before it has removed the rest of the log', async () => {
  using folder = temporaryFolder();
  await using world = new TapeWorld({ path: folder.path, liveTicksMax: 4 });
  const local = new LocalFolder(folder.path);
  world.stuckAt = 'log removal';
  await world.startWith(1);
  const instants: number[] = [];
  for (let price = 0; price < 4; price++) {
    world.putQuote(1, KEYS[0]!, 10_100 + price);
    world.publish();
    world.settle();
    instants.push(world.nowMs - 1);
    await world.tape.step();
  }
  await world.atRest();
  const standing = await world.standingsAt(instants);
  const path = join(folder.path, (await local.logs())[0]!);
  truncateSync(path, statSync(path).size - 100); // the last chunk is lost
  world.stuckAt = null;
  await world.startTape();
  expect(await world.standingsAt(instants)).toEqual(standing);
});

test('after a restart, a mark that a log repeats is no change, although the log begins in its millisecond', async () => {
  const folder = new MemoryFolder();
  const beginMs = 1_781_906_400_000;
  const segment = new LiveSegment();
  const fixture = { eventId: encodeId('event', 1), league: 'League', home: 'Home', away: 'Away' };
  const ids = { leagueId: encodeId('league', 1), homeId: encodeId('team', 2), awayId: encodeId('team', 3) };
  const named = { ...fixture, sport: 'football', kickoffMs: null } as const;
  const fixtureIndex = segment.addFixture({ eventNumber: 1, sport: 0, fixture: named, ids });
  const mark = { fixtureIndex, status: STATUS_LIVE, score: null, cards: null };
  segment.repeatMark({ ...mark, atMs: beginMs });
  const log = new TapeLog(folder, 'tag');
  log.begin(beginMs);
  const append = async (settledAtMs: number): Promise<number> => {
    await log.append({ segment, gap: null, settledAtMs }, { ringId: 1, position: 0 });
    return readLog(log.path, (await folder.readLog(log.path, 0))!).segment.firstChangeMs;
  };
  expect(await append(beginMs)).toBe(Number.POSITIVE_INFINITY);
  segment.addMark({ ...mark, atMs: beginMs, status: STATUS_SCHEDULED });
  expect(await append(beginMs + 1)).toBe(beginMs);
});
