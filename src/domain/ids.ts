// Public ids: a type prefix and Sqids text (https://sqids.org) of one number, minimum length 8. Numbers of events, teams
// and leagues are hashes of the feed's own keys, so that an id is the same after a restart and on every node.
// Frozen for ever: the alphabet, the hash, the prefixes and the empty block list (a word list would tie ids to the
// version of a package). The single-number case of Sqids is written out here; tests hold it equal to the sqids package.

import { assert, ServiceError } from '../errors.ts';
import { MARKET_TYPES, type MarketType, PERIODS, type Period, SPORTS } from './catalogue.ts';
import { ENTITY_NUMBER_LIMIT, hash52 } from './entity-hash.ts';

export const ID_PREFIXES = {
  event: 'evt_',
  team: 'tm_',
  league: 'lg_',
  bookmaker: 'bk_',
  sport: 'sp_',
  market: 'mkt_',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;
/** The kinds whose number is a hash of the feed's key. */
export type EntityKind = 'event' | 'team' | 'league';

/** 62 letters and digits in the order Sqids is configured with. */
export const ID_ALPHABET = 'SvaJPC2uE0Hrjc9nYq7Q3wB4yIDfOhXe6LbxsGA5lRZgdUkT8MtzoNFpK1VWmi';
export const ID_LENGTH_MIN = 8;
/** 61^9 is above 2^52: nine digits and the leading character hold every entity number. */
const ID_LENGTH_MAX = 10;
const SIZE = ID_ALPHABET.length;
const BASE = SIZE - 1;
const KINDS: readonly IdKind[] = ['event', 'team', 'league', 'bookmaker', 'sport', 'market'];

/** Sqids shuffles the configured alphabet once; what follows works on the result. */
const SHUFFLED = shuffle(ID_ALPHABET);
const POSITIONS = positionsOf(SHUFFLED);
/** By offset: the separator and what Sqids appends after it until the text has its minimum length. */
const PADDINGS: readonly string[] = Array.from(SHUFFLED, (_, offset) => paddingAt(offset));

/**
 * The number of an event, team or league: the same for the same key for ever.
 * @param sport index into SPORTS
 * @param key the feed's own stable name of the entity
 * @returns a 52-bit integer
 */
export function entityNumber(kind: EntityKind, sport: number, key: string): number {
  return hash52(`${kind}|${SPORTS[sport]!.key}|${key}`);
}

/** The number of a (market, period) pair, from 1, for `mkt_` ids. Both are indexes into the catalogue's lists. */
export function marketNumber(market: number, period: number): number {
  return 1 + market * PERIODS.length + period;
}

/** The pair behind a `mkt_` number, or null when no market has it. */
export function marketOfNumber(number: number): { market: MarketType; period: Period } | null {
  const market = MARKET_TYPES[Math.floor((number - 1) / PERIODS.length)];
  const period = PERIODS[(number - 1) % PERIODS.length];
  return market === undefined || period === undefined ? null : { market, period };
}

/** The id text of a number of 0 to 2^52 - 1. */
export function encodeId(kind: IdKind, number: number): string {
  assert(Number.isInteger(number) && number >= 0 && number < ENTITY_NUMBER_LIMIT, 'an id number has 52 bits');
  return ID_PREFIXES[kind] + encodeNumber(number);
}

/**
 * The number behind an id. Canonical: text that does not re-encode to itself is refused.
 * @throws ServiceError `invalid_request`; its `fix` names the right prefix and never repeats what was sent
 */
export function decodeId(kind: IdKind, text: string): number {
  const prefix = ID_PREFIXES[kind];
  if (!text.startsWith(prefix)) throw wrongPrefix(kind, idKindOf(text));
  const body = text.slice(prefix.length);
  const number = decodeNumber(body);
  if (number < 0 || encodeNumber(number) !== body) {
    throw new ServiceError('invalid_request', `Cannot decode ${kind} id: this service never made it`, {
      fix: `Send the whole id as it was received: ${prefix} and ${ID_LENGTH_MIN} to ${ID_LENGTH_MAX} letters and digits, upper and lower case kept.`,
    });
  }
  return number;
}

/** The kind whose prefix `text` carries, or null. Says nothing about whether the rest decodes. */
export function idKindOf(text: string): IdKind | null {
  for (const kind of KINDS) if (text.startsWith(ID_PREFIXES[kind])) return kind;
  return null;
}

function wrongPrefix(kind: IdKind, given: IdKind | null): ServiceError {
  const prefix = ID_PREFIXES[kind];
  const state = given === null ? 'the prefix is missing' : `it is a ${given} id`;
  const fix =
    given === null
      ? `Send an id that starts with ${prefix}.`
      : `Send an id that starts with ${prefix}; ${ID_PREFIXES[given]} marks a ${given}.`;
  return new ServiceError('invalid_request', `Cannot decode ${kind} id: ${state}`, { fix });
}

// Sqids of one number: the leading character names an offset into the shuffled alphabet; digits count down from the end
// of the alphabet rotated by it, whose last character is the separator before any padding.

function encodeNumber(number: number): string {
  const offset = (SHUFFLED.charCodeAt(number % SIZE) + 1) % SIZE;
  let text = '';
  let rest = number;
  do {
    const digit = rest % BASE;
    text = SHUFFLED[(offset + BASE - 1 - digit) % SIZE]! + text;
    rest = Math.floor(rest / BASE);
  } while (rest > 0);
  text = SHUFFLED[offset]! + text;
  return text.length < ID_LENGTH_MIN ? text + PADDINGS[offset]!.slice(0, ID_LENGTH_MIN - text.length) : text;
}

/** The number whose digits `body` starts with, or -1 when it has none or cannot be an id. */
function decodeNumber(body: string): number {
  if (body.length < ID_LENGTH_MIN || body.length > ID_LENGTH_MAX) return -1;
  const offset = positionOf(body, 0);
  if (offset < 0) return -1;
  let number = 0;
  for (let index = 1; index < body.length; index++) {
    const position = positionOf(body, index);
    if (position < 0) return -1;
    const digit = BASE - 1 - ((position - offset + SIZE) % SIZE);
    if (digit < 0) break;
    number = number * BASE + digit;
  }
  return number < ENTITY_NUMBER_LIMIT ? number : -1;
}

function positionOf(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < POSITIONS.length ? POSITIONS[code]! : -1;
}

function positionsOf(alphabet: string): Int8Array {
  const positions = new Int8Array(128).fill(-1);
  for (let index = 0; index < alphabet.length; index++) positions[alphabet.charCodeAt(index)] = index;
  return positions;
}

function paddingAt(offset: number): string {
  const rotated = SHUFFLED.slice(offset) + SHUFFLED.slice(0, offset);
  const reversed = Array.from(rotated).reverse().join('');
  return reversed[0]! + shuffle(reversed).slice(0, ID_LENGTH_MIN);
}

/** The consistent shuffle of the Sqids specification. */
function shuffle(alphabet: string): string {
  const characters = Array.from(alphabet);
  for (let left = 0, right = characters.length - 1; right > 0; left++, right--) {
    const sum = characters[left]!.charCodeAt(0) + characters[right]!.charCodeAt(0);
    const target = (left * right + sum) % characters.length;
    const moved = characters[left]!;
    characters[left] = characters[target]!;
    characters[target] = moved;
  }
  return characters.join('');
}
