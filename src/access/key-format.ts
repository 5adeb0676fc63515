// The text of an API key: how it is made, checked without a look-up, hashed and masked.
//
//   isk_ | 26 random base62 characters | 6 base62 characters: CRC-32 of the 30 before them, left-padded with 0

import type { MintedKey } from '../accounts/key-service.ts';
import { type FillRandom, hashText } from '../accounts/secrets.ts';

const PREFIX = 'isk_';
const RANDOM_CHARS = 26;
const CHECKSUM_CHARS = 6;
const KEY_CHARS = PREFIX.length + RANDOM_CHARS + CHECKSUM_CHARS;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PATTERN = /^isk_[0-9A-Za-z]{32}$/;
/** Largest multiple of 62 below 256: bytes from here on are drawn again, so that every character is equally likely. */
const UNBIASED_BYTES = 248;

/** A new key: its text, shown once, and what is stored of it. */
export function mintKey(fillRandom: FillRandom): MintedKey {
  const text = createKeyText(fillRandom);
  return { text, hash: hashKey(text), lastFour: lastFourOf(text) };
}

/** A new key's text, 36 characters with 154 bits of randomness. */
export function createKeyText(fillRandom: FillRandom): string {
  const body = PREFIX + randomBase62(fillRandom, RANDOM_CHARS);
  return body + checksumOf(body);
}

/** Whether the text can be a key at all: shape and checksum. A mistyped character is found without a look-up. */
export function isWellFormedKey(text: string): boolean {
  if (text.length !== KEY_CHARS || !KEY_PATTERN.test(text)) return false;
  const split = KEY_CHARS - CHECKSUM_CHARS;
  return checksumOf(text.slice(0, split)) === text.slice(split);
}

/** SHA-256 of a key as 64 hexadecimal digits: the only form in which a key is stored. */
export function hashKey(text: string): string {
  return hashText(text);
}

/** The last four characters, stored so that people can tell their keys apart. */
function lastFourOf(text: string): string {
  return text.slice(-4);
}

function checksumOf(body: string): string {
  let rest = Bun.hash.crc32(body);
  let text = '';
  for (let digit = 0; digit < CHECKSUM_CHARS; digit++) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** `length` base62 characters, each equally likely. */
function randomBase62(fillRandom: FillRandom, length: number): string {
  let text = '';
  const bytes = new Uint8Array(length);
  while (text.length < length) {
    fillRandom(bytes);
    for (const byte of bytes) {
      if (byte < UNBIASED_BYTES && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}
