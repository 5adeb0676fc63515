// Logs and files from before 1.0.0: marks without scores and red cards, or without marks at all. The bytes
// are put together here and not by today's writers, which would write today's marks.

import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { BOOKMAKER_KEYS, STATUS_LIVE } from '../../../src/domain/catalogue.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import type { TapeSource } from '../../../src/history/tape-source.ts';
import { dayOf, NO_PRICES, type Tick } from '../../../src/history/tick.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tapeIn } from '../tape-folder.ts';
import { KEYS, TapeWorld } from '../tape-world.ts';

const EVENT = 7;
const EVENT_ID = encodeId('event', EVENT);
const FROM_MS = Date.UTC(2026, 5, 19, 12);
const FIXTURE = {
  ...{ eventId: EVENT_ID, sport: 'football' as const, league: 'League', home: 'Home', away: 'Away' },
  kickoffMs: FROM_MS - 60_000,
};
const IDS = { leagueId: encodeId('league', 1), homeId: encodeId('team', 2), awayId: encodeId('team', 3) };
/** A mark in the old form, without counts: fixture, instant, status. */
const OLD_MARK = [0, FROM_MS + 500, STATUS_LIVE] as const;
const VERSIONS = [
  ['before marks had scores', [OLD_MARK]],
  ['before there were marks', null],
] as const;

/** A line at 1.95, then at 2.05 with a goal. */
const ROWS = [
  { atMs: FROM_MS + 500, receivedAtMs: FROM_MS + 1_000, priceE4: 19_500, goals: 0 },
  { atMs: FROM_MS + 1_500, receivedAtMs: FROM_MS + 2_000, priceE4: 20_500, goals: 1 },
] as const;

/** One chunk of a log, in the layout at the top of log-chunk.ts. */
function oldLog(
  marks: readonly (typeof OLD_MARK)[] | null,
  bookmakers: readonly string[] = BOOKMAKER_KEYS,
): Uint8Array {
  const facts = new TextEncoder().encode(
    JSON.stringify({
      fixtures: [[EVENT, 0, FIXTURE, IDS]],
      ...(marks === null ? {} : { marks }),
      begin: { format: 1, bookmakers },
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

function ticks(): Tick[] {
  return ROWS.map(({ atMs, receivedAtMs, priceE4, goals }) => ({
    ...{ ...FIXTURE, bookmaker: BOOKMAKER_KEYS[0]!, marketType: '1x2', period: 'full_time', line: null },
    ...{ status: 'open', pricesE4: { ...NO_PRICES, home: priceE4, draw: 34_000, away: 41_000 } },
    ...{ atMs, receivedAtMs, inPlay: true, scoreHome: goals, scoreAway: 0, standing: false },
  }));
}

/** The match before the goal and after it: home team, status, score, cards and price. */
async function statesIn(path: string, source: TapeSource | null) {
  const tape = tapeIn(new LocalFolder(path), source);
  const seen: unknown[] = [];
  for (const atMs of [FROM_MS + 1_200, FROM_MS + 2_500]) {
    const past = await tape.fixtureAt(EVENT_ID, atMs, 'all');
    const price = past?.standing[0]?.pricesE4.home;
    seen.push([past?.fixture.home, past?.status, past?.score, past?.cards, price]);
  }
  tape.close();
  return seen;
}

const STATES: unknown[] = [
  ['Home', STATUS_LIVE, [0, 0], null, 19_500],
  ['Home', STATUS_LIVE, [1, 0], null, 20_500],
];

for (const [version, marks] of VERSIONS) {
  test(`answers from a log and from a file of version ${version} agree with their rows`, async () => {
    using folder = temporaryFolder();
    mkdirSync(`${folder.path}/log`);
    writeFileSync(`${folder.path}/log/${FROM_MS}-old.log`, oldLog(marks));
    await using world = new TapeWorld({ path: folder.path });
    await world.start();
    await world.tape.step();
    expect(world.tape.standing().setAside).toEqual([]);
    expect(await statesIn(folder.path, world.tape)).toEqual(STATES);
    world.feedIsBack(); // the fixture has left
    world.settle(86_400_000);
    await world.tape.sealed();
    expect(await statesIn(folder.path, world.tape)).toEqual(STATES);

    using other = temporaryFolder();
    const notes = marks === null ? null : { fixtures: [FIXTURE], marks };
    const bytes = encodeTickFile(ticks(), new Map([[EVENT_ID, IDS]]), notes);
    await new LocalFolder(other.path).write(`${dayPrefix(dayOf(FROM_MS))}${FROM_MS}-old.parquet`, bytes);
    expect(await statesIn(other.path, null)).toEqual(STATES);
  });
}

test('a node that takes over from a version with other bookmakers keeps its own log when the former log becomes a file', async () => {
  using folder = temporaryFolder();
  mkdirSync(`${folder.path}/log`);
  writeFileSync(`${folder.path}/log/${FROM_MS}-old.log`, oldLog([OLD_MARK], BOOKMAKER_KEYS.slice(0, -1)));
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
