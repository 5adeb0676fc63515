// The input parser compared with JSON Schema, and its promises: strict text, defaults, no unknown field, no
// echo.

import { describe, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { compileInput } from '../../src/contract/input.ts';
import { FormatParameter, LimitParameter, MarketsParameter } from '../../src/contract/parameters.ts';
import { dateText, oneOf, optional } from '../../src/contract/schema.ts';
import { ServiceError, ValidationError } from '../../src/errors.ts';
import { validationErrorOf } from '../support/failure.ts';
import { runs } from '../support/runs.ts';

const SCHEMA = Type.Object({
  limit: LimitParameter,
  format: FormatParameter,
  markets: MarketsParameter,
  sport: optional(oneOf(['football', 'basketball'])),
  date: optional(dateText()),
  threshold: optional(Type.Number({ minimum: 0 })),
});
const body = compileInput(SCHEMA, 'body');
const query = compileInput(SCHEMA, 'query');

describe('compileInput', () => {
  test('half a surrogate pair is refused in every text of a body, at any depth', () => {
    const parser = compileInput(
      Type.Object({
        label: Type.String(),
        list: Type.Array(Type.String()),
        deep: Type.Object({ note: Type.String() }),
      }),
      'body',
    );
    const whole = { label: 'a\u{1F600}', list: ['b'], deep: { note: 'c' } };
    expect(parser.parse(whole)).toEqual(whole);
    for (const half of ['\ud800', 'a\udfff', '\udc00\ud800']) {
      const bodies: [object, string][] = [
        [{ ...whole, label: half }, 'label'],
        [{ ...whole, list: ['b', half] }, 'list'],
        [{ ...whole, deep: { note: half } }, 'deep'],
      ];
      for (const [value, name] of bodies) {
        const { detail } = validationErrorOf(() => parser.parse(value));
        expect(detail).toMatchObject([{ loc: expect.arrayContaining([name]), input: null }]);
      }
    }
  });

  test('any JSON is either typed input with defaults, or one of the two expected errors', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record(
            {
              limit: fc.jsonValue(),
              sport: fc.jsonValue(),
              markets: fc.jsonValue(),
              date: fc.jsonValue(),
              threshold: fc.jsonValue(),
            },
            { requiredKeys: [] },
          ),
        ),
        (value) => {
          try {
            const parsed = body.parse(value);
            expect(Number.isInteger(parsed.limit) && parsed.limit >= 1 && parsed.limit <= 200).toBeTrue();
            expect(parsed.format).toBe('decimal');
            for (const name of Object.keys(parsed)) expect(Object.keys(SCHEMA.properties)).toContain(name);
          } catch (error) {
            expect(error instanceof ServiceError || error instanceof ValidationError).toBeTrue();
            if (error instanceof ServiceError) expect(error.code).toBe('invalid_request');
          }
        },
      ),
      { numRuns: runs(700) },
    );
  });

  test('in a query, exactly the plain decimals in range are accepted as numbers', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: -50_000, max: 50_000 }).map((hundredths) => String(hundredths / 100)),
          fc.stringMatching(/^[0-9xeE+.-]{1,6}$/),
        ),
        (text) => {
          const isGood = /^-?\d{1,15}(\.\d{1,15})?$/.test(text) && Number(text) >= 0;
          if (isGood) expect(query.parse({ threshold: text }).threshold).toBe(Number(text));
          else expect(() => query.parse({ threshold: text })).toThrow(ValidationError);
        },
      ),
      { numRuns: runs(700) },
    );
  });

  test('in a query, exactly the digits of numbers in range are accepted as integers', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: -500, max: 500 }).map(String),
          fc.string(),
          fc.stringMatching(/^[0-9xeE+.-]{1,6}$/),
        ),
        (text) => {
          const isGood = /^-?\d{1,15}$/.test(text) && Number(text) >= 1 && Number(text) <= 200;
          if (isGood) expect(query.parse({ limit: text }).limit).toBe(Number(text));
          else expect(() => query.parse({ limit: text })).toThrow(ValidationError);
        },
      ),
      { numRuns: runs(700) },
    );
  });

  test('a body does not accept text for a number', () => {
    expect(() => body.parse({ limit: '5' })).toThrow(ValidationError);
    expect(() => body.parse({ threshold: '5' })).toThrow(ValidationError);
  });

  test('a wrong type is reported before a value outside its closed list', () => {
    expect(() => body.parse({ limit: 'x', sport: 'chess' })).toThrow(ValidationError);
    expect(() => body.parse({ sport: 'chess' })).toThrow(ServiceError);
  });

  test('messages and details quote nothing that the caller sent', () => {
    const secret = 'tr0ub4dor';
    for (const value of [
      { limit: secret },
      { sport: secret },
      { markets: secret },
      { date: secret },
      { [secret]: 1, limit: 0 },
    ]) {
      try {
        body.parse(value);
        expect.unreachable();
      } catch (error) {
        const { message, fix, detail } = error as ServiceError & ValidationError;
        expect(JSON.stringify([message, fix, detail])).not.toContain(secret);
      }
    }
  });
});
