// A fixture that is both on the tape of a feed and in an import. In a gap, what the feed reported about its
// match counts, as long as the feed had it. Outside of gaps, the import does not count at all.

import { expect, test } from 'bun:test';
import { HOUR_MS } from '../../../src/clock.ts';
import { STATUS_FINISHED, STATUS_LIVE } from '../../../src/domain/catalogue.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { GapList } from '../../../src/history/files/gap-list.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { TapeFollower } from '../../../src/history/live/tape-follower.ts';
import { MARK_LEFT, MARK_LISTED } from '../../../src/history/mark.ts';
import { NO_PRICES, type Tick, type TickFixture } from '../../../src/history/tick.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { tapeIn } from '../tape-folder.ts';

const DAY_MS = Date.UTC(2026, 5, 19);
const EVENT = encodeId('event', 7);
const FIXTURE: TickFixture = {
  ...{ eventId: EVENT, sport: 'football', league: 'League', home: 'Home', away: 'Away' },
  kickoffMs: DAY_MS + 10 * HOUR_MS,
};

type Mark = readonly [hour: number, status: number];

/**
 * The status at 13:00, given the marks of the feed and of an import; null if the fixture is not listed.
 * @param isInGap whether the feed was lost from before 13:00 on
 */
async function statusWith(
  own: readonly Mark[],
  imported: readonly Mark[],
  isInGap = true,
): Promise<number | null> {
  const folder = new MemoryFolder();
  for (const [name, marks] of [[`${DAY_MS}-a`, own] as const, ['odds-api', imported] as const]) {
    const packed = marks.map(([hour, status]) => [0, DAY_MS + hour * HOUR_MS, status] as const);
    const notes = { fixtures: [FIXTURE], marks: packed };
    await folder.write(`${dayPrefix('2026-06-19')}${name}.parquet`, encodeTickFile([], new Map(), notes));
  }
  const gaps = new GapList(folder);
  const gap = {
    fromMs: DAY_MS + 12.9 * HOUR_MS,
    toMs: DAY_MS + 13.9 * HOUR_MS,
    reason: 'feed_lost',
  } as const;
  if (isInGap) gaps.add([gap]);
  await gaps.save(null);
  const follower = new TapeFollower(folder);
  await follower.catchUp();
  const tape = tapeIn(folder, follower);
  const atMs = DAY_MS + 13 * HOUR_MS;
  const one = await tape.fixtureAt(EVENT, atMs, 'common');
  const slate = (await tape.slateAt(atMs, 'common')).fixture(EVENT);
  expect(slate).toEqual(one);
  return one?.status ?? null;
}

test('an import hides no status that the feed reported, and lists a fixture that the feed does not have', async () => {
  const listed: Mark = [12, MARK_LISTED];
  const left: Mark = [12, MARK_LEFT];
  const finished: Mark = [11, STATUS_FINISHED];
  expect(await statusWith([finished], [listed])).toBe(STATUS_FINISHED);
  expect(await statusWith([finished], [[9, MARK_LISTED], left])).toBe(STATUS_FINISHED);
  expect(await statusWith([finished, [11.5, MARK_LEFT]], [listed])).toBe(STATUS_LIVE);
  expect(await statusWith([finished, [11.5, MARK_LEFT]], [[9, MARK_LISTED]])).toBeNull();
  expect(await statusWith([finished, [11.5, MARK_LEFT]], [[9, MARK_LISTED], left])).toBeNull();
  expect(await statusWith([], [listed])).toBe(STATUS_LIVE);
  expect(await statusWith([[14, STATUS_FINISHED]], [listed])).toBe(STATUS_LIVE);
  expect(await statusWith([finished], [listed], false)).toBe(STATUS_FINISHED);
  expect(await statusWith([finished, [11.5, MARK_LEFT]], [listed], false)).toBeNull();
});

test('an import changes no description of a fixture at times that the tape itself knows', async () => {
  const folder = new MemoryFolder();
  const other = { ...FIXTURE, league: 'Other league', kickoffMs: DAY_MS + 40 * HOUR_MS };
  const tickOf = (fixture: TickFixture, hour: number): Tick => ({
    ...{ ...fixture, bookmaker: 'crown', marketType: '1x2', period: 'full_time', line: null },
    ...{ status: 'open', pricesE4: { ...NO_PRICES, home: 20_000, draw: 30_000, away: 40_000 } },
    ...{ atMs: DAY_MS + hour * HOUR_MS, receivedAtMs: DAY_MS + hour * HOUR_MS, standing: false },
    ...{ inPlay: false, scoreHome: null, scoreAway: null },
  });
  for (const [name, fixture, hour] of [
    [`${DAY_MS + 9 * HOUR_MS}-a`, FIXTURE, 10],
    ['import-0123456789ab', other, 11],
  ] as const) {
    const marks = [[0, DAY_MS + (hour + 1) * HOUR_MS, MARK_LISTED] as const];
    const bytes = encodeTickFile([tickOf(fixture, hour)], new Map(), { fixtures: [fixture], marks });
    await folder.write(`${dayPrefix('2026-06-19')}${name}.parquet`, bytes);
  }
  const tape = tapeIn(folder);
  for (const sight of ['all', 'common'] as const) {
    expect((await tape.fixtures(sight, null)).get(EVENT)).toMatchObject({ ...FIXTURE, ticks: 1 });
  }
  expect(await tape.listed(EVENT, null)).toEqual(FIXTURE);
});
