// A leader dies and a standby with the same slate continues the tape: no tick is lost, none is doubled, and
// a standby that started too late records a gap. A serving node reads the same rows.

import { heapStats } from 'bun:jsc';
import { expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { GAPS_COPY_PATH, GAPS_PATH } from '../../../src/history/files/folder.ts';
import { GapList } from '../../../src/history/files/gap-list.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { S3Folder } from '../../../src/history/files/s3-folder.ts';
import { TapeFollower } from '../../../src/history/live/tape-follower.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { S3Server } from '../../support/s3-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tapeIn } from '../tape-folder.ts';
import { asModel, EVENT_NUMBERS, FIXTURES, KEYS, modelText, TapeWorld } from '../tape-world.ts';

const step = fc.record({
  event: fc.integer({ min: 1, max: FIXTURES }),
  key: fc.constantFrom(...KEYS),
  price: fc.integer({ min: 10_100, max: 10_103 }),
  act: fc.constantFrom('quote', 'quote', 'quote', 'close', 'remove', 'put', 'live'),
  goals: fc.nat(2),
  reds: fc.nat(2),
  isDrained: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function apply(world: TapeWorld, { act, event, key, price, ...counts }: Step): void {
  if (act === 'quote') world.putQuote(event, key, price);
  else if (act === 'close') world.closeQuote(event, key);
  else if (act === 'remove') world.remove(event);
  else if (act === 'live') world.setLive(event, true, counts);
  else world.putFixture(event);
  world.publish();
  world.settle(5);
}

test('a takeover loses and doubles no tick', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 50 }),
      fc.nat(49),
      fc.boolean(),
      async (steps, diesAt, isOld) => {
        using folder = temporaryFolder();
        await using leader = new TapeWorld({ path: folder.path, ringRecords: 1_024, liveTicksMax: 10 });
        await using heir = new TapeWorld({
          path: folder.path,
          ringRecords: 1_024,
          liveTicksMax: 10,
          number: 100,
        });
        await leader.start();
        heir.startSlate();
        for (const world of [leader, heir]) {
          for (const event of EVENT_NUMBERS) world.putFixture(event);
          world.feedIsBack();
        }
        await leader.tape.step();
        // The standby completed its slate long ago, so its ring no longer holds the beginning of that slate.
        for (const world of [leader, heir]) world.settle(isOld ? 60_000 : 5);
        await leader.tape.step();
        heir.trim();
        for (const [index, one] of steps.entries()) {
          apply(heir, one);
          if (index <= diesAt) apply(leader, one);
          if (index <= diesAt && one.isDrained) await leader.tape.step();
        }
        await leader.die();
        await heir.takeOver();
        heir.settle();
        const { ticks } = await heir.taped();
        expect(heir.tape.gaps()).toEqual([]);
        expect(ticks.map(asModel).sort()).toEqual(heir.published.map(modelText).sort());
        for (const [eventId, states] of heir.states) expect(await heir.statesOf(eventId)).toEqual(states);
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
});

test('a standby that started after the leader died leaves a gap', async () => {
  using folder = temporaryFolder();
  await using leader = new TapeWorld({ path: folder.path });
  await leader.startWith(1);
  leader.putQuote(1, KEYS[0]!, 10_100);
  leader.publish();
  leader.settle();
  await leader.tape.step();
  await leader.die();
  await using heir = new TapeWorld({ path: folder.path, number: 100 });
  heir.startSlate();
  heir.settle(5_000);
  heir.putFixture(1);
  heir.feedIsBack();
  await heir.takeOver();
  heir.settle();
  await heir.tape.step();
  expect(heir.tape.gaps()).toMatchObject([{ reason: 'stopped' }]);
});

test('a serving node reads from the folder what the leader has in memory', async () => {
  using folder = temporaryFolder();
  await using leader = new TapeWorld({ path: folder.path, liveTicksMax: 5 });
  await leader.startWith(1);
  const follower = new TapeFollower(new LocalFolder(folder.path));
  for (let number = 0; number < 12; number++) {
    leader.putQuote(1, KEYS[number % 2]!, 10_100 + number);
    leader.publish();
    leader.settle();
    await leader.tape.sealed();
    const untilMs = await leader.tape.catchUp();
    expect(await follower.catchUp()).toBe(untilMs);
    const [eventId] = leader.tape.live.eventIds();
    expect(follower.live.rowsOf(eventId!)).toEqual(leader.tape.live.rowsOf(eventId!));
    expect(follower.live.beginMs).toBe(leader.tape.live.beginMs);
    expect(follower.live.idsOf(eventId!)).toEqual(leader.tape.live.idsOf(eventId!));
  }
});

test('if gaps.parquet is damaged, a serving node uses its copy, or the list that it read last', async () => {
  const folder = new MemoryFolder();
  const torn = new TextEncoder().encode('torn');
  const writer = new GapList(folder);
  const addGap = async (fromMs: number): Promise<void> => {
    writer.add([{ fromMs, toMs: fromMs + 1_000, reason: 'feed_lost' }]);
    await writer.save(null);
  };
  await addGap(10_000);
  const follower = new TapeFollower(folder);
  const begins = async (): Promise<number[]> => {
    await follower.catchUp();
    return follower.gaps().map(({ fromMs }) => fromMs);
  };
  expect(await begins()).toEqual([10_000]);
  await addGap(20_000);
  await folder.write(GAPS_PATH, torn);
  expect(await begins()).toEqual([10_000, 20_000]);
  await folder.write(GAPS_COPY_PATH, torn);
  expect(await begins()).toEqual([10_000, 20_000]);
  await folder.remove(GAPS_COPY_PATH);
  expect(await begins()).toEqual([10_000, 20_000]);
  // A node that has never read the list of gaps does not answer as if there were no gaps.
  await expect(new TapeFollower(folder).catchUp()).rejects.toThrow();
  await addGap(30_000);
  expect(await begins()).toEqual([10_000, 20_000, 30_000]);
});

test('while a bucket removes a log, a serving node that has read only a part of that log reads the file that replaces it', async () => {
  using server = new S3Server();
  using folder = temporaryFolder();
  await using leader = new TapeWorld({ path: folder.path, liveTicksMax: 20 });
  const local = new LocalFolder(folder.path);
  const bucket = new S3Folder({ bucket: 'tapes', prefix: 'a' }, server.options);
  const written = new Map<string, number>();
  /** Writes to the bucket what the leader has written since the last call. The bucket removes no log. */
  const copy = async (): Promise<void> => {
    for (const path of await local.logs()) {
      const offset = written.get(path) ?? 0;
      const bytes = await local.readLog(path, offset);
      if (bytes === null) continue; // the leader has just removed it
      if (bytes.length > 0) await bucket.append(path, offset, bytes);
      written.set(path, offset + bytes.length);
    }
    for (const { path } of await local.list('prices/')) await bucket.write(path, (await local.read(path))!);
  };
  await leader.startWith(1);
  const early = new TapeFollower(bucket);
  const instants: number[] = [];
  for (let number = 0; number < 22; number++) {
    leader.putQuote(1, KEYS[number % 2]!, 10_100 + number);
    leader.publish();
    instants.push(leader.nowMs);
    leader.settle();
    await leader.tape.step();
    await copy();
    if (number === 10) await early.catchUp();
  }
  await leader.tape.sealed();
  leader.settle(60_000);
  await leader.tape.step();
  await copy();
  const [ended, newest] = await bucket.logs();
  expect([(await bucket.list('prices/')).length, newest]).toEqual([1, (await local.logs())[0]]);
  const pieces = await bucket.list(`${ended}/`);
  for (const { path } of pieces.slice(4)) await bucket.remove(path);

  const eventId = [...leader.tape.live.eventIds()][0]!;
  const readBy = async (tape: ReturnType<typeof tapeIn>) => {
    await tape.catchUp('all');
    const range = { fromMs: 0, toMs: leader.nowMs };
    const ticks = await tape.ticksOf(eventId, range, { sight: 'all' });
    const slates = await Promise.all(instants.map((instant) => tape.fixtureAt(eventId, instant, 'all')));
    const exported = (await Array.fromAsync(tape.everyTick(range, 'all'))).flat();
    return { ticks, slates, exported: exported.length, days: await tape.days('all') };
  };
  const expected = await leader.reading(readBy);
  expect([expected.ticks.length, expected.exported]).toEqual([22, 22]);
  const late = new TapeFollower(bucket);
  for (const follower of [late, early]) expect(await readBy(tapeIn(bucket, follower))).toEqual(expected);
  await bucket.removeLog(ended!);
  for (const follower of [late, early]) expect(await readBy(tapeIn(bucket, follower))).toEqual(expected);
});

test('of the logs that are in files and cannot be removed, a serving node reads and keeps none', async () => {
  using folder = temporaryFolder();
  await using leader = new TapeWorld({ path: folder.path, liveTicksMax: 2 });
  leader.failsToRemove = () => true;
  await leader.startWith(1);
  const early = new TapeFollower(new LocalFolder(folder.path));
  const add = async (): Promise<void> => {
    for (let count = 0; count < 20; count++) {
      leader.publishPrice(10_100 + (leader.nowMs % 997));
      leader.settle(1_000);
      await leader.tape.sealed();
      await early.catchUp();
    }
  };
  const segmentsInMemory = (): number => {
    Bun.gc(true);
    const { LiveSegment: count = 0 } = heapStats().objectTypeCounts;
    return count;
  };
  await add();
  const before = segmentsInMemory();
  await add();
  expect(segmentsInMemory()).toBeLessThan(before + 5);
  const late = new LocalFolder(folder.path);
  const readLog = spyOn(late, 'readLog');
  const follower = new TapeFollower(late);
  await follower.catchUp();
  const logs = await late.logs();
  expect(logs.length).toBeGreaterThan(20);
  expect(readLog.mock.calls.map(([path]) => path)).toEqual([logs.at(-1)!]);
  const [eventId = ''] = leader.tape.live.eventIds();
  for (const one of [early, follower]) {
    expect(one.live.rowsOf(eventId)).toEqual(leader.tape.live.rowsOf(eventId));
    expect([await one.catchUp(), one.gaps()]).toEqual([await leader.tape.catchUp(), leader.tape.gaps()]);
  }
});
