// Several changes of a line in one millisecond are all ticks. The same change in two parts of the tape is
// one tick.

import { expect, test } from 'bun:test';
import { toIsoText } from '../../../src/clock.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { NO_PRICES, type Tick } from '../../../src/history/tick.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { tapeCalls, tapeIn } from '../tape-folder.ts';

const EVENT = encodeId('event', 7);
const AT_MS = Date.UTC(2026, 5, 19, 12);

function tickOf(price: number, { standing = false, receivedAtMs = AT_MS } = {}): Tick {
  return {
    ...{ eventId: EVENT, sport: 'football', league: 'League', home: 'Home', away: 'Away', kickoffMs: null },
    ...{ bookmaker: 'crown', marketType: 'totals', period: 'full_time', line: 2.5, status: 'open' },
    pricesE4: { ...NO_PRICES, over: price, under: 19_000 },
    ...{ atMs: AT_MS - 100, receivedAtMs, inPlay: false, standing },
    ...{ scoreHome: null, scoreAway: null },
  };
}

/** The prices in the history of the line, if the files have these rows. */
async function pricesOf(...files: readonly (readonly Tick[])[]): Promise<readonly number[]> {
  const folder = new MemoryFolder();
  for (const [index, rows] of files.entries()) {
    await folder.write(
      `${dayPrefix('2026-06-19')}${AT_MS + index}-a.parquet`,
      encodeTickFile(rows, new Map()),
    );
  }
  const range = { from: toIsoText(AT_MS - 1_000), to: toIsoText(AT_MS + 1_000) };
  const words = { ...range, resolution: 'tick', limit: 100 } as const;
  const principal = { tier: 'enterprise', seesSharp: true, keyId: 'key' } as const;
  const asked = { eventId: EVENT, words, principal, nowMs: AT_MS + 60_000 };
  const { bytes } = await tapeCalls(tapeIn(folder)).ticks(asked);
  const { series } = JSON.parse(new TextDecoder().decode(bytes)) as {
    readonly series: readonly { readonly ticks: readonly { readonly prices: { readonly over: number } }[] }[];
  };
  return series.flatMap(({ ticks }) => ticks.map(({ prices }) => prices.over));
}

test('a line whose price changes and changes back within one millisecond has three ticks', async () => {
  const [back, forth] = [tickOf(20_000), tickOf(21_000)];
  const before = tickOf(18_000, { receivedAtMs: AT_MS - 1 });
  expect(await pricesOf([before, back, forth, back])).toEqual([1.8, 2, 2.1, 2]);
  expect(await pricesOf([before, back, forth, back], [back, forth, back])).toEqual([1.8, 2, 2.1, 2]);
  expect(await pricesOf([before, back, forth], [back])).toEqual([1.8, 2, 2.1, 2]);
  expect(await pricesOf([before, back, forth], [forth, back])).toEqual([1.8, 2, 2.1, 2]);
});

test('a change that the next file repeats is only one tick', async () => {
  const tick = tickOf(20_000);
  expect(await pricesOf([tick], [tickOf(20_000, { standing: true })])).toEqual([2]);
  expect(await pricesOf([tick], [tick, tickOf(21_000)])).toEqual([2, 2.1]);
});
