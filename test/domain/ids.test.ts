// Ids must never change: golden vectors fix the hash, the alphabet and the text. The sqids package and BigInt
// arithmetic serve as oracles.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import Sqids from 'sqids';
import { BOOKMAKERS, SPORTS } from '../../src/domain/catalogue.ts';
import {
  bookmakerNumber,
  decodeId,
  encodeId,
  entityNumber,
  hash52,
  ID_ALPHABET,
  ID_LENGTH_MIN,
  ID_PREFIXES,
  type IdKind,
  idKindOf,
} from '../../src/domain/ids.ts';
import { codePoint } from '../support/code-point.ts';
import { refusalOf } from '../support/failure.ts';
import { runs } from '../support/runs.ts';

const KINDS = Object.keys(ID_PREFIXES) as IdKind[];
const sqids = new Sqids({ alphabet: ID_ALPHABET, minLength: ID_LENGTH_MIN, blocklist: new Set() });
const idNumber = fc.oneof(
  fc.integer({ min: 0, max: 5_000 }),
  fc.maxSafeNat().map((value) => Math.floor(value / 2)),
  fc.constantFrom(0, 1, 60, 61, 62, 61 ** 6 - 1, 61 ** 6, 61 ** 8 - 1, 61 ** 8, 2 ** 52 - 1),
);

function isId(kind: (typeof KINDS)[number], text: string): boolean {
  try {
    decodeId(kind, text);
    return true;
  } catch {
    return false;
  }
}

function fnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & MASK;
  return hash;
}
const MASK = 0xffff_ffff_ffff_ffffn;
function fmix64(value: bigint): bigint {
  let hash = value ^ (value >> 33n);
  hash = (hash * 0xff51afd7ed558ccdn) & MASK;
  hash ^= hash >> 33n;
  hash = (hash * 0xc4ceb9fe1a85ec53n) & MASK;
  return hash ^ (hash >> 33n);
}

describe('hash52', () => {
  test('the oracle agrees with the published FNV-1a 64 vectors', () => {
    expect(fnv1a64('')).toBe(0xcbf29ce484222325n);
    expect(fnv1a64('a')).toBe(0xaf63dc4c8601ec8cn);
    expect(fnv1a64('foobar')).toBe(0x85944171f73967e8n);
  });

  test('equals FNV-1a 64 then fmix64, top 52 bits, on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 60 }), (text) => {
        expect(hash52(text)).toBe(Number(fmix64(fnv1a64(text)) >> 12n));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('golden vectors of ids, which must never change', () => {
  test('hash52', () => {
    expect(hash52('')).toBe(4218834538703250);
    expect(hash52('a')).toBe(2298162199567340);
    expect(hash52('foobar')).toBe(776399435738390);
    expect(hash52('team|football|São Paulo')).toBe(3204413637820703);
  });

  test('entityNumber', () => {
    expect(entityNumber('event', 0, 'bra-2159086')).toBe(4383896343873574);
    expect(entityNumber('team', 0, 'fluminense-rj')).toBe(1949366951235011);
    expect(entityNumber('league', 0, 'brazil-serie-a')).toBe(1327421169801637);
    expect(entityNumber('event', 1, 'nba-1')).toBe(2418665230491637);
  });

  test('encodeId of entities and of the smallest and largest number', () => {
    expect(encodeId('event', 4383896343873574)).toBe('evt_Jd2iGcTdnS');
    expect(encodeId('team', 1949366951235011)).toBe('tm_PvvB88sC6y');
    expect(encodeId('league', 1327421169801637)).toBe('lg_JmidYywmdU');
    expect(encodeId('event', 0)).toBe('evt_Sjx02C5N');
    expect(encodeId('event', 2 ** 52 - 1)).toBe('evt_tyHm4KZuZs');
  });

  test('encodeId of the fixed catalogues', () => {
    expect(SPORTS.map((sport) => encodeId('sport', sport.number))).toEqual(['sp_Bt4U7W0i', 'sp_YBJfoQqC']);
    const books = ['Bt4U7W0i', 'YBJfoQqC', 'te7HNL2p', 'GknEIpct', 'c50eBQmh', 'OkRSHOVl', 'm3oWfGc6'];
    expect(BOOKMAKERS.map((book) => encodeId('bookmaker', bookmakerNumber(book.key)))).toEqual(
      books.map((text) => `bk_${text}`),
    );
    expect(encodeId('market', 6)).toBe('mkt_OkRSHOVl');
  });
});

describe('encodeId', () => {
  test('equals the sqids package for every number', () => {
    fc.assert(
      fc.property(idNumber, (number) => {
        expect(encodeId('event', number)).toBe(`evt_${sqids.encode([number])}`);
      }),
      { numRuns: runs(1_500) },
    );
  });

  test('asserts that its argument is a 52-bit integer', () => {
    for (const bad of [-1, 0.5, Number.NaN, 2 ** 52])
      expect(() => encodeId('event', bad)).toThrow('Assertion');
  });
});

describe('decodeId', () => {
  test('recovers every encoded number', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), idNumber, (kind, number) => {
        expect(decodeId(kind, encodeId(kind, number))).toBe(number);
      }),
      { numRuns: runs(1_500) },
    );
  });

  test('accepts a text only if it re-encodes to itself, as sqids reads it', () => {
    const body = fc.string({ unit: fc.constantFrom(...ID_ALPHABET), minLength: 1, maxLength: 12 });
    const edited = fc
      .tuple(idNumber, fc.nat(9), fc.constantFrom(...ID_ALPHABET))
      .map(([number, at, letter]) => {
        const text = sqids.encode([number]);
        return text.slice(0, at) + letter + text.slice(at + 1);
      });
    fc.assert(
      fc.property(fc.oneof(body, edited), (text) => {
        const numbers = sqids.decode(text);
        const canonical =
          numbers.length === 1 && numbers[0]! < 2 ** 52 && sqids.encode([numbers[0]!]) === text;
        if (canonical) expect(decodeId('team', `tm_${text}`)).toBe(numbers[0]!);
        else expect(refusalOf(() => decodeId('team', `tm_${text}`)).code).toBe('invalid_request');
      }),
      { numRuns: runs(1_500) },
    );
  });

  test('a wrong prefix is invalid_request and the fix names the right one', () => {
    const error = refusalOf(() => decodeId('event', encodeId('team', 77)));
    expect(error.code).toBe('invalid_request');
    expect(error.fix).toContain('evt_');
    expect(error.fix).toContain('team');
  });

  test('never echoes the submitted text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), fc.string({ minLength: 4, maxLength: 40 }), (kind, noise) => {
        for (const text of [`secret${noise}`, `tm_secret${noise}`, `evt_secret${noise}`]) {
          // Occasionally the added noise forms a valid id.
          if (isId(kind, text)) continue;
          const error = refusalOf(() => decodeId(kind, text));
          expect(`${error.message} ${error.fix}`).not.toContain('secret');
        }
      }),
    );
  });

  test('refuses ids whose body is empty, too short, too long, or has spaces or non-ASCII characters', () => {
    const good = encodeId('event', 123_456_789);
    const bad = ['', 'evt_', 'evt_a', `${good} `, ` ${good}`, `${good}a`, `evt_${'\0'.repeat(8)}`];
    bad.push('evt_ééééééééé', good.toUpperCase(), good.replace('evt_', 'EVT_'), `evt_${'a'.repeat(10_000)}`);
    for (const text of bad) expect(refusalOf(() => decodeId('event', text)).status).toBe(400);
  });
});

describe('idKindOf', () => {
  test('idKindOf knows each prefix, and nothing else', () => {
    for (const kind of KINDS) expect(idKindOf(encodeId(kind, 5))).toBe(kind);
    expect(idKindOf('Arsenal')).toBeNull();
    expect(idKindOf('')).toBeNull();
  });
});

describe('entityNumber', () => {
  test('differs by kind, sport and key', () => {
    const numbers = new Set(
      (['event', 'team', 'league'] as const).flatMap((kind) =>
        SPORTS.flatMap((_, sport) => ['a', 'b'].map((key) => entityNumber(kind, sport, key))),
      ),
    );
    expect(numbers.size).toBe(12);
  });
});
