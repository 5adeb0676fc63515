// Messages through ingest end to end, from batches of decoded wire objects to published pages, compared with
// a plain map of objects that checks nothing. The figures include feed parsing, sequence numbers, the store's
// writer and publishing, but not JSON.

import { bench, do_not_optimize, group } from 'mitata';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import type { QueueEntry } from '../src/ingest/feed-queue.ts';
import { createStore, DEFAULT_CAPACITY } from '../src/store/layout.ts';
import { SlateReader } from '../src/store/reader.ts';
import { SlateWriter } from '../src/store/writer/writer.ts';
import { benchHandler, drawnQuote, START_MS, snapshotOf, type Wire } from './feed/bench-feed.ts';

const SEED = 20_260_301;

export function define(size: 'smoke' | 'full'): void {
  const fixtureCount = size === 'smoke' ? 8 : 500;
  const batchSize = size === 'smoke' ? 64 : 4_096;
  const random = new Random(SEED);
  const ours = makeHandler(fixtureCount);
  const plain = new PlainSlate();
  const snapshot = snapshotOf(fixtureCount);
  ours.drain(snapshot);
  for (const wire of snapshot) plain.apply(wire);
  const stream = new QuoteStream(random, { fixtureCount, seq: snapshot.length - 1 });
  checkAnswers(ours, plain, stream.batch(batchSize));
  group(`ingest: a batch of ${batchSize} quotes over ${fixtureCount} fixtures`, () => {
    bench('FeedHandler: validate, sequence, apply, publish', () => {
      ours.drain(stream.batch(batchSize));
    });
    bench('plain: objects in maps, nothing checked or published', () => {
      for (const wire of stream.batch(batchSize)) plain.apply(wire);
      do_not_optimize(plain);
    }).baseline(true);
    bench('making the batch, which is in both figures', () => {
      do_not_optimize(stream.batch(batchSize));
    });
  });
}

function makeHandler(fixtureCount: number) {
  const buffer = createStore(1, { ...DEFAULT_CAPACITY, fixtures: fixtureCount });
  const writer = new SlateWriter(buffer);
  const handler = benchHandler(writer);
  return {
    reader: new SlateReader(buffer),
    drain: (wires: readonly Wire[]) => handler.drain(wires.map(toEntry), 0),
  };
}

function toEntry(message: Wire): QueueEntry {
  return { message, mark: null };
}

/** Endless quotes in sequence; each batch is a millisecond later. */
class QuoteStream {
  readonly #random: Random;
  readonly #fixtureCount: number;
  #seq: number;
  #atMs = START_MS;

  constructor(random: Random, { fixtureCount, seq }: { fixtureCount: number; seq: number }) {
    this.#random = random;
    this.#fixtureCount = fixtureCount;
    this.#seq = seq;
  }

  batch(count: number): Wire[] {
    const at = new Date(++this.#atMs).toISOString();
    const fixtureCount = this.#fixtureCount;
    return Array.from({ length: count }, () =>
      drawnQuote(this.#random, { seq: ++this.#seq, at, fixtureCount }),
    );
  }
}

/** What a first version of the service would use. */
class PlainSlate {
  readonly fixtures = new Map<unknown, Map<string, Wire>>();

  apply(wire: Wire): void {
    if (wire.type === 'event') this.fixtures.set(wire.event, new Map());
    else if (wire.type === 'quote') {
      this.fixtures
        .get(wire.event)
        ?.set(`${wire.bookmaker}|${wire.market_type}|${wire.period}|${wire.line}`, wire);
    }
  }

  /** The sum of all prices in ten-thousandths, and the number of quotes. */
  sum(): readonly [number, number] {
    let total = 0;
    let count = 0;
    for (const quotes of this.fixtures.values()) {
      for (const { prices } of quotes.values()) {
        for (const price of prices as number[]) total += Math.round(price * 10_000);
        count++;
      }
    }
    return [total, count];
  }
}

function checkAnswers(ours: ReturnType<typeof makeHandler>, plain: PlainSlate, batch: readonly Wire[]): void {
  ours.drain(batch);
  for (const wire of batch) plain.apply(wire);
  const { reader } = ours;
  let total = 0;
  let count = 0;
  for (let slot = 0; slot < reader.slotCount(); slot++) {
    reader.read(slot, (page) => {
      const base = page * reader.quotesPerFixture;
      for (let row = base; row < base + reader.columns.quoteCount[page]!; row++) {
        total += reader.columns.priceE4A[row]! + reader.columns.priceE4B[row]!;
        count++;
      }
    });
  }
  const [plainTotal, plainCount] = plain.sum();
  assert(
    total === plainTotal && count === plainCount && count > 0,
    'the store holds what the plain map holds',
  );
  const counters = reader.counters();
  assert(counters.quotes_applied === batch.length && counters.gaps === 0, 'every quote was applied');
}
