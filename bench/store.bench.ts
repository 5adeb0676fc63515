// The store: applying quotes and publishing, copying a page, reading a fixture and scanning the slate for
// best prices, each compared with a first version on plain objects.

import { bench, do_not_optimize, group } from 'mitata';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { attachStore, createStore, DEFAULT_CAPACITY } from '../src/store/layout.ts';
import { marketLineOfKey } from '../src/store/quote-key.ts';
import { SlateReader } from '../src/store/reader.ts';
import { copyPage } from '../src/store/writer/page-columns.ts';
import { SlateWriter } from '../src/store/writer/writer.ts';
import { benchKeys, fillSlate } from './store-slate.ts';

const SEED = 20_221_120;
const QUOTES = 75;
const UPDATES = 1 << 16;

/** A quote as one would hold it in a Map. */
interface PlainQuote {
  key: number;
  a: number;
  b: number;
  c: number;
  status: number;
  atMs: number;
}
type PlainSlate = Map<number, Map<number, PlainQuote>>;

export function define(size: 'smoke' | 'full'): void {
  const fixtureCount = size === 'smoke' ? 20 : 1_000;
  const keys = benchKeys(QUOTES);
  const random = new Random(SEED);
  const buffer = createStore(0, { ...DEFAULT_CAPACITY, fixtures: Math.max(fixtureCount, 64) });
  const writer = new SlateWriter(buffer);
  fillSlate(writer, { fixtureCount, keys, random });
  const plain: PlainSlate = new Map();
  const reader = new SlateReader(buffer);
  for (let slot = 0; slot < fixtureCount; slot++) plain.set(slot, new Map(plainQuotes(reader, slot)));

  defineApply(writer, plain, { fixtureCount, keys, random });
  checkSame(reader, plain, fixtureCount);
  defineCopy(buffer, reader, plain);
  defineRead(reader, plain, fixtureCount);
  defineScan(reader, plain, fixtureCount);
}

function defineApply(
  writer: SlateWriter,
  plain: PlainSlate,
  { fixtureCount, keys, random }: { fixtureCount: number; keys: readonly number[]; random: Random },
): void {
  const slots = Int32Array.from({ length: UPDATES }, () => random.index(fixtureCount));
  const quoteKeys = Int32Array.from({ length: UPDATES }, () => keys[random.index(keys.length)]!);
  const prices = Int32Array.from({ length: UPDATES }, () => 15_000 + random.index(10_000));
  let next = 0;
  let atMs = 1_000;
  function applyBatch(count: number): void {
    atMs++;
    for (let index = 0; index < count; index++) {
      next = (next + 1) & (UPDATES - 1);
      const price = prices[next]!;
      writer.quotes.putQuote(slots[next]!, quoteKeys[next]!, price, price + 1, 0, 0, atMs);
    }
    writer.publish(0);
  }
  let plainNext = 0;
  let plainAtMs = 1_000;
  function applyPlain(count: number): void {
    plainAtMs++;
    for (let index = 0; index < count; index++) {
      plainNext = (plainNext + 1) & (UPDATES - 1);
      const price = prices[plainNext]!;
      const quotes = plain.get(slots[plainNext]!)!;
      const key = quoteKeys[plainNext]!;
      const held = quotes.get(key);
      if (held !== undefined && plainAtMs < held.atMs) continue;
      quotes.set(key, { key, a: price, b: price + 1, c: 0, status: 0, atMs: plainAtMs });
    }
  }
  for (const count of [1, 10, 100]) {
    applyBatch(count);
    applyPlain(count);
    group(`apply and publish ${count} single quotes over ${fixtureCount} fixtures`, () => {
      bench('store', () => applyBatch(count));
      bench('Map of Maps of objects, no readers', () => applyPlain(count)).baseline(true);
    });
  }
}

function defineCopy(buffer: SharedArrayBuffer, reader: SlateReader, plain: PlainSlate): void {
  const views = attachStore(buffer);
  const source = reader.pageOf(0);
  const target = views.pageCount - 1; // never in use: pages are allocated from the front
  const ballot = new Int32Array(new SharedArrayBuffer(4));
  copyPage(views, source, target);
  for (const column of [views.quoteKey, views.priceE4A, views.quoteAtMs]) {
    for (let row = 0; row < QUOTES; row++) {
      const [from, to] = [source, target].map((page) => column[page * reader.quotesPerFixture + row]);
      assert(from === to, 'a copied row is the same');
    }
  }
  group(`copy a page of ${QUOTES} quotes and publish it`, () => {
    bench('store', () => {
      copyPage(views, source, target);
      Atomics.store(ballot, 0, target);
    });
    bench('structuredClone of a Map of objects', () =>
      do_not_optimize(structuredClone(plain.get(0))),
    ).baseline(true);
  });
}

function defineRead(reader: SlateReader, plain: PlainSlate, fixtureCount: number): void {
  let slot = 0;
  let plainSlot = 0;
  group(`read one fixture of ${QUOTES} quotes: the sum of its prices`, () => {
    bench('store', () => {
      slot = (slot + 1) % fixtureCount;
      do_not_optimize(reader.read(slot, (page) => sumOfPage(reader, page)));
    });
    bench('Map of Maps of objects', () => {
      plainSlot = (plainSlot + 1) % fixtureCount;
      do_not_optimize(sumOfPlain(plain.get(plainSlot)!));
    }).baseline(true);
  });
}

function defineScan(reader: SlateReader, plain: PlainSlate, fixtureCount: number): void {
  assert(scanBest(reader) === scanPlain(plain), 'both scans find the same best prices');
  group(`scan ${fixtureCount} fixtures x ${QUOTES} quotes for best prices`, () => {
    bench('store', () => do_not_optimize(scanBest(reader)));
    bench('Map of Maps of objects', () => do_not_optimize(scanPlain(plain))).baseline(true);
  });
}

function checkSame(reader: SlateReader, plain: PlainSlate, fixtureCount: number): void {
  for (let slot = 0; slot < fixtureCount; slot++) {
    const quotes = plainQuotes(reader, slot);
    const expected = plain.get(slot)!;
    assert(quotes.length === QUOTES && expected.size === QUOTES, `a bench fixture has ${QUOTES} quotes`);
    for (const [key, quote] of quotes) {
      const held = expected.get(key);
      assert(held?.a === quote.a && held.atMs === quote.atMs, 'store and Map hold the same quotes');
    }
    assert(
      reader.read(slot, (page) => sumOfPage(reader, page)) === sumOfPlain(expected),
      'store and Map sum up to the same',
    );
  }
}

function plainQuotes(reader: SlateReader, slot: number): [number, PlainQuote][] {
  const { columns, quotesPerFixture } = reader;
  const rows = reader.read(slot, (page) => {
    const base = page * quotesPerFixture;
    return Array.from({ length: columns.quoteCount[page]! }, (_, index): [number, PlainQuote] => {
      const row = base + index;
      const key = columns.quoteKey[row]!;
      const [a, b, c] = [columns.priceE4A[row]!, columns.priceE4B[row]!, columns.priceE4C[row]!];
      return [key, { key, a, b, c, status: columns.quoteStatus[row]!, atMs: columns.quoteAtMs[row]! }];
    });
  });
  assert(rows !== undefined, 'every bench slot is taken');
  return rows;
}

function sumOfPage(reader: SlateReader, page: number): number {
  const { priceE4A, priceE4B, quoteCount } = reader.columns;
  const base = page * reader.quotesPerFixture;
  let sum = 0;
  for (let row = base, end = base + quoteCount[page]!; row < end; row++)
    sum += priceE4A[row]! + priceE4B[row]!;
  return sum;
}

function sumOfPlain(quotes: Map<number, PlainQuote>): number {
  let sum = 0;
  for (const quote of quotes.values()) sum += quote.a + quote.b;
  return sum;
}

/**
 * The sum of the best prices of every market line: the work of a sweep, reduced to one number that can be
 * checked.
 */
function scanBest(reader: SlateReader): number {
  const { quoteKey, priceE4A, priceE4B, quoteCount } = reader.columns;
  const slotCount = reader.slotCount();
  let total = 0;
  for (let slot = 0; slot < slotCount; ) {
    const page = reader.pageOf(slot);
    if (page < 0) {
      slot++;
      continue;
    }
    const generation = reader.generationOf(page);
    if (reader.pageOf(slot) !== page) continue;
    const base = page * reader.quotesPerFixture;
    const end = base + quoteCount[page]!;
    let sum = 0;
    let line = -1;
    let bestA = 0;
    let bestB = 0;
    for (let row = base; row < end; row++) {
      const rowLine = marketLineOfKey(quoteKey[row]!);
      if (rowLine !== line) {
        sum += bestA + bestB;
        line = rowLine;
        bestA = 0;
        bestB = 0;
      }
      // No branch: which bookmaker is best is random, and a mispredicted branch costs more than the rest of a
      // row.
      bestA = Math.max(bestA, priceE4A[row]!);
      bestB = Math.max(bestB, priceE4B[row]!);
    }
    if (!reader.isIntact(page, generation)) continue;
    total += sum + bestA + bestB;
    slot++;
  }
  return total;
}

function scanPlain(plain: PlainSlate): number {
  let total = 0;
  for (const quotes of plain.values()) {
    const best = new Map<number, { a: number; b: number }>();
    for (const quote of quotes.values()) {
      const line = marketLineOfKey(quote.key);
      const held = best.get(line);
      if (held === undefined) best.set(line, { a: quote.a, b: quote.b });
      else {
        held.a = Math.max(held.a, quote.a);
        held.b = Math.max(held.b, quote.b);
      }
    }
    for (const { a, b } of best.values()) total += a + b;
  }
  return total;
}
