// Accept and Accept-Encoding by RFC 9110, and bodies made in pieces.

import { expect, test } from 'bun:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { codedPieces } from '../../../src/http/kit/forms.ts';
import { Negotiator, PLAIN, tagAs } from '../../../src/http/kit/representation.ts';

const negotiator = new Negotiator();

test('Accept: MessagePack is chosen if it is named and no other named type is preferred', () => {
  const packed = [
    'application/msgpack',
    'APPLICATION/MSGPACK',
    'application/json, application/msgpack',
    'application/msgpack;q=0.5, */*;q=0.1',
    'application/msgpack;q=0.5, application/json;q=0',
  ];
  const json = [
    '*/*',
    'application/*',
    'text/html',
    'application/msgpack;q=0',
    'application/msgpack;q=0.1, application/json;q=0.2',
    'application/msgpack;q=0.1, */*',
    'application/msgpack;q=x',
    '',
  ];
  for (const accept of packed) expect(negotiator.of(accept, null).isPacked, accept).toBe(true);
  for (const accept of json) expect(negotiator.of(accept, null).isPacked, accept).toBe(false);
});

test('Accept-Encoding: weights, the wildcard and refusals are respected', () => {
  const cases: [string, string | null, boolean][] = [
    ['gzip', 'gzip', false],
    ['gzip, deflate, br, zstd', 'zstd', false],
    ['gzip;q=1, zstd;q=0.5', 'gzip', false],
    ['GZIP; Q=0.5', 'gzip', false],
    ['gzip;q=0', null, false],
    ['zstd;q=0, *', 'gzip', false],
    ['*', 'zstd', false],
    ['identity', null, false],
    ['identity;q=0.5, gzip;q=0.4', null, false],
    ['identity;q=0.5, gzip;q=0.5', 'gzip', false],
    ['identity;q=0, gzip', 'gzip', true],
    ['gzip, *;q=0', 'gzip', true],
    ['*;q=0', null, false],
    ['identity;q=0', null, false],
    ['identity;q=0, *;q=0.1', 'zstd', true],
    ['br', null, false],
    ['', null, false],
    [',, ;q=1', null, false],
  ];
  for (const [text, coding, isAlwaysCoded] of cases) {
    expect({ text, ...negotiator.of(null, text) }).toMatchObject({
      text,
      coding,
      isAlwaysCoded,
      isPacked: false,
    });
  }
  expect(negotiator.of(null, null)).toBe(PLAIN);
});

test('the same headers give the same form, whatever was requested before, and any text gives some form', () => {
  const header = fc.option(
    fc.oneof(
      fc.string(),
      fc
        .array(
          fc.tuple(
            fc.constantFrom(
              'gzip',
              'zstd',
              'identity',
              '*',
              '*/*',
              'application/msgpack',
              'application/json',
            ),
            fc.constantFrom('', ';q=0', ';q=0.5', '; q=1'),
          ),
        )
        .map((parts) => parts.map((part) => part.join('')).join(', ')),
    ),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(header, header), { maxLength: 600 }), (pairs) => {
      const shared = new Negotiator();
      for (const pair of pairs) expect(shared.of(...pair)).toBe(new Negotiator().of(...pair));
    }),
  );
});

test('tagAs: each form has a strong tag, and all forms share one weak tag', () => {
  const forms = ['gzip', 'zstd', 'gzip, *;q=0'].flatMap((encoding) =>
    [null, 'application/msgpack'].map((accept) => negotiator.of(accept, encoding)),
  );
  expect(new Set([PLAIN, ...forms].map((form) => tagAs('"a"', form))).size).toBe(forms.length + 1);
  for (const form of forms) expect(tagAs('W/"a"', form)).toBe('W/"a"');
});

test('codedPieces: makes the same body, however it is divided into pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), (pieces) => {
      const whole = Buffer.concat(pieces);
      expect(gunzipSync(Buffer.concat([...joined(pieces, 'gzip')]))).toEqual(whole);
      if (whole.byteLength > 0)
        expect(zstdDecompressSync(Buffer.concat([...joined(pieces, 'zstd')]))).toEqual(whole);
    }),
  );
});

function* joined(pieces: readonly Uint8Array[], coding: 'gzip' | 'zstd'): Generator<Uint8Array> {
  const coded = codedPieces(pieces.values(), coding);
  for (let piece = coded.next(); piece.done !== true; piece = coded.next()) yield piece.value;
}
