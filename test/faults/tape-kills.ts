// Kills a server that writes its price history under load, again and again, and reads the folder after each
// kill. By hand: `bun test/faults/tape-kills.ts --kills 50`. When it is run by hand, it also checks that a
// kill loses at most the last second. The test of the suite cannot promise that on a busy machine.

import { join } from 'node:path';
import { eventWire, quoteWire } from '../feed/wire.ts';
import { readTape, type TapeInFolder } from '../history/tape-folder.ts';
import { until } from '../support/condition.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FIRST_PRICE = 1.5;
const STEP = 0.0001;
/** How many prices one burst sends, one message each. */
const BURST = 25;
const BURST_EVERY_MS = 10;

export interface KillReport {
  readonly kills: number;
  readonly ticks: number;
  readonly gaps: number;
  /** The longest time before a kill whose prices are missing on the tape, in ms. */
  readonly lostMs: number;
}

/** One price that was sent. */
interface Sent {
  readonly priceE4: number;
  readonly atMs: number;
}

/**
 * @param bursts how many bursts are sent before each kill
 * @throws when a price is on the tape twice, is out of order or is missing outside gaps, and when a file is
 * torn
 */
export async function killAgainAndAgain(kills: number, bursts: number): Promise<KillReport> {
  using folder = temporaryFolder();
  const sent: Sent[] = [];
  let number = 0;
  const price = (): number => rounded(FIRST_PRICE + number * STEP);
  using feed = new ScriptedFeed({
    slate: () => [
      eventWire(0, 'e1', { at: nowText(), scheduled_at: nowText(36_000_000) }),
      quoteWire(0, 'e1', { at: nowText(), prices: [price(), 1.9] }),
    ],
  });
  const settings = {
    ...{ FEED: feed.url, DATA_DIR: folder.path },
    ...{ HISTORY_DAYS: '30', LOG_LEVEL: 'info', NODE_ENV: 'test' },
  };
  const killedAt: number[] = [];
  let lostMs = 0;
  let tape: TapeInFolder | null = null;
  for (let kill = 0; kill < kills; kill++) {
    await using server = new ServerProcess(settings);
    await server.serving();
    await until(
      'the tape goes on',
      async () => (await readTape(tapePath(folder.path))).ticks.length > (tape?.ticks.length ?? 0),
    );
    for (let burst = 0; burst < bursts; burst++) {
      for (let index = 0; index < BURST; index++) {
        number++;
        feed.send(quoteWire(0, 'e1', { at: nowText(), prices: [price(), 1.9] }));
        sent.push({ priceE4: Math.round(price() * 10_000), atMs: Date.now() });
      }
      await Bun.sleep(BURST_EVERY_MS);
    }
    const killedAtMs = Date.now();
    killedAt.push(killedAtMs);
    await server.kill();
    tape = await readTape(tapePath(folder.path));
    lostMs = Math.max(lostMs, lostBefore(sent, tape, killedAtMs));
    number++; // the next start finds another price
  }
  if (tape === null) throw new Error('Assertion failed: at least one kill');
  await expectSound(settings, killedAt);
  const last = await readTape(tapePath(folder.path));
  return { kills, ticks: last.ticks.length, gaps: last.gaps.length, lostMs };
}

function tapePath(dataDir: string): string {
  return join(dataDir, 'history');
}

function rounded(price: number): number {
  return Math.round(price * 10_000) / 10_000;
}

/** The time from the first price that is not on the tape to the kill; 0 if all prices are on it. */
function lostBefore(sent: readonly Sent[], { ticks }: TapeInFolder, killedAtMs: number): number {
  const taped = new Set(ticks.map(({ pricesE4 }) => pricesE4.home));
  const last = sent.findLastIndex(({ priceE4 }) => taped.has(priceE4));
  const firstLost = sent[last + 1];
  return firstLost === undefined ? 0 : killedAtMs - firstLost.atMs;
}

/**
 * Starts the server once more, which closes the last gap. Checks that each price is then on the tape once and
 * in order, and that each kill lies in a gap.
 */
async function expectSound(
  settings: { readonly FEED: string; readonly DATA_DIR: string },
  kills: readonly number[],
): Promise<void> {
  await using server = new ServerProcess({ ...settings });
  await server.serving();
  await until('every kill lies in a gap', async () => {
    const { gaps } = await readTape(tapePath(settings.DATA_DIR));
    return kills.every((atMs) => gaps.some(({ fromMs, toMs }) => fromMs <= atMs && (toMs ?? 0) >= atMs));
  });
  const { ticks } = await readTape(tapePath(settings.DATA_DIR));
  const prices = ticks.filter(({ status }) => status === 'open').map(({ pricesE4 }) => pricesE4.home ?? 0);
  for (const [index, price] of prices.entries()) {
    if (index > 0 && price <= prices[index - 1]!)
      throw new Error(`price ${price} is doubled or out of order`);
  }
}

if (import.meta.main) {
  const at = process.argv.indexOf('--kills');
  const kills = at < 0 ? 50 : Number(process.argv[at + 1]);
  const report = await killAgainAndAgain(kills, 100);
  console.log(JSON.stringify(report));
  if (report.lostMs > 1_000) throw new Error('a kill lost more than the last second');
}
