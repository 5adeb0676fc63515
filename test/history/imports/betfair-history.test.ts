// The kickoff that Betfair's historical files state. Before play, the start of a market may be moved. The
// start that was stated last counts, whether it is in one file or in several, and in whatever order they are
// imported.

import { expect, test } from 'bun:test';
import { MINUTE_MS } from '../../../src/clock.ts';
import { CLOSE_SETTLING_MS } from '../../../src/history/closing-price.ts';
import { addToTape } from '../../../src/history/imports/add-to-tape.ts';
import { BetfairImport } from '../../../src/history/imports/betfair-history.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { tapeCalls, tapeIn } from '../tape-folder.ts';

const FIRST_MS = Date.UTC(2026, 2, 1, 13);
const MOVED_MS = Date.UTC(2026, 2, 1, 15);
const START_MS = FIRST_MS - 60 * MINUTE_MS;

interface Step {
  readonly minute: number;
  /** The start that the market's definition states; without one, the message has no definition. */
  readonly startsMs?: number;
  readonly inPlay?: boolean;
  /** The best price to back the market's first runner. */
  readonly price?: number;
}

/** The lines of a market's file. */
function fileOf(id: string, marketType: 'MATCH_ODDS' | 'OVER_UNDER_25', steps: readonly Step[]): object[] {
  const names = marketType === 'MATCH_ODDS' ? ['Red', 'Blue', 'The Draw'] : ['Over 2.5', 'Under 2.5'];
  const runners = names.map((name, index) => ({
    ...{ status: 'ACTIVE', sortPriority: index + 1, name, id: 10 + index },
  }));
  return steps.map(({ minute, startsMs, inPlay = false, price = 2 }, index) => {
    const definition = {
      ...{ bettingType: 'ODDS', marketType, eventId: '28796969', eventTypeId: '1', eventName: 'Red v Blue' },
      ...{ marketTime: new Date(startsMs ?? 0).toISOString(), runners, inPlay },
      ...{ status: 'OPEN', numberOfWinners: 1 },
    };
    const rest = index > 0 ? [] : runners.slice(1).map((runner) => ({ id: runner.id, atb: [[3.5, 9]] }));
    const backed = [...(index > 0 ? [[Math.round((price - 0.1) * 100) / 100, 0]] : []), [price, 9]];
    const change = {
      ...{ id, rc: [{ id: 10, atb: backed }, ...rest] },
      ...(startsMs === undefined ? {} : { img: index === 0, marketDefinition: definition }),
    };
    const pt = START_MS + minute * MINUTE_MS;
    return { op: 'mcm', clk: String(pt), pt, mc: [change] };
  });
}

/** Imports files in several runs, and returns every kickoff that the tape's ticks have. */
async function kickoffsAfter(...runs: readonly (readonly object[])[][]): Promise<readonly string[]> {
  const folder = await importedIn(runs);
  const ticks = await ticksIn(folder);
  expect(ticks.length).toBeGreaterThan(0);
  return [...new Set(ticks.map(({ kickoffMs }) => new Date(kickoffMs ?? 0).toISOString()))];
}

async function importedIn(runs: readonly (readonly (readonly object[])[])[]): Promise<MemoryFolder> {
  const folder = new MemoryFolder();
  for (const files of runs) {
    const reading = new BetfairImport({ bookmaker: 'crown', commission: 0 });
    for (const lines of files) {
      for (const line of lines) reading.add(line);
      reading.endFile();
    }
    await addToTape(folder, reading.finish());
  }
  return folder;
}

async function ticksIn(folder: MemoryFolder) {
  const range = { fromMs: 0, toMs: Number.POSITIVE_INFINITY };
  return (await Array.fromAsync(tapeIn(folder).everyTick(range, 'all'))).flat();
}

const STEPS: readonly Step[] = [
  { minute: 0, startsMs: FIRST_MS, price: 2 },
  { minute: 30, startsMs: MOVED_MS, price: 2.1 },
  { minute: 150, price: 2.2 },
];
const MOVED = fileOf('1.7', 'MATCH_ODDS', STEPS);
/** Ends before the start is moved. */
const EARLY = fileOf('1.8', 'OVER_UNDER_25', [{ minute: 10, startsMs: FIRST_MS }]);
const IN_PLAY = fileOf('1.9', 'OVER_UNDER_25', [
  { minute: 181, startsMs: MOVED_MS + 4 * MINUTE_MS, inPlay: true, price: 2 },
]);

test('if a file moves the start before play, the close is the last price before the later start', async () => {
  const play = { minute: 185, startsMs: MOVED_MS, inPlay: true, price: 2.3 };
  const played = fileOf('1.7', 'MATCH_ODDS', [...STEPS, play]);
  expect(await kickoffsAfter([played])).toEqual([new Date(MOVED_MS).toISOString()]);
  const folder = await importedIn([[played]]);
  const [{ eventId } = { eventId: '' }] = await ticksIn(folder);
  const { bytes } = await tapeCalls(tapeIn(folder)).closing({
    ...{ eventId, words: {}, principal: { tier: 'enterprise', seesSharp: true, keyId: 'key' } },
    nowMs: MOVED_MS + CLOSE_SETTLING_MS + MINUTE_MS,
  });
  const { closing } = JSON.parse(new TextDecoder().decode(bytes)) as {
    closing: { prices: { home: number } }[];
  };
  expect(closing.map(({ prices }) => prices.home)).toEqual([2.2]);
});

test('if several files belong to one event, the start that was stated last counts, whatever the order of the files', async () => {
  const moved = [new Date(MOVED_MS).toISOString()];
  expect(await kickoffsAfter([MOVED, EARLY])).toEqual(moved);
  expect(await kickoffsAfter([EARLY, MOVED])).toEqual(moved);
  expect(await kickoffsAfter([MOVED], [EARLY])).toEqual(moved);
  expect(await kickoffsAfter([EARLY], [MOVED])).toEqual(moved);
});

test('a start that a file states in play does not replace one that another file states before play', async () => {
  const moved = [new Date(MOVED_MS).toISOString()];
  expect(await kickoffsAfter([MOVED, IN_PLAY])).toEqual(moved);
  expect(await kickoffsAfter([IN_PLAY, MOVED])).toEqual(moved);
});
