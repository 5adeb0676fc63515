// The store compared with its plain model, after any operations in any order. The tables are so small that
// they fill, slots pass from fixture to fixture, and pages are reused all the time.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SlateReader } from '../../../src/store/reader.ts';
import {
  FIXTURE_TABLE_FULL,
  PUT_APPLIED,
  PUT_FULL,
  PUT_KNOWN,
  PUT_OLDER,
} from '../../../src/store/records.ts';
import { SlateWriter } from '../../../src/store/writer/writer.ts';
import { runs } from '../../support/runs.ts';
import { type ModelFixture, SlateModel } from '../slate-model.ts';
import { fixtureOf, SMALL, smallStore } from '../small-store.ts';

const event = fc.integer({ min: 1, max: 6 });
const key = fc.integer({ min: 0, max: 8 });
const atMs = fc.integer({ min: 0, max: 20 });
const price = fc.integer({ min: 0, max: 2_000_000_000 });
const pair = fc.option(fc.tuple(fc.nat(9_999), fc.nat(9_999)));
const operation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fixture' as const),
      event,
      spelling: fc.constantFrom('', ' FC'),
      atMs,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      event,
      status: fc.nat(2),
      clock: fc.option(fc.constantFrom("1'", "45+2'", 'HT', 'é')),
      score: pair,
      cards: pair,
      atMs,
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('quote' as const),
      event,
      key,
      a: price,
      b: price,
      c: price,
      status: fc.nat(1),
      atMs,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('close' as const), event, key, atMs }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('opening' as const), event, key, a: price }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), event }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('publish' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('takeover' as const) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

type FixtureOperation = Exclude<Operation, { kind: 'publish' | 'takeover' }>;

/** One store and its model, changed in parallel. */
class Pair {
  readonly buffer = smallStore();
  readonly reader = new SlateReader(this.buffer);
  readonly model = new SlateModel(SMALL);
  readonly versions = new Map<number, number>();
  writer = new SlateWriter(this.buffer);
  slateVersion = 0;

  apply(step: Operation): void {
    if (step.kind === 'publish') {
      this.publish();
    } else if (step.kind === 'takeover') {
      this.writer = new SlateWriter(this.buffer);
      this.model.takeover();
      expect(this.writer.fixtureCount).toBe(this.model.seats.size);
      this.compareAll();
    } else {
      this.applyToFixture(step);
    }
  }

  applyToFixture(step: FixtureOperation): void {
    const slot = this.writer.slotOf(step.event);
    const known = this.model.look(step.event);
    expect(slot >= 0).toBe(known !== null);
    if (step.kind === 'fixture') {
      const taken = this.model.putFixture(step.event, step.spelling, step.atMs);
      const answer = this.writer.putFixture(fixtureOf(step.event, step.atMs, step.spelling));
      if (taken) expect(answer).toBeGreaterThanOrEqual(0);
      else expect(answer).toBe(FIXTURE_TABLE_FULL);
    } else if (known !== null) {
      this.change(step, slot, known);
    }
  }

  change(step: Exclude<FixtureOperation, { kind: 'fixture' }>, slot: number, known: ModelFixture): void {
    const { writer, model } = this;
    if (step.kind === 'remove') {
      model.remove(step.event);
      writer.removeFixture(slot);
    } else if (step.kind === 'opening') {
      const { openings } = model.seats.get(step.event)!;
      const row = { key: step.key, a: step.a, b: 1, c: 2, openedAtMs: 3, upstream: false };
      const full = openings.size === SMALL.openingsPerFixture;
      expect(writer.putOpening(slot, row)).toBe(
        openings.has(step.key) ? PUT_KNOWN : full ? PUT_FULL : PUT_APPLIED,
      );
      if (!openings.has(step.key) && !full) openings.set(step.key, step.a);
    } else if (step.kind === 'state') {
      const older = step.atMs < known.stateAtMs;
      expect(writer.putState(slot, step)).toBe(older ? PUT_OLDER : PUT_APPLIED);
      if (!older) putState(model.edit(step.event)!, step);
    } else {
      const held = known.quotes.get(step.key);
      const older = held !== undefined && step.atMs < held.atMs;
      if (step.kind === 'close') {
        const expected = held === undefined ? PUT_KNOWN : older ? PUT_OLDER : PUT_APPLIED;
        expect(writer.quotes.closeQuote(slot, step.key, step.atMs)).toBe(expected);
        if (expected === PUT_APPLIED) touch(model.edit(step.event)!, step.atMs).quotes.delete(step.key);
      } else {
        const full = held === undefined && known.quotes.size === SMALL.quotesPerFixture;
        const expected = full ? PUT_FULL : older ? PUT_OLDER : PUT_APPLIED;
        const { a, b, c, status } = step;
        expect(writer.quotes.putQuote(slot, step.key, a, b, c, status, step.atMs)).toBe(expected);
        if (expected === PUT_APPLIED) {
          touch(model.edit(step.event)!, step.atMs).quotes.set(step.key, {
            a,
            b,
            c,
            status,
            atMs: step.atMs,
          });
        }
      }
    }
  }

  publish(): void {
    const before = new Set(this.model.seats.keys());
    const changed = this.model.publish();
    const membership = this.reader.membership();
    this.writer.publish(0);
    if (changed.length > 0) expect(this.reader.slateVersion()).toBeGreaterThan(this.slateVersion);
    this.slateVersion = this.reader.slateVersion();
    if (changed.some((number) => !this.model.seats.has(number) && before.has(number))) {
      expect(this.reader.membership()).not.toBe(membership);
    }
    for (const number of changed) {
      const version = this.reader.readEvent(number, (page) => this.reader.columns.version[page]!);
      if (version === undefined) continue;
      expect(version).toBeGreaterThan(this.versions.get(number) ?? 0);
      this.versions.set(number, version);
    }
    this.compareAll();
  }

  /** Checks that readers see what was published, whatever has been drafted since. */
  compareAll(): void {
    for (let number = 1; number <= 6; number++) {
      const seat = this.model.seats.get(number);
      expect(this.see(number)).toEqual(
        seat === undefined || seat.published === null ? undefined : seat.published,
      );
      if (seat?.published == null) continue;
      expect(this.reader.readEvent(number, (page) => this.reader.columns.version[page]!)).toBe(
        this.versions.get(number)!,
      );
      expect(this.openings(number)).toEqual([...seat.openings]);
    }
  }

  see(number: number): ModelFixture | undefined {
    const { columns } = this.reader;
    return this.reader.readEvent(number, (page) => {
      const quotes: ModelFixture['quotes'] = new Map();
      const start = page * this.reader.quotesPerFixture;
      let openCount = 0;
      for (let row = start; row < start + columns.quoteCount[page]!; row++) {
        if (row > start) expect(columns.quoteKey[row]!).toBeGreaterThan(columns.quoteKey[row - 1]!);
        if (columns.quoteStatus[row] === 0) openCount++;
        quotes.set(columns.quoteKey[row]!, {
          a: columns.priceE4A[row]!,
          b: columns.priceE4B[row]!,
          c: columns.priceE4C[row]!,
          status: columns.quoteStatus[row]!,
          atMs: columns.quoteAtMs[row]!,
        });
      }
      expect(columns.openQuoteCount[page]).toBe(openCount);
      const home = this.reader.name(columns.homeEntity[page]!);
      const spelling = home.slice(`Home ${number}`.length);
      expect(home).toBe(`Home ${number}${spelling}`);
      expect(this.reader.name(columns.awayEntity[page]!)).toBe(`Away ${number}${spelling}`);
      expect(columns.scheduledAtMs[page]).toBe(number * 1_000);
      return {
        spelling,
        status: columns.feedStatus[page]!,
        statusAtMs: columns.feedStatusAtMs[page]!,
        score: [columns.scoreHome[page]!, columns.scoreAway[page]!],
        cards: [columns.cardsHome[page]!, columns.cardsAway[page]!],
        clock: this.reader.clock(page),
        clockChangedAtMs: columns.clockChangedAtMs[page]!,
        stateAtMs: columns.stateAtMs[page]!,
        lastMessageAtMs: columns.lastMessageAtMs[page]!,
        quotes,
      };
    });
  }

  openings(number: number): [number, number][] | undefined {
    return this.reader.readEvent(number, (_page, slot) => {
      const start = slot * this.reader.openingsPerFixture;
      return Array.from({ length: this.reader.openingCount(slot) }, (_, index): [number, number] => [
        this.reader.columns.openingKey[start + index]!,
        this.reader.columns.openingE4A[start + index]!,
      ]);
    });
  }
}

function touch(fixture: ModelFixture, at: number): ModelFixture {
  fixture.lastMessageAtMs = Math.max(fixture.lastMessageAtMs, at);
  return fixture;
}

function putState(fixture: ModelFixture, step: Extract<Operation, { kind: 'state' }>): void {
  if (Number.isNaN(fixture.statusAtMs) || fixture.status !== step.status) fixture.statusAtMs = step.atMs;
  fixture.status = step.status;
  fixture.score = step.score ?? fixture.score;
  fixture.cards = step.cards ?? fixture.cards;
  if (Number.isNaN(fixture.clockChangedAtMs) || fixture.clock !== step.clock)
    fixture.clockChangedAtMs = step.atMs;
  fixture.clock = step.clock;
  fixture.stateAtMs = step.atMs;
  touch(fixture, step.atMs);
}

describe('SlateWriter and SlateReader', () => {
  test('agree with a plain Map model after any operations, on tables that fill and pages that are reused', () => {
    fc.assert(
      fc.property(fc.array(operation, { minLength: 20, maxLength: 200, size: 'max' }), (steps) => {
        const pair = new Pair();
        for (const step of steps) pair.apply(step);
        pair.publish();
      }),
      { numRuns: runs(200) },
    );
  });

  test('show nothing of a batch before the batch is published', () => {
    fc.assert(
      fc.property(
        fc.array(operation, { minLength: 20, maxLength: 60, size: 'max' }),
        fc.array(operation, { maxLength: 20, size: 'max' }),
        (steps, unpublished) => {
          const pair = new Pair();
          for (const step of steps) pair.apply(step);
          pair.publish();
          for (const step of unpublished)
            if (step.kind !== 'publish' && step.kind !== 'takeover') pair.apply(step);
          pair.compareAll();
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
