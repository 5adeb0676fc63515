// A fixture that is both on the tape of a feed and in an import. As long as the feed lists the match, the
// status that the feed reported counts.

import { expect, test } from 'bun:test';
import { HOUR_MS } from '../../../src/clock.ts';
import { STATUS_FINISHED, STATUS_SCHEDULED } from '../../../src/domain/catalogue.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { MARK_LEFT, MARK_LISTED } from '../../../src/history/mark.ts';
import type { TickFixture } from '../../../src/history/tick.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { tapeIn } from '../tape-folder.ts';

const DAY_MS = Date.UTC(2026, 5, 19);
const EVENT = encodeId('event', 7);
const FIXTURE: TickFixture = {
  ...{ eventId: EVENT, sport: 'football', league: 'League', home: 'Home', away: 'Away' },
  kickoffMs: DAY_MS + 10 * HOUR_MS,
};

type Mark = readonly [hour: number, status: number];

/** The status at 13:00, given the marks of the feed and of an import; null if the fixture is not listed. */
async function statusWith(own: readonly Mark[], imported: readonly Mark[]): Promise<number | null> {
  const folder = new MemoryFolder();
  for (const [name, marks] of [[`${DAY_MS}-a`, own] as const, ['odds-api', imported] as const]) {
    const packed = marks.map(([hour, status]) => [0, DAY_MS + hour * HOUR_MS, status] as const);
    const notes = { fixtures: [FIXTURE], marks: packed };
    await folder.write(`${dayPrefix('2026-06-19')}${name}.parquet`, encodeTickFile([], new Map(), notes));
  }
  const tape = tapeIn(folder);
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
  expect(await statusWith([finished, [11.5, MARK_LEFT]], [listed])).toBe(STATUS_SCHEDULED);
  expect(await statusWith([finished, [11.5, MARK_LEFT]], [[9, MARK_LISTED]])).toBeNull();
  expect(await statusWith([finished, [11.5, MARK_LEFT]], [[9, MARK_LISTED], left])).toBeNull();
  expect(await statusWith([], [listed])).toBe(STATUS_SCHEDULED);
  expect(await statusWith([[14, STATUS_FINISHED]], [listed])).toBe(STATUS_SCHEDULED);
});
