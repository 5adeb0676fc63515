// If the clock was set back, stamps from the future are moved back, so that the next quote counts as newer.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../../src/clock.ts';
import { BOOKMAKER_KEYS, SHARP_BOOKMAKERS, STATUS_SCHEDULED } from '../../../src/domain/catalogue.ts';
import { packQuoteKey } from '../../../src/store/quote-key.ts';
import { SlateReader } from '../../../src/store/reader.ts';
import { PUT_APPLIED } from '../../../src/store/records.ts';
import { SlateWriter } from '../../../src/store/writer/writer.ts';
import { fixtureOf, smallStore } from '../small-store.ts';

/** Prices of a bookmaker that every tier sees. */
const COMMON_KEY = packQuoteKey(0, 0, 0, 0);
const SHARP_KEY = packQuoteKey(0, 0, 0, BOOKMAKER_KEYS.indexOf(SHARP_BOOKMAKERS[0]!.key));
const NOW_MS = 10 * HOUR_MS;

test('stamps later than now are set back by as much as the clock, all others stay, and the next quote applies', () => {
  const stampMs = fc.integer({ min: NOW_MS - 2 * HOUR_MS, max: NOW_MS + HOUR_MS });
  fc.assert(
    fc.property(stampMs, stampMs, stampMs, (fixtureAtMs, stateAtMs, quoteAtMs) => {
      const buffer = smallStore();
      const writer = new SlateWriter(buffer);
      const reader = new SlateReader(buffer);
      const slot = writer.putFixture(fixtureOf(1, fixtureAtMs));
      writer.putState(slot, { status: 1, clock: '12', score: [0, 1], cards: null, atMs: stateAtMs });
      writer.quotes.putQuote(slot, COMMON_KEY, 1, 2, 3, 0, quoteAtMs);
      writer.facts.setHeartbeatAt(quoteAtMs);
      writer.facts.setAppliedAt(quoteAtMs);
      writer.publish(NOW_MS + HOUR_MS);
      const version = reader.slateVersion();

      const heir = new SlateWriter(buffer);
      heir.setBackClock({ nowMs: NOW_MS, byMs: HOUR_MS });
      heir.publish(NOW_MS);
      const expected = (atMs: number) => (atMs > NOW_MS ? atMs - HOUR_MS : atMs);
      const { columns } = reader;
      const held = reader.readEvent(1, (page) => ({
        lastMs: columns.lastMessageAtMs[page]!,
        commonMs: columns.commonMessageAtMs[page]!,
        stateMs: columns.stateAtMs[page]!,
        statusMs: columns.feedStatusAtMs[page]!,
        clockMs: columns.clockChangedAtMs[page]!,
        quoteMs: columns.quoteAtMs[page * reader.quotesPerFixture]!,
      }));
      const lastMs = expected(Math.max(fixtureAtMs, stateAtMs, quoteAtMs));
      const stateMs = expected(stateAtMs);
      expect(held).toEqual({
        ...{ lastMs, commonMs: lastMs, stateMs, statusMs: stateMs, clockMs: stateMs },
        quoteMs: expected(quoteAtMs),
      });
      expect(reader.feed()).toMatchObject({
        heartbeatAtMs: expected(quoteAtMs),
        appliedAtMs: expected(quoteAtMs),
      });
      expect(reader.slateVersion()).toBeGreaterThan(version);
      expect(heir.quotes.putQuote(slot, COMMON_KEY, 4, 5, 6, 0, NOW_MS)).toBe(PUT_APPLIED);
    }),
  );
});

test('a match whose kickoff is in the future again is scheduled for every caller, whether or not the sharp bookmaker sent a message', () => {
  const statusAfter = (hasSharp: boolean) => {
    const buffer = smallStore();
    const writer = new SlateWriter(buffer);
    const reader = new SlateReader(buffer);
    const slot = writer.putFixture({ ...fixtureOf(1, NOW_MS - HOUR_MS), scheduledAtMs: NOW_MS + 1 });
    const state = { status: STATUS_SCHEDULED, clock: '12', score: [0, 1], cards: null } as const;
    writer.putState(slot, { ...state, atMs: NOW_MS - HOUR_MS });
    if (hasSharp) writer.quotes.putQuote(slot, SHARP_KEY, 1, 2, 3, 0, NOW_MS + HOUR_MS);
    writer.publish(NOW_MS + HOUR_MS);
    const version = reader.readEvent(1, (page) => reader.columns.commonVersion[page]!)!;
    const heir = new SlateWriter(buffer);
    heir.setBackClock({ nowMs: NOW_MS, byMs: HOUR_MS });
    heir.publish(NOW_MS);
    return reader.readEvent(1, (page) => ({
      status: reader.columns.status[page]!,
      isSeen: reader.columns.commonVersion[page]! > version,
    }));
  };
  const seen = { status: STATUS_SCHEDULED, isSeen: true };
  expect([statusAfter(true), statusAfter(false)]).toEqual([seen, seen]);
});
