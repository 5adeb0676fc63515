// When closing prices are settled: when the match is first seen in play, otherwise ten minutes after the
// kickoff that was stated last. A match that has no kickoff and is not seen in play is never settled. A
// postponed match is settled again.

import { expect, test } from 'bun:test';
import { MINUTE_MS } from '../../src/clock.ts';
import { STATUS_LIVE, STATUS_SCHEDULED } from '../../src/domain/catalogue.ts';
import { ClosingKeeper } from '../../src/history/closing-keeper.ts';
import { CLOSE_SETTLING_MS } from '../../src/history/closing-price.ts';
import { UnreadableFileError } from '../../src/history/rows-around.ts';
import { StorageError } from '../../src/storage/storage-errors.ts';

const KICKOFF_MS = Date.UTC(2026, 5, 19, 18);

function keeperWith({ gapFrom = Number.NaN, fails = 0, knownAt = 0, writing = Promise.resolve() } = {}) {
  const acts: string[] = [];
  let [failures, attempts] = [fails, 0];
  const keeper = new ClosingKeeper({
    freeze: async ({ eventNumber, kickoffMs, keepsFrozen }) => {
      if (failures-- > 0) throw new Error('the disk is full');
      await writing;
      if (++attempts < knownAt) return false;
      const how = keepsFrozen ? ' unless frozen' : '';
      acts.push(`freeze ${eventNumber} ${(kickoffMs - KICKOFF_MS) / MINUTE_MS}${how}`);
      return true;
    },
    forget: async (eventNumber) => void acts.push(`forget ${eventNumber}`),
    onError: (error) => void acts.push(String(error)),
  });
  const at = (minutes: number) => KICKOFF_MS + minutes * MINUTE_MS;
  const published = (eventStatus: number) => (minutes: number, nowMinutes: number) =>
    keeper.fixture(1, { kickoffMs: at(minutes), eventStatus, nowMs: at(nowMinutes), gapFromMs: at(gapFrom) });
  return {
    acts,
    stated: published(STATUS_SCHEDULED),
    live: published(STATUS_LIVE),
    restored: (minutes: number, { liveAt = Number.NaN, hasBegun = !Number.isNaN(liveAt) } = {}) =>
      keeper.restored(1, { kickoffMs: at(minutes), liveAtMs: at(liveAt), hasBegun }),
    settle: (minutes: number) => keeper.settle(at(minutes)),
  };
}

test('a match that is seen live is settled at the next call, with the time at which it was first seen live as its kickoff', async () => {
  const { acts, stated, live, settle } = keeperWith();
  stated(0, -60);
  await settle(2);
  live(0, 2);
  await settle(2);
  stated(-1, 5); // the source rewrites the kickoff to the true start
  await settle(30);
  expect(acts).toEqual(['freeze 1 2']);
});

test('a match that is not seen live is settled ten minutes after the kickoff stated last', async () => {
  const { acts, stated, settle } = keeperWith();
  stated(0, -60);
  await settle(CLOSE_SETTLING_MS / MINUTE_MS - 0.01);
  expect(acts).toEqual([]);
  stated(-7.5, 9);
  await settle(9);
  expect(acts).toEqual(['freeze 1 -7.5']);
});

test('a postponed match is settled at its new kickoff, whether it was settled before or not', async () => {
  const { acts, stated, settle } = keeperWith();
  stated(0, -60);
  stated(120, -10);
  await settle(100);
  expect(acts).toEqual([]);
  await settle(130);
  stated(300, 140);
  await settle(141);
  await settle(310);
  expect(acts).toEqual(['freeze 1 120', 'forget 1', 'freeze 1 300']);
});

test('a match that is postponed while its prices are being frozen is settled again, even if another node saw that or freezing fails', async () => {
  const restated = {
    here: ['freeze 1 0', 'forget 1', 'freeze 1 300'],
    there: ['freeze 1 0', 'freeze 1 300'],
  };
  for (const where of ['here', 'there'] as const) {
    for (const isUnknown of [false, true]) {
      const writing = Promise.withResolvers<void>();
      const knownAt = isUnknown ? 2 : 0;
      const { acts, stated, restored, settle } = keeperWith({ writing: writing.promise, knownAt });
      stated(0, -60);
      const settled = settle(10);
      if (where === 'here') stated(300, 20);
      else restored(300);
      writing.resolve();
      await settled;
      await settle(21);
      await settle(310);
      expect(acts).toEqual(isUnknown ? ['freeze 1 300'] : restated[where]);
    }
  }
  const failing = keeperWith({ fails: 1 });
  failing.stated(0, -60);
  const settled = failing.settle(10);
  failing.stated(300, 20); // the prices may have been written before the failure
  await settled;
  await failing.settle(310);
  expect(failing.acts).toEqual(['Error: the disk is full', 'forget 1', 'freeze 1 300']);
});

test('a match that is first seen live while its prices are being frozen keeps these prices, whatever kickoff is stated later', async () => {
  const writing = Promise.withResolvers<void>();
  const { acts, stated, live, settle } = keeperWith({ writing: writing.promise });
  stated(0, -60);
  const settled = settle(10);
  live(0, 11);
  stated(300, 20);
  writing.resolve();
  await settled;
  await settle(310);
  expect(acts).toEqual(['freeze 1 0']);
});

test('a match without a kickoff that is never seen live is not settled; after a gap, the stated kickoff counts, or the beginning of the gap if the match was not live by then', async () => {
  const none = keeperWith();
  none.stated(Number.NaN, 0);
  await none.settle(1_000_000);
  expect(none.acts).toEqual([]);
  for (const [gapFrom, liveAt, kickoff] of [
    [-5, 40, 0],
    [4, 6, 4],
    [-9, -3, -3],
  ] as const) {
    const back = keeperWith({ gapFrom });
    back.stated(0, -60);
    back.live(0, liveAt);
    await back.settle(40);
    expect(back.acts).toEqual([`freeze 1 ${kickoff}`]);
  }
  const late = keeperWith({ gapFrom: 4 });
  late.live(0, 6); // the tape never saw it scheduled
  await late.settle(40);
  expect(late.acts).toEqual(['freeze 1 0 unless frozen']);
});

test('a match that was live when the log ended is settled at the time at which it was first live, unless its prices are frozen already', async () => {
  for (const statedMinutes of [Number.NaN, 0, 15, 60]) {
    const { acts, live, restored, settle } = keeperWith();
    restored(statedMinutes, { liveAt: 2 });
    await settle(45);
    live(statedMinutes, 45);
    await settle(100);
    expect(acts).toEqual(['freeze 1 2 unless frozen']);
  }
  const over = keeperWith();
  over.restored(60, { hasBegun: true });
  await over.settle(100);
  expect(over.acts).toEqual(['freeze 1 60 unless frozen']);
});

test('a match that was postponed while another node wrote the tape is settled again, unless it was seen live before', async () => {
  const postponed = keeperWith();
  postponed.stated(0, -60);
  await postponed.settle(10);
  postponed.restored(300);
  postponed.stated(300, 200);
  await postponed.settle(200);
  expect(postponed.acts).toEqual(['freeze 1 0']);
  await postponed.settle(310);
  expect(postponed.acts).toEqual(['freeze 1 0', 'freeze 1 300']);
  const begun = keeperWith();
  begun.stated(0, -60);
  await begun.settle(10);
  begun.restored(300, { liveAt: 301 });
  await begun.settle(310);
  expect(begun.acts).toEqual(['freeze 1 0', 'freeze 1 301 unless frozen']);
  const seen = keeperWith();
  seen.stated(0, -60);
  seen.live(0, 2);
  await seen.settle(2);
  seen.restored(300, { liveAt: 2 });
  await seen.settle(310);
  expect(seen.acts).toEqual(['freeze 1 2']);
});

test('a match that had not begun when the log ended is settled like any other', async () => {
  const { acts, live, restored, settle } = keeperWith();
  restored(0);
  live(0, 2);
  await settle(2);
  expect(acts).toEqual(['freeze 1 2']);
});

test('a match that is already live when it is first seen is settled at its stated kickoff, if there is one, unless its prices are frozen already', async () => {
  const stated = keeperWith();
  stated.live(0, 40);
  await stated.settle(40);
  const unstated = keeperWith();
  unstated.live(Number.NaN, 40);
  await unstated.settle(40);
  expect([...stated.acts, ...unstated.acts]).toEqual([
    'freeze 1 0 unless frozen',
    'freeze 1 40 unless frozen',
  ]);
});

test('if freezing the prices fails, the next settle tries again', async () => {
  const { acts, stated, live, settle } = keeperWith({ fails: 1 });
  stated(0, -60);
  live(0, 0);
  await settle(0);
  await settle(1);
  expect(acts).toEqual(['Error: the disk is full', 'freeze 1 0']);
});

test('a match whose prices are not known yet is tried again every five seconds, and counts as not frozen until then', async () => {
  const { acts, stated, settle } = keeperWith({ knownAt: 3 });
  stated(0, -60);
  const seconds = (count: number): number => 10 + count / 60;
  for (const count of [0, 1, 4.9, 5, 9.9]) expect(await settle(seconds(count))).toBe(true);
  expect(acts).toEqual([]);
  await settle(seconds(10));
  expect(acts).toEqual(['freeze 1 0']);
  await settle(seconds(60));
  expect(acts).toHaveLength(1);
  const postponed = keeperWith({ knownAt: 2 });
  postponed.stated(0, -60);
  await postponed.settle(20);
  postponed.stated(300, 20);
  await postponed.settle(310);
  expect(postponed.acts).toEqual(['freeze 1 300']);
});

test('a match whose prices cannot be frozen does not delay other matches', async () => {
  const acts: string[] = [];
  const keeper = new ClosingKeeper({
    freeze: async ({ eventNumber }) => {
      acts.push(`freeze ${eventNumber}`);
      if (eventNumber === 1) throw new UnreadableFileError('prices/a.parquet', 'it is damaged');
      return true;
    },
    forget: async () => {},
    onError: () => {},
  });
  const live = { kickoffMs: KICKOFF_MS, eventStatus: STATUS_LIVE, nowMs: KICKOFF_MS, gapFromMs: Number.NaN };
  for (const eventNumber of [1, 2]) keeper.fixture(eventNumber, live);
  await keeper.settle(KICKOFF_MS);
  keeper.fixture(3, live);
  await keeper.settle(KICKOFF_MS + 1_000);
  expect(acts).toEqual(['freeze 1', 'freeze 2', 'freeze 3']);
  await keeper.settle(KICKOFF_MS + MINUTE_MS);
  expect(acts).toEqual(['freeze 1', 'freeze 2', 'freeze 3', 'freeze 1']);
});

test('after a failure of the database no further match is tried, and the next call begins with the matches that were not tried', async () => {
  const acts: string[] = [];
  let isFailing = true;
  const options = {
    freeze: async ({ eventNumber }: { readonly eventNumber: number }) => {
      acts.push(`freeze ${eventNumber}`);
      if (isFailing) throw new StorageError('the database is busy', new Error('busy'), { isBusy: true });
      return true;
    },
    ...{ forget: async () => {}, onError: () => {} },
  };
  const keeper = new ClosingKeeper(options);
  const live = { kickoffMs: KICKOFF_MS, eventStatus: STATUS_LIVE, nowMs: KICKOFF_MS, gapFromMs: Number.NaN };
  for (const eventNumber of [1, 2, 3]) keeper.fixture(eventNumber, live);
  expect(await keeper.settle(KICKOFF_MS)).toBe(false);
  expect(await keeper.settle(KICKOFF_MS + MINUTE_MS)).toBe(false);
  expect(acts).toEqual(['freeze 1', 'freeze 2']);
  isFailing = false;
  expect(await keeper.settle(KICKOFF_MS + 2 * MINUTE_MS)).toBe(true);
  expect(acts.slice(2)).toEqual(['freeze 3', 'freeze 1', 'freeze 2']);
});
