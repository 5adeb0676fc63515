// The headers of cache hits are kept from one hit to the next. They are compared with headers that are made
// for each answer.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { KEYLESS } from '../../../src/domain/tiers.ts';
import { HitHeaders } from '../../../src/http/edge/hit-headers.ts';
import { AnswerHeaders, contentTypeOf } from '../../../src/http/kit/headers.ts';
import { Reply } from '../../../src/http/kit/reply.ts';
import { Negotiator } from '../../../src/http/kit/representation.ts';

const negotiator = new Negotiator();
const forms = [null, 'application/msgpack'].flatMap((accept) =>
  [null, 'gzip', 'zstd'].map((encoding) => negotiator.of(accept, encoding)),
);

const hit = fc.record({
  isFound: fc.boolean(),
  form: fc.constantFrom(...forms),
  etag: fc.constantFrom('"a"', '"b"', '"c"'),
  limit: fc.constantFrom(60, 600),
  remaining: fc.nat(3),
  resetAtS: fc.constantFrom(1_700_000_000, 1_700_000_001),
  requestId: fc.constantFrom('id-1', 'id-2'),
  latencyMs: fc.constantFrom(0, 0.01, 0.02, 12.345),
  seesSharp: fc.boolean(),
  hasOrigin: fc.boolean(),
});

test('every hit has the headers that a new answer would have, and later hits do not change them', () => {
  fc.assert(
    fc.property(fc.array(hit, { minLength: 2, maxLength: 12 }), fc.boolean(), (hits, isSecure) => {
      const kept = new HitHeaders(isSecure);
      const fresh = new AnswerHeaders(isSecure);
      const pairs = hits.map(({ isFound, limit, remaining, resetAtS, ...facts }) => {
        const { form, etag, requestId, latencyMs, seesSharp, hasOrigin } = facts;
        const body = isFound ? { body: new Blob(['{}']), coding: form.coding } : null;
        const [status, budget] = [isFound ? 200 : 304, { limit, remaining, resetAtS }] as const;
        const found = kept.toResponse({ ...facts, body, status, budget });
        const expected = fresh.toResponse({
          reply: new Reply(null),
          status,
          body: body?.body ?? null,
          coding: body?.coding ?? null,
          etag,
          contentType: contentTypeOf(form),
          admission: { ...budget, principal: { ...KEYLESS, seesSharp }, refusal: null, daily: null },
          access: 'metered',
          deprecation: null,
          requestId,
          latencyMs,
          hasOrigin,
        });
        return { found, expected };
      });
      for (const { found, expected } of pairs) {
        expect(found.status).toBe(expected.status);
        expect(Object.fromEntries(found.headers)).toEqual(Object.fromEntries(expected.headers));
      }
    }),
  );
});
