// The memory of the store. `bun bench/memory.ts` fills 1,000 fixtures with 75,000 quotes and as many
// openings, then replaces every fixture many times, and prints the resident set after each step. Exits
// non-zero above RESIDENT_MAX_MIB; the whole server may take 350 MB.

import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { createStore } from '../src/store/layout.ts';
import { SlateReader } from '../src/store/reader.ts';
import { SlateWriter } from '../src/store/writer/writer.ts';
import { benchKeys, fillSlate, putFixture } from './store-slate.ts';

const SEED = 20_221_120;
const FIXTURES = 1_000;
const QUOTES = 75;
const UPDATES = 2_000_000;
const BATCH = 100;
/** About a month of a changing slate, with fewer new leagues and teams than would fill the name table. */
const ARRIVALS = 10_000;
const FIXTURES_PER_BATCH = 10;
const RESIDENT_MAX_MIB = 200;
const MIB = 2 ** 20;

function main(): void {
  const random = new Random(SEED);
  const keys = benchKeys(QUOTES);
  report('empty process');
  const buffer = createStore(0);
  report(`store made, ${toMib(buffer.byteLength)} MiB of address space`);
  const writer = new SlateWriter(buffer);
  fillSlate(writer, { fixtureCount: FIXTURES, keys, random });
  report(`${FIXTURES} fixtures, ${FIXTURES * QUOTES} quotes and openings`);
  for (let update = 0; update < UPDATES; update++) {
    const a = 15_000 + random.index(10_000);
    writer.quotes.putQuote(random.index(FIXTURES), keys[random.index(QUOTES)]!, a, a + 1, 0, 0, update);
    if (update % BATCH === 0) writer.publish(0);
  }
  writer.publish(0);
  report(`after ${UPDATES} updates in batches of ${BATCH}`);
  for (let event = FIXTURES + 1; event <= FIXTURES + ARRIVALS; event++) {
    writer.removeFixture(writer.slotOf(event - FIXTURES));
    putFixture(writer, { eventNumber: event, keys, random });
    if (event % FIXTURES_PER_BATCH === 0) writer.publish(0);
  }
  writer.publish(0);
  const reader = new SlateReader(buffer);
  let quoteCount = 0;
  for (let slot = 0; slot < reader.slotCount(); slot++) {
    quoteCount += reader.read(slot, (page) => reader.columns.quoteCount[page]!) ?? 0;
  }
  assert(quoteCount === FIXTURES * QUOTES, 'every quote is still there');
  Bun.gc(true);
  const residentMib = report(`after ${ARRIVALS} fixtures have left and as many have come`);
  if (residentMib > RESIDENT_MAX_MIB) {
    console.error(`Cannot fit: ${residentMib} MiB are resident, at most ${RESIDENT_MAX_MIB} are allowed`);
    process.exit(1);
  }
}

function report(step: string): number {
  const residentMib = toMib(process.memoryUsage.rss());
  console.log(`${residentMib} MiB resident: ${step}`);
  return residentMib;
}

function toMib(bytes: number): number {
  return Math.round(bytes / MIB);
}

main();
