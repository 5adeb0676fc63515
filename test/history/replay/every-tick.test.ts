// An export has the same ticks whether they are still in the log or already in a file.

import { expect, test } from 'bun:test';
import { BOOKMAKER_KEYS } from '../../../src/domain/catalogue.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { LiveSegment } from '../../../src/history/live/live-segment.ts';
import { encodeChunk } from '../../../src/history/live/log-chunk.ts';
import { TapeFollower } from '../../../src/history/live/tape-follower.ts';
import { compareTickLines, dayOf, type Tick, type TickFixture } from '../../../src/history/tick.ts';
import { packQuoteKey } from '../../../src/store/quote-key.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { tapeIn } from '../tape-folder.ts';

const BEGIN_MS = Date.UTC(2026, 5, 19, 12);
/** The roster at the time of the log. Its first bookmaker has left the roster since then. */
const BOOKMAKERS = ['former_bookmaker', BOOKMAKER_KEYS[0]!];

/** A log with a tick of each bookmaker. */
function logOf(): { readonly bytes: Uint8Array; readonly ticks: readonly Tick[] } {
  const segment = new LiveSegment(BOOKMAKERS);
  const fixture: TickFixture = {
    ...{ eventId: encodeId('event', 1), sport: 'football', league: 'League', home: 'Home', away: 'Away' },
    kickoffMs: null,
  };
  const fixtureIndex = segment.addFixture({ eventNumber: 1, sport: 0, fixture, ids: idsOf() });
  for (const bookmaker of BOOKMAKERS.keys()) {
    const atMs = BEGIN_MS + 1 + bookmaker;
    segment.add({
      ...{ fixtureIndex, quoteKey: packQuoteKey(2, 0, 10, bookmaker), status: 0 },
      ...{ priceA: 19_000, priceB: 19_500, priceC: 0, inPlay: false, standing: false },
      ...{ scoreHome: -1, scoreAway: -1, atMs, receivedAtMs: atMs },
    });
  }
  const bytes = encodeChunk({
    ...{ segment, rowFrom: 0, fixtureFrom: 0, markFrom: 0, facts: {} },
    begin: { bookmakers: BOOKMAKERS, bytesBefore: 0 },
    ...{ ring: { ringId: 0, position: 0 }, settledAtMs: BEGIN_MS + 10 },
  });
  return { bytes, ticks: BOOKMAKERS.map((_, at) => segment.tick(at)).sort(compareTickLines) };
}

function idsOf() {
  const [homeId, awayId] = [encodeId('team', 1), encodeId('team', 2)];
  return { leagueId: encodeId('league', 1), homeId, awayId };
}

/** The bookmakers of an export, and of an answer to callers who do not see the sharp bookmaker. */
async function bookmakersIn(folder: MemoryFolder) {
  const follower = new TapeFollower(folder);
  await follower.catchUp();
  const range = { fromMs: BEGIN_MS, toMs: BEGIN_MS + 1_000 };
  const sights = ['all', 'common'] as const;
  const read = sights.map((sight) => Array.fromAsync(tapeIn(folder, follower).everyTick(range, sight)));
  const found = await Promise.all(read);
  return found.map((parts) => parts.flat().map(({ bookmaker }) => bookmaker));
}

test('an export has the ticks of a bookmaker that left the roster, from a log as from a file', async () => {
  const { bytes, ticks } = logOf();
  const log = new MemoryFolder();
  await log.append(`log/${BEGIN_MS}-1.log`, 0, bytes);
  const file = new MemoryFolder();
  await file.write(`${dayPrefix(dayOf(BEGIN_MS))}${BEGIN_MS}-1.parquet`, encodeTickFile(ticks, new Map()));
  const found = await bookmakersIn(log);
  expect(found[0]!.toSorted()).toEqual(BOOKMAKERS.toSorted());
  expect(found[1]).not.toContain('former_bookmaker');
  expect(found).toEqual(await bookmakersIn(file));
});
