// Large bodies as MessagePack: the pieces together are the value, and none of them is large.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { unpack } from 'msgpackr';
import { PIECE_BYTES } from '../../../src/http/kit/reply.ts';
import { packedPieces } from '../../../src/http/kit/sent-body.ts';

test('the pieces of any value are the value, whatever its lists', () => {
  // The decoder renames this key, which no answer has.
  const key = fc.string().filter((text) => text !== '__proto__');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, '', 'Ü', 0.5, -7),
      fc.array(tie('value'), { maxLength: 40 }),
      fc.dictionary(key, tie('value'), { noNullPrototype: true, maxKeys: 20 }),
    ),
  }));
  fc.assert(
    fc.property(value, (some) => {
      expect(unpack(Buffer.concat([...packedPieces(some)]))).toEqual(some);
    }),
  );
});

test('a history of ten thousand ticks and a batch of fixtures are many small pieces', () => {
  const tick = { at: '2026-03-01T12:00:00.000Z', status: 'open', prices: { home: 1.95, away: 1.88 } };
  const quote = { bookmaker: 'crown', handicap_components: [-0.5, -1], prices: { home: 1.95, away: 1.88 } };
  const values = [
    {
      series: [{ bookmaker: 'crown', ticks: Array.from({ length: 10_000 }, () => tick) }],
      next_cursor: null,
    },
    {
      data: Array.from({ length: 10 }, () => ({ odds: { odds: Array.from({ length: 500 }, () => quote) } })),
    },
  ];
  for (const value of values) {
    const pieces = [...packedPieces(value)];
    expect(unpack(Buffer.concat(pieces))).toEqual(value);
    expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThan(PIECE_BYTES + 1_000);
    expect(pieces.length).toBeGreaterThan(4);
  }
});
