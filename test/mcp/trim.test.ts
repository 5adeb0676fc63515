// Cutting answers to size: the result fits or reports that it cannot, satisfies its schema, and keeps
// elements unchanged.

import { describe, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { nullable } from '../../src/contract/schema.ts';
import { trimToFit } from '../../src/mcp/trim.ts';
import { toJsonSchema } from '../../src/tools/kit/tool.ts';

const Schema = Type.Object({
  count: Type.Integer(),
  returned: Type.Integer(),
  truncated: Type.Boolean(),
  note: nullable(Type.String()),
  matches: Type.Array(
    Type.Object({
      name: Type.String(),
      pair: nullable(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
      odds: Type.Array(Type.Object({ price: Type.Number() })),
    }),
  ),
});

const json = toJsonSchema(Schema);
const options = { schema: json, argumentNames: ['query', 'markets', 'limit'] };

const matchArbitrary = fc.record({
  name: fc.string({ maxLength: 40 }),
  pair: fc.option(fc.tuple(fc.integer(), fc.integer()).map((pair): number[] => pair)),
  odds: fc.array(fc.record({ price: fc.integer() }), { maxLength: 60, size: 'max' }),
});
/** Answers with up to about 40,000 characters. */
const answerArbitrary = fc.array(matchArbitrary, { maxLength: 40, size: 'max' }).map((matches) => ({
  count: matches.length,
  returned: matches.length,
  truncated: false,
  note: null as string | null,
  matches,
}));

describe('trimToFit()', () => {
  test('leaves an answer within the bound unchanged', () => {
    fc.assert(
      fc.property(answerArbitrary, (value) => {
        const charsMax = JSON.stringify(value).length;
        const trimmed = trimToFit(value, { ...options, charsMax });
        expect(trimmed).toEqual({ value, note: null, fits: true });
        expect(trimmed.value).toBe(value);
      }),
    );
  });

  test('cuts an answer to the bound, satisfies the schema, keeps a prefix of every list, and does not change the input', () => {
    let cutCount = 0;
    fc.assert(
      fc.property(answerArbitrary, fc.integer({ min: 2_000, max: 6_000 }), (value, charsMax) => {
        const before = structuredClone(value);
        const { value: cut, note, fits } = trimToFit(value, { ...options, charsMax });
        expect(value).toEqual(before);
        expect(fits).toBe(true);
        expect(JSON.stringify(cut).length).toBeLessThanOrEqual(charsMax);
        expect(Value.Check(Schema, cut)).toBe(true);
        if (note !== null) cutCount++;
        const answer = cut as typeof value;
        expect(answer.count).toBe(value.matches.length);
        expect(answer.returned).toBe(answer.matches.length);
        expect(answer.truncated).toBe(note !== null);
        expect(answer.note).toBe(note);
        for (const [index, match] of answer.matches.entries()) {
          const source = value.matches[index];
          expect(match.name).toBe(source?.name ?? '');
          expect(match.odds).toEqual(source?.odds.slice(0, match.odds.length) ?? []);
        }
      }),
    );
    expect(cutCount).toBeGreaterThan(20);
  });

  test('wastes at most the space of its notes and of one element', () => {
    const matches = Array.from({ length: 2_000 }, (_, index) => ({
      name: `m${index}`,
      pair: null,
      odds: [],
    }));
    const value = { count: 2_000, returned: 2_000, truncated: false, note: null, matches };
    const { value: cut, note } = trimToFit(value, { ...options, charsMax: 20_000 });
    expect(JSON.stringify(cut).length).toBeGreaterThan(20_000 - 1_300);
    const kept = (cut as typeof value).matches.length;
    expect(note).toBe(`Cut to fit: matches holds the first ${kept} of 2000; narrow with limit, markets.`);
  });

  test('cuts inside an element if only one element is left', () => {
    const odds = Array.from({ length: 5_000 }, (_, price) => ({ price }));
    const value = {
      count: 1,
      returned: 1,
      truncated: false,
      note: 'Free tier.',
      matches: [{ name: 'm', pair: null, odds }],
    };
    const { value: cut, note } = trimToFit(value, { ...options, charsMax: 10_000 });
    const answer = cut as typeof value;
    expect(answer.matches).toHaveLength(1);
    expect(answer.matches[0]?.odds.length).toBeGreaterThan(100);
    expect(note).toContain('matches[0].odds holds the first');
    expect(answer.note).toBe(`Free tier. ${note}`);
  });

  test('reports when no shortened list can make the answer fit', () => {
    const value = { text: 'x'.repeat(5_000), list: [1, 2] };
    expect(trimToFit(value, { schema: {}, argumentNames: [], charsMax: 2_000 }).fits).toBe(false);
  });

  test('keeps the least number of elements the schema asks for', () => {
    const Pairs = Type.Object({ pairs: Type.Array(Type.String(), { minItems: 3 }) });
    const value = { pairs: Array.from({ length: 5 }, () => 'x'.repeat(1_000)) };
    const { value: cut, fits } = trimToFit(value, {
      schema: toJsonSchema(Pairs),
      argumentNames: [],
      charsMax: 2_000,
    });
    expect(Value.Check(Pairs, cut)).toBe(true);
    expect(fits).toBe(false);
  });
});
