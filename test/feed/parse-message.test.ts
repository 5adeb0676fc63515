// The validator compared with a plain implementation of the protocol's rules, with every refusal, and with
// any JSON.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { QUOTE_WITHHELD } from '../../src/domain/catalogue.ts';
import { REJECT_REASONS, type RejectReason } from '../../src/domain/reject-reasons.ts';
import { parseMessage, seqOf } from '../../src/feed/parse-message.ts';
import { isWellFormed } from './plain-validator.ts';
import {
  closeWire,
  eventWire,
  everyMessage,
  heartbeatWire,
  helloWire,
  liquidityWire,
  markWire,
  quoteWire,
  removeWire,
  resultWire,
  stateWire,
  type WireMessage,
} from './wire.ts';

/** Values that are valid in some fields and invalid in others. */
const VALUES: readonly unknown[] = [
  ...[null, undefined, true, '', 'e1', 'football', 'basketball', 'live', 'open', 'suspended', 'crown'],
  ...['bet365', '1x2', 'totals', 'half_time', 'constructor', '__proto__', 'toString', 'quote', '2h 67'],
  ...['x'.repeat(200), 'x'.repeat(201), 'é'.repeat(16), 'é'.repeat(17), 'a\nb'],
  ...['half of a pair: \ud83d', 'a whole pair: \ud83d\ude00', { key: '\ude00', name: 'Name' }],
  ...['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.123456+05:30', '2026-02-30T12:00:00Z'],
  ...['2026-03-01T12:00:00', '2026-03-01', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59-12:00'],
  ...['March 7 2026', Number.NaN, Number.POSITIVE_INFINITY, -0, 0, 1, -1, 1.5, 0.25, -0.75, 0.1, 1_000],
  ...[1_000.25, 200_000, 200_001, 2 ** 53, [], [1.9], [1.9, 2], [1.9, 3.4, 4], [1, 2, 3, 4], [0, 0]],
  ...[[-1, 2], [Number.NaN, 2], [1.5, '2'], [9_999, 0], [10_000, 0], {}],
  ...[
    { key: 'e1-home', name: 'Same key' },
    { key: 'k', name: 'Name' },
    { key: 'k', name: '' },
  ],
  ...[{ toString: 1 }],
];

const reasons: readonly string[] = REJECT_REASONS;

describe('parseMessage', () => {
  test('accepts a valid message of every type', () => {
    for (const wire of everyMessage()) {
      expect(isWellFormed(wire)).toBe(true);
      expect(parseMessage(wire)).toMatchObject({ type: wire.type as string });
    }
  });

  test('accepts exactly what a plain reading of the protocol accepts, whatever fields are changed', () => {
    let takenCount = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...everyMessage()),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(...VALUES)), { minLength: 1, maxLength: 3 }),
        (message, changes) => {
          const wire: WireMessage = { ...message };
          const fields = Object.keys(wire);
          for (const [index, value] of changes) wire[fields[index % fields.length]!] = value;
          const parsed = parseMessage(wire);
          const isTaken = typeof parsed !== 'string';
          takenCount += isTaken ? 1 : 0;
          expect(isTaken).toBe(isWellFormed(wire));
          if (!isTaken) expect(reasons).toContain(parsed);
        },
      ),
      { numRuns: 20_000 },
    );
    expect(takenCount).toBeGreaterThan(400);
  });

  test('never throws and never accepts nonsense, whatever JSON or MessagePack holds', () => {
    const types = [...everyMessage().map((wire) => wire.type), 'constructor', '__proto__', 'hasOwnProperty'];
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything({ withNullPrototype: true, withDate: true, withTypedArray: true }),
          fc
            .tuple(fc.constantFrom(...types), fc.dictionary(fc.string(), fc.anything()))
            .map(([type, rest]) => ({
              seq: 1,
              ...rest,
              type,
            })),
        ),
        (value) => {
          const parsed = parseMessage(value);
          expect(typeof parsed !== 'string').toBe(isWellFormed(value));
          seqOf(value);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test('keeps times, lines and prices exactly', () => {
    const quote = quoteWire(7, 'e1', {
      at: '2026-03-01T17:30:00.250+05:30',
      line: -0.25,
      prices: [1.005, 2.0001],
      opening: [1.9, 0],
      opened_at: '2026-02-28T00:00:00Z',
    });
    expect(parseMessage(quote)).toEqual({
      type: 'quote',
      seq: 7,
      atMs: Date.UTC(2026, 2, 1, 12, 0, 0, 250),
      event: 'e1',
      bookmaker: 0,
      market: 1,
      period: 0,
      lineQuarters: -1,
      pricesE4: [10_050, 20_001],
      status: 0,
      openedAtMs: Date.UTC(2026, 1, 28),
      openingPricesE4: [19_000, 0],
      openingLineQuarters: -1,
    });
    expect(parseMessage({ ...quote, opening_line: 0.75 })).toMatchObject({ openingLineQuarters: 3 });
    // A suspended quote with `withheld` gets a status of its own. An open quote ignores the field.
    const withheld = { status: 'suspended', withheld: true };
    expect(parseMessage({ ...quote, ...withheld })).toMatchObject({ status: QUOTE_WITHHELD });
    expect(parseMessage({ ...quote, ...withheld, withheld: null })).toMatchObject({ status: 1 });
    expect(parseMessage({ ...quote, ...withheld, status: 'open' })).toMatchObject({ status: 0 });
    expect(parseMessage(quoteWire(1, 'e1', { line: -0 }))).toMatchObject({ lineQuarters: 0 });
    expect(parseMessage(stateWire(1, 'e1', { clock: '', score: null, cards: undefined }))).toMatchObject({
      clock: null,
      score: null,
      cards: null,
    });
  });
});

describe('parseMessage refuses with the reason', () => {
  const LIQUIDITY_ROW = { market_type: 'totals', period: 'full_time', line: 2.5, sizes: [1, 2] };
  const CASES: readonly (readonly [RejectReason, unknown])[] = [
    ['not_an_object', 42],
    ['bad_size', liquidityWire(1, 'e1', { currency: 'usd' })],
    ['bad_size', liquidityWire(1, 'e1', { rows: Array.from({ length: 65 }, () => LIQUIDITY_ROW) })],
    ['bad_size', liquidityWire(1, 'e1', { rows: [{ ...LIQUIDITY_ROW, sizes: [1, -1] }] })],
    ['bad_size', liquidityWire(1, 'e1', { rows: [{ ...LIQUIDITY_ROW, matched: '1' }] })],
    ['bad_outcomes', liquidityWire(1, 'e1', { rows: [{ ...LIQUIDITY_ROW, sizes: [1] }] })],
    ['bad_line', liquidityWire(1, 'e1', { rows: [{ ...LIQUIDITY_ROW, line: null }] })],
    ['unknown_book', liquidityWire(1, 'e1', { bookmaker: 'kalshi?' })],
    ['not_an_object', null],
    ['not_an_object', [quoteWire(1)]],
    ['unknown_type', { type: 'stats', seq: 1 }],
    ['unknown_type', { type: 'constructor', seq: 1 }],
    ['unknown_type', { ...heartbeatWire(1), type: ' heartbeat' }],
    ['unknown_type', { ...heartbeatWire(1), type: 'HEARTBEAT' }],
    ['unknown_type', { type: ['event'], seq: 1 }],
    ['unknown_type', { type: { toString: 1 }, seq: 1 }],
    ['bad_protocol', helloWire({ protocol: 2 })],
    ['bad_protocol', helloWire({ protocol: '1' })],
    ['bad_seq', heartbeatWire(-1)],
    ['bad_seq', heartbeatWire(1.5)],
    ['bad_seq', heartbeatWire(0, { seq: '3' })],
    ['bad_seq', markWire('snapshot_begin', Number.NaN)],
    ['bad_seq', helloWire({ epoch: {} })],
    ['bad_time', heartbeatWire(1, { at: '2026-03-01 12:00' })],
    ['bad_time', helloWire({ at: null })],
    ['bad_time', eventWire(1, 'e1', { scheduled_at: 'soon' })],
    ['bad_time', quoteWire(1, 'e1', { opened_at: 'then' })],
    ['bad_time', resultWire(1, 'e1', { finished_at: null })],
    ['bad_time', resultWire(1, 'e1', { finished_at: '9999-01-01T00:00:00Z' })],
    ['bad_time', removeWire(1, 'e1', { at: '2026-02-30T00:00:00Z' })],
    ['bad_name', eventWire(1, '')],
    ['bad_name', eventWire(1, 'e1', { home: { key: 'h', name: 'x'.repeat(201) } })],
    ['bad_name', eventWire(1, 'e1', { home: { key: 'e1-away', name: 'Both' } })],
    ['bad_name', helloWire({ source: 'a\u0000b' })],
    ['bad_sport', eventWire(1, 'e1', { sport: 'tennis' })],
    ['bad_status', stateWire(1, 'e1', { status: 'open' })],
    ['bad_status', quoteWire(1, 'e1', { status: 'live' })],
    ['bad_clock', stateWire(1, 'e1', { clock: 'x'.repeat(33) })],
    ['bad_clock', stateWire(1, 'e1', { clock: 67 })],
    ['bad_score', stateWire(1, 'e1', { score: [1] })],
    ['bad_score', stateWire(1, 'e1', { cards: [0, 10_000] })],
    ['bad_score', resultWire(1, 'e1', { score: null })],
    ['unknown_book', quoteWire(1, 'e1', { bookmaker: 'bet365' })],
    ['bad_market', closeWire(1, 'e1', { market_type: 'corners' })],
    ['bad_period', quoteWire(1, 'e1', { period: 'extra_time' })],
    ['bad_line', quoteWire(1, 'e1', { line: 0.1 })],
    ['bad_line', quoteWire(1, 'e1', { line: null })],
    ['bad_line', quoteWire(1, 'e1', { line: 1_000.25 })],
    ['bad_line', quoteWire(1, 'e1', { market_type: 'totals', line: -2.5 })],
    ['bad_line', quoteWire(1, 'e1', { market_type: '1x2', line: 0, prices: [2, 3, 4] })],
    ['bad_line', quoteWire(1, 'e1', { opening: [2, 2], opening_line: 0.3 })],
    ['bad_line', quoteWire(1, 'e1', { opening: [2, 2], opening_line: '0.5' })],
    ['bad_line', quoteWire(1, 'e1', { market_type: '1x2', line: null, prices: [2, 3, 4], opening_line: 0 })],
    ['bad_price', quoteWire(1, 'e1', { prices: [Number.NaN, 2] })],
    ['bad_price', quoteWire(1, 'e1', { prices: [Number.POSITIVE_INFINITY, 2] })],
    ['bad_price', quoteWire(1, 'e1', { prices: [-1, 2] })],
    ['bad_price', quoteWire(1, 'e1', { opening: ['1.9', 2] })],
    ['bad_outcomes', quoteWire(1, 'e1', { prices: [2, 3, 4] })],
    ['bad_outcomes', quoteWire(1, 'e1', { market_type: '1x2', line: null, prices: [2, 3, 4, 5] })],
    ['bad_outcomes', quoteWire(1, 'e1', { opening: [2] })],
  ];

  for (const [index, [reason, wire]] of CASES.entries()) {
    test(`${reason}, case ${index}`, () => expect(parseMessage(wire)).toBe(reason));
  }

  test('there is a case above for every reason that a message alone can have', () => {
    const ofTheHandler = /_full$|^unknown_event$|^id_collision$|^bad_json$|^future_time$|^other_source$/;
    const provoked = new Set<string>(CASES.map(([reason]) => reason));
    expect(REJECT_REASONS.filter((reason) => !ofTheHandler.test(reason) && !provoked.has(reason))).toEqual(
      [],
    );
  });
});
