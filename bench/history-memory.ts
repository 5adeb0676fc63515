// The least memory that the price history can add to a server. `bun bench/history-memory.ts` starts processes
// that each contain one more part of it: an empty thread, the code of the history thread, its full ring, and
// the lines of the slate. None of them does any work. It prints the median resident memory of each, and how
// much that is above a process without the thread.

import { encodeId } from '../src/domain/ids.ts';
import { LiveSegment } from '../src/history/live/live-segment.ts';
import { HISTORY_RING_RECORDS } from '../src/limits.ts';
import { createTapeRing } from '../src/store/tape-ring.ts';
import { median } from './figures.ts';
import { residentBytes } from './processes.ts';
import { benchKeys } from './store-slate.ts';

const FIXTURES = 1_000;
const QUOTES = 75;
const ROUNDS = 5;

const STEPS = ['no thread', 'an empty thread', 'its code', 'its ring', 'the lines of the slate'] as const;
type Step = (typeof STEPS)[number];

function main(): void {
  const medians = STEPS.map((step) => {
    const sizes = Array.from({ length: ROUNDS }, () => {
      const child = Bun.spawnSync([process.execPath, import.meta.path, step], { stderr: 'inherit' });
      return Number(child.stdout.toString());
    });
    return median(sizes);
  });
  for (const [index, step] of STEPS.entries()) {
    const more = index === 0 ? '' : `, ${(medians[index]! - medians[0]!).toFixed(1)} MB more than without`;
    console.log(`${step}: ${medians[index]!.toFixed(1)} MB resident${more}`);
  }
}

/** Runs in a child process: creates the parts up to this one, and prints the resident memory. */
async function measure(last: Step): Promise<void> {
  if (last === 'no thread') {
    Bun.gc(true);
    console.log(residentBytes(process.pid) / 1e6);
    return;
  }
  const worker = new Worker(import.meta.path, { argv: [last] });
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.onmessage = () => resolve();
  await promise;
  console.log(residentBytes(process.pid) / 1e6);
  process.exit(0);
}

const held: unknown[] = [];

async function beThread(last: Step): Promise<void> {
  const steps = STEPS.slice(0, STEPS.indexOf(last) + 1);
  if (steps.includes('its code')) await import('../src/start/threads/history.worker.ts');
  if (steps.includes('its ring')) {
    const ring = createTapeRing(HISTORY_RING_RECORDS, 1);
    new Uint8Array(ring).fill(1); // fills it, because a server has written to all of it within minutes
    held.push(ring);
  }
  if (steps.includes('the lines of the slate')) held.push(slateLines());
  Bun.gc(true);
  postMessage('ready');
}

function slateLines(): LiveSegment {
  const segment = new LiveSegment();
  const keys = benchKeys(QUOTES);
  // One object for all rows, so that only the lines take memory.
  const row = {
    ...{ fixtureIndex: 0, quoteKey: 0, priceA: 19_000, priceB: 19_000, priceC: 0, status: 0 },
    ...{ inPlay: false, standing: true, scoreHome: -1, scoreAway: -1, atMs: 0, receivedAtMs: 0 },
  };
  for (let event = 1; event <= FIXTURES; event++) {
    const eventId = encodeId('event', event);
    row.fixtureIndex = segment.addFixture({
      ...{ eventNumber: event, sport: 0, ids: { leagueId: '', homeId: '', awayId: '' } },
      fixture: {
        ...{ eventId, sport: 'football', league: 'League', home: `Home ${event}`, away: `Away ${event}` },
        kickoffMs: 0,
      },
    });
    for (const quoteKey of keys) {
      row.quoteKey = quoteKey;
      segment.add(row);
    }
  }
  return segment;
}

const step = STEPS.find((name) => name === process.argv[2]);
if (step === undefined) main();
else if (Bun.isMainThread) await measure(step);
else await beThread(step);
