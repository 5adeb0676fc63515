// The log of a version with other bookmakers. Its bytes are put together here, because the writer can only
// write today's bookmakers.

import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { BOOKMAKER_KEYS, STATUS_LIVE } from '../../../src/domain/catalogue.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { KEYS, TapeWorld } from '../tape-world.ts';

const EVENT = 7;
const EVENT_ID = encodeId('event', EVENT);
const FROM_MS = Date.UTC(2026, 5, 19, 12);
const FIXTURE = {
  ...{ eventId: EVENT_ID, sport: 'football' as const, league: 'League', home: 'Home', away: 'Away' },
  kickoffMs: FROM_MS - 60_000,
};
const IDS = { leagueId: encodeId('league', 1), homeId: encodeId('team', 2), awayId: encodeId('team', 3) };
/** A line at 1.95, then at 2.05 with a goal. */
const ROWS = [
  { atMs: FROM_MS + 500, receivedAtMs: FROM_MS + 1_000, priceE4: 19_500, goals: 0 },
  { atMs: FROM_MS + 1_500, receivedAtMs: FROM_MS + 2_000, priceE4: 20_500, goals: 1 },
] as const;

/** One chunk of a log, in the layout at the top of log-chunk.ts. */
function logOf(bookmakers: readonly string[]): Uint8Array {
  const facts = new TextEncoder().encode(
    JSON.stringify({
      fixtures: [[EVENT, 0, FIXTURE, IDS]],
      marks: [[0, FROM_MS + 500, STATUS_LIVE, 0, 0]],
      begin: { format: 1, bookmakers, bytesBefore: 0 },
    }),
  );
  const bytes = new Uint8Array(36 + facts.length + 48 * ROWS.length);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('TICK'));
  view.setUint32(4, bytes.length - 32, true);
  view.setUint32(12, 99, true); // a ring of another process
  view.setUint32(20, ROWS.length, true);
  view.setFloat64(24, FROM_MS + 3_000, true);
  view.setUint32(32, facts.length, true);
  bytes.set(facts, 36);
  for (const [index, { atMs, receivedAtMs, priceE4, goals }] of ROWS.entries()) {
    const at = 36 + facts.length + 48 * index;
    for (const [word, value] of [0, KEYS[0]!, priceE4, 34_000, 41_000, 4].entries()) {
      view.setInt32(at + 4 * word, value, true);
    }
    view.setInt16(at + 24, goals, true);
    view.setInt16(at + 26, 0, true);
    view.setFloat64(at + 32, atMs, true);
    view.setFloat64(at + 40, receivedAtMs, true);
  }
  view.setUint32(8, Bun.hash.crc32(bytes.subarray(12)), true);
  return bytes;
}

test('a node that takes over from a version with other bookmakers keeps its own log when the former log becomes a file', async () => {
  using folder = temporaryFolder();
  mkdirSync(`${folder.path}/log`);
  writeFileSync(`${folder.path}/log/${FROM_MS}-old.log`, logOf(BOOKMAKER_KEYS.slice(0, -1)));
  await using world = new TapeWorld({ path: folder.path });
  world.startSlate();
  await world.takeOver();
  world.feedIsBack();
  world.putFixture(1);
  world.publish();
  await world.tape.step();
  const before = await new LocalFolder(folder.path).logs();
  await world.tape.sealed();
  expect(before.length).toBe(2);
  expect(await new LocalFolder(folder.path).logs()).toEqual(before.slice(-1));
});
