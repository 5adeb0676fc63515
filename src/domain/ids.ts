// Public ids: a type prefix plus the Sqids text (https://sqids.org) of one number, at least 8 characters. The
// numbers of events, teams and leagues are hashes of the feed's own keys, so an id is the same after a
// restart and on every node. Alphabet, hash, prefixes and the empty block list never change. (The block list
// of the package may change with its version.)

import Sqids from 'sqids';
import { assert, ServiceError } from '../errors.ts';
import { SPORTS } from './catalogue.ts';
import { CONTRACT_ROSTER } from './roster.ts';

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
type EntityKind = 'event' | 'team' | 'league';

/** 62 letters and digits, shuffled once. */
export const ID_ALPHABET = 'SvaJPC2uE0Hrjc9nYq7Q3wB4yIDfOhXe6LbxsGA5lRZgdUkT8MtzoNFpK1VWmi';
export const ID_LENGTH_MIN = 8;
/** 61^9 exceeds 2^52, so nine digits and the leading character can hold every entity number. */
const ID_LENGTH_MAX = 10;
const CODEC = new Sqids({ alphabet: ID_ALPHABET, minLength: ID_LENGTH_MIN, blocklist: new Set() });
/** The alphabet in the order into which the codec shuffles it. */
const SHUFFLED = shuffled(ID_ALPHABET);
/** Codes of the shuffled alphabet, and the position of each code in it. */
const CODES = Uint8Array.from(SHUFFLED, (letter) => letter.charCodeAt(0));
const PLACES = new Uint8Array(128).fill(CODES.length);
for (const [place, code] of CODES.entries()) PLACES[code] = place;
/** The first letter of a text stands for a rotation of the alphabet, the others are digits of this base. */
const DIGIT_BASE = CODES.length - 1;
/** The text of a smaller number is padded to `ID_LENGTH_MIN`. A hash is hardly ever so small. */
const UNPADDED_MIN = DIGIT_BASE ** (ID_LENGTH_MIN - 2);
const KINDS: readonly IdKind[] = ['event', 'team', 'league', 'bookmaker', 'sport', 'market'];

/**
 * The number of an event, team or league. The same key always gives the same number.
 * @param sport index into SPORTS
 * @param key the feed's own stable name of the entity
 * @returns a 52-bit integer
 */
export function entityNumber(kind: EntityKind, sport: number, key: string): number {
  return hash52(`${kind}|${SPORTS[sport]!.key}|${key}`);
}

/** The number of a bookmaker: 1 to 7 for one of the contract, in any roster; otherwise a hash of its key. */
export function bookmakerNumber(key: string): number {
  const index = CONTRACT_ROSTER.bookmakers.findIndex((bookmaker) => bookmaker.key === key);
  if (index >= 0) return index + 1;
  // A hash from 1 to 7 would be the number of a bookmaker of the contract, so it is replaced by another hash.
  for (let text = `bookmaker|${key}`; ; text += '|') {
    const number = hash52(text);
    if (number > CONTRACT_ROSTER.bookmakers.length) return number;
  }
}

/** The id text of a number from 0 to 2^52 - 1. */
export function encodeId(kind: IdKind, number: number): string {
  assert(Number.isInteger(number) && number >= 0 && number < ENTITY_NUMBER_LIMIT, 'an id number has 52 bits');
  return ID_PREFIXES[kind] + RECENT.bodyOf(number);
}

/** The id of an event, team or league, by what `entityNumber` gets. */
export function entityId(kind: EntityKind, sport: number, key: string): string {
  return encodeId(kind, entityNumber(kind, sport, key));
}

/**
 * The number behind an id. Only the canonical text is accepted: if encoding the number again gives another
 * text, the id is refused.
 * @throws ServiceError `invalid_request`; its `fix` names the right prefix and never repeats what the caller
 * sent
 */
export function decodeId(kind: IdKind, text: string): number {
  const prefix = ID_PREFIXES[kind];
  if (!text.startsWith(prefix)) throw wrongPrefix(kind, idKindOf(text));
  const body = text.slice(prefix.length);
  const number = decodeNumber(body);
  if (number < 0) {
    throw new ServiceError('invalid_request', `Cannot decode ${kind} id: this service never made it`, {
      fix: `Send the whole id as it was received: ${prefix} and ${ID_LENGTH_MIN} to ${ID_LENGTH_MAX} letters and digits, upper and lower case kept`,
    });
  }
  return number;
}

/** The kind that the prefix of `text` stands for, or null. The rest of the text is not checked. */
export function idKindOf(text: string): IdKind | null {
  for (const kind of KINDS) if (text.startsWith(ID_PREFIXES[kind])) return kind;
  return null;
}

function wrongPrefix(kind: IdKind, given: IdKind | null): ServiceError {
  const prefix = ID_PREFIXES[kind];
  const state = given === null ? 'the prefix is missing' : `it is a ${given} id`;
  const fix =
    given === null
      ? `Send an id that starts with ${prefix}`
      : `Send an id that starts with ${prefix}; ${ID_PREFIXES[given]} marks a ${given}`;
  return new ServiceError('invalid_request', `Cannot decode ${kind} id: ${state}`, { fix });
}

/** The number whose canonical text is `body`, or -1. */
function decodeNumber(body: string): number {
  if (body.length < ID_LENGTH_MIN || body.length > ID_LENGTH_MAX) return -1;
  const known = RECENT.numberOf(body);
  if (known !== undefined) return known;
  const unpadded = unpaddedNumber(body);
  if (unpadded >= UNPADDED_MIN && unpadded < ENTITY_NUMBER_LIMIT && RECENT.bodyOf(unpadded) === body) {
    return unpadded;
  }
  const numbers = CODEC.decode(body);
  const number = numbers[0];
  if (number === undefined || numbers.length !== 1 || number >= ENTITY_NUMBER_LIMIT) return -1;
  return RECENT.bodyOf(number) === body ? number : -1;
}

/**
 * The text that the codec makes for a number. The codec would allocate more than a hundred small arrays for
 * it, megabytes of garbage for one slate of the past; this function allocates only the text.
 */
function bodyOf(number: number): string {
  if (number < UNPADDED_MIN) return CODEC.encode([number]);
  const size = CODES.length;
  const offset = (CODES[number % size]! + 1) % size;
  let at = BODY.length;
  for (let rest = number; rest > 0; rest = Math.floor(rest / DIGIT_BASE)) {
    BODY[--at] = CODES[(offset + size - 2 - (rest % DIGIT_BASE)) % size]!;
  }
  BODY[--at] = CODES[offset]!;
  return DECODER.decode(BODY.subarray(at));
}

/** The number of a text that `bodyOf` made without the codec. For any other text the result means nothing. */
function unpaddedNumber(body: string): number {
  const size = CODES.length;
  const offset = placeAt(body, 0);
  let number = 0;
  for (let at = 1; at < body.length; at++) {
    number = number * DIGIT_BASE + ((offset + 2 * size - 2 - placeAt(body, at)) % size);
  }
  return number;
}

function placeAt(body: string, at: number): number {
  return PLACES[body.charCodeAt(at)] ?? 0;
}

/** The order into which the codec (Sqids) shuffles the characters of an alphabet. */
function shuffled(alphabet: string): string {
  const letters = [...alphabet];
  for (let low = 0, high = letters.length - 1; high > 0; low++, high--) {
    const sum = low * high + letters[low]!.charCodeAt(0) + letters[high]!.charCodeAt(0);
    const other = sum % letters.length;
    [letters[low], letters[other]] = [letters[other]!, letters[low]!];
  }
  return letters.join('');
}

/**
 * The texts made most recently. They are kept, because a thread needs the same few thousand again and again.
 */
class RecentIds {
  /** When this half is full, it becomes the older half, and the former older half is dropped. */
  #newer = new Map<number, string>();
  #older = new Map<number, string>();
  #numbers = new Map<string, number>();
  #olderNumbers = new Map<string, number>();

  numberOf(body: string): number | undefined {
    return this.#numbers.get(body) ?? this.#olderNumbers.get(body);
  }

  bodyOf(number: number): string {
    const known = this.#newer.get(number);
    if (known !== undefined) return known;
    const body = this.#older.get(number) ?? bodyOf(number);
    if (this.#newer.size >= RECENT_IDS_MAX) {
      this.#older = this.#newer;
      this.#olderNumbers = this.#numbers;
      this.#newer = new Map();
      this.#numbers = new Map();
    }
    this.#newer.set(number, body);
    this.#numbers.set(body, number);
    return body;
  }
}

/** Most ids in one half of `RecentIds`. A slate of 1,000 fixtures has about 3,000. */
const RECENT_IDS_MAX = 4_096;
const RECENT = new RecentIds();

const encoder = new TextEncoder();
const DECODER = new TextDecoder();
/** Buffer for the text that `bodyOf` makes, filled from its end. */
const BODY = new Uint8Array(ID_LENGTH_MAX + 1);

/** Entity numbers are below this: 2^52. */
const ENTITY_NUMBER_LIMIT = 2 ** 52;

/**
 * 52-bit hash of `text`: FNV-1a 64 (Fowler, Noll, Vo; draft-eastlake-fnv) over its UTF-8 bytes, then fmix64
 * of MurmurHash3 (Appleby). fmix64 mixes every bit, so the top 52 bits are as good as any others.
 * @returns an integer from 0 to 2^52 - 1
 */
export function hash52(text: string): number {
  const bytes = encoder.encode(text);
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (let index = 0; index < bytes.length; index++) {
    low = (low ^ bytes[index]!) >>> 0;
    // The FNV prime is 2^40 + 0x1b3.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x1_0000_0000) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  low = (low ^ (high >>> 1)) >>> 0;
  high = (highWord(low, 0xed558ccd) + Math.imul(high, 0xed558ccd) + Math.imul(low, 0xff51afd7)) >>> 0;
  low = Math.imul(low, 0xed558ccd) >>> 0;
  low = (low ^ (high >>> 1)) >>> 0;
  high = (highWord(low, 0x1a85ec53) + Math.imul(high, 0x1a85ec53) + Math.imul(low, 0xc4ceb9fe)) >>> 0;
  low = Math.imul(low, 0x1a85ec53) >>> 0;
  low = (low ^ (high >>> 1)) >>> 0;
  return high * 0x10_0000 + (low >>> 12);
}

/** Upper 32 bits of the 64-bit product of two unsigned 32-bit numbers, computed from 16-bit halves. */
function highWord(left: number, right: number): number {
  const leftLow = left & 0xffff;
  const leftHigh = left >>> 16;
  const rightLow = right & 0xffff;
  const rightHigh = right >>> 16;
  const first = leftHigh * rightLow + ((leftLow * rightLow) >>> 16);
  const second = leftLow * rightHigh + (first & 0xffff);
  return leftHigh * rightHigh + Math.floor(first / 0x1_0000) + Math.floor(second / 0x1_0000);
}
