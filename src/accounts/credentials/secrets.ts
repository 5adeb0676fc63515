// Random texts for accounts and API keys, and their hashes. The random source is an argument.
//
// An API key:  isk_ | 26 random base62 characters | 6 base62 characters
// The last six are the CRC-32 of the 30 characters before them, left-padded with 0.
import type { KeySecret } from '../records.ts';

/** Fills a buffer with random bytes, as `crypto.getRandomValues` does. */
export type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => unknown;

/** A new key: its text, which is shown once, and the part that is stored. */
export interface MintedKey extends KeySecret {
  readonly text: string;
}

const TOKEN_BYTES = 32;
const ID_BYTES = 10;
const CODE_VALUES = 1_000_000;
/** Largest multiple of a million below 2^32. Draws at or above it are repeated. */
const UNBIASED_DRAWS = Math.floor(2 ** 32 / CODE_VALUES) * CODE_VALUES;

const KEY_PREFIX = 'isk_';
const KEY_RANDOM_CHARS = 26;
const KEY_CHECKSUM_CHARS = 6;
const KEY_PATTERN = /^isk_[0-9A-Za-z]{32}$/;
const SESSION_PATTERN = /^ses_[\w-]{1,100}$/;
const KEY_INSIDE = /isk_[0-9A-Za-z]{32}/;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/**
 * Largest multiple of 62 below 256. Bytes at or above it are drawn again, so every character is equally
 * likely.
 */
const UNBIASED_BYTES = 248;

/** A new key with 154 bits of randomness. */
export function mintKey(fillRandom: FillRandom): MintedKey {
  const body = KEY_PREFIX + randomBase62(fillRandom, KEY_RANDOM_CHARS);
  const text = body + checksumOf(body);
  return { text, hash: hashText(text), lastFour: text.slice(-4) };
}

/**
 * Whether the text can be a key, by its form and checksum. This catches a typing mistake without a database
 * query.
 */
export function isWellFormedKey(text: string): boolean {
  if (!KEY_PATTERN.test(text)) return false;
  return checksumOf(text.slice(0, -KEY_CHECKSUM_CHARS)) === text.slice(-KEY_CHECKSUM_CHARS);
}

/** Whether the text contains something in the form of a key. */
export function holdsKey(text: string): boolean {
  return KEY_INSIDE.test(text);
}

/** Whether the text has the form of a session token. */
export function isSessionToken(text: string): boolean {
  return SESSION_PATTERN.test(text);
}

/** A session token with 256 bits of randomness. */
export function createSessionToken(fillRandom: FillRandom): string {
  return `ses_${Buffer.from(randomBytes(fillRandom, TOKEN_BYTES)).toString('base64url')}`;
}

/** The token of a device cookie. It only shows that the device was seen before. */
export function createDeviceToken(fillRandom: FillRandom): string {
  return `dev_${Buffer.from(randomBytes(fillRandom, TOKEN_BYTES)).toString('base64url')}`;
}

/** Crockford's base32: it has no I, L, O or U, which can be misread or form words. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LONG_CODE_CHARS = 30;

/**
 * A code that cannot be guessed but can be copied by hand: six groups of five characters, 150 random bits.
 */
export function createLongCode(fillRandom: FillRandom): string {
  const bytes = randomBytes(fillRandom, LONG_CODE_CHARS);
  const chars = Array.from(bytes, (byte) => BASE32[byte % BASE32.length]).join('');
  return chars.replace(/.{5}(?=.)/g, '$&-');
}

/** Normalises a typed code: accepts any case, missing group separators, O for 0, and I or L for 1. */
export function tidyLongCode(text: string): string {
  const chars = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return chars.replace(/.{5}(?=.)/g, '$&-');
}

/** An id, which is not secret: the prefix of its kind, such as `key_`, and 20 hexadecimal digits. */
export function randomId(fillRandom: FillRandom, prefix: string): string {
  return prefix + Buffer.from(randomBytes(fillRandom, ID_BYTES)).toString('hex');
}

/** Six digits; every code is equally likely. */
export function createVerificationCode(fillRandom: FillRandom): string {
  for (;;) {
    const draw = new DataView(randomBytes(fillRandom, 4).buffer).getUint32(0);
    if (draw < UNBIASED_DRAWS) return String(draw % CODE_VALUES).padStart(6, '0');
  }
}

/** A secret for HMAC, 64 hexadecimal digits. */
export function createHmacSecret(fillRandom: FillRandom): string {
  return Buffer.from(randomBytes(fillRandom, TOKEN_BYTES)).toString('hex');
}

/**
 * SHA-256 as 64 hexadecimal digits. Safe for texts that cannot be guessed. Keys and tokens are stored only as
 * this hash.
 */
export function hashText(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}

/** The account id of an e-mail address: always the same, and only computable with the secret. */
export function accountIdOf(email: string, secret: string): string {
  return `acc_${new Bun.CryptoHasher('sha256', secret).update(email).digest('hex').slice(0, 24)}`;
}

function randomBytes(fillRandom: FillRandom, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  fillRandom(bytes);
  return bytes;
}

function checksumOf(body: string): string {
  let rest = Bun.hash.crc32(body);
  let text = '';
  for (let digit = 0; digit < KEY_CHECKSUM_CHARS; digit++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** `length` base62 characters, each equally likely. */
function randomBase62(fillRandom: FillRandom, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(fillRandom, length)) {
      if (byte < UNBIASED_BYTES && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}
