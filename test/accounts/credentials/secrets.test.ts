import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { hashText, isWellFormedKey, mintKey } from '../../../src/accounts/credentials/secrets.ts';
import { fillRandom } from '../../../src/start/threads/random.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random bytes from a list, repeated. */
function fillFrom(values: readonly number[]): (bytes: Uint8Array<ArrayBuffer>) => void {
  return (bytes) => {
    for (let index = 0; index < bytes.length; index++) bytes[index] = values[index % values.length] ?? 0;
  };
}

describe('key format', () => {
  test('mintKey is isk_ and 32 base62 characters, and well-formed', () => {
    for (let round = 0; round < 200; round++) {
      const text = mintKey(fillRandom).text;
      expect(text).toMatch(/^isk_[0-9A-Za-z]{32}$/);
      expect(isWellFormedKey(text)).toBe(true);
    }
  });

  test('mintKey, with fixed random bytes: the checksum is the base62 CRC-32 of the 30 characters before it', () => {
    const text = mintKey(fillFrom([0, 1, 2, 61, 62, 247])).text;
    const body = text.slice(0, 30);
    expect(body).toBe('isk_012z0z012z0z012z0z012z0z01');
    let value = 0;
    for (const char of text.slice(30)) value = value * 62 + BASE62.indexOf(char);
    expect(value).toBe(crc32(body));
  });

  test('mintKey never uses a byte that would make some characters more likely', () => {
    const biased = [255, 250, 248, 5];
    expect(mintKey(fillFrom(biased)).text.slice(4, 30)).toBe('5'.repeat(26));
  });

  test('isWellFormedKey refuses any key with one character changed, and any two neighbours swapped', () => {
    fc.assert(
      fc.property(fc.nat(35), fc.nat(61), (position, replacement) => {
        const text = mintKey(fillRandom).text;
        const changed = text.slice(0, position) + BASE62[replacement] + text.slice(position + 1);
        expect(isWellFormedKey(changed)).toBe(changed === text);
        const swapped =
          text.slice(0, position) + text[position + 1] + text[position] + text.slice(position + 2);
        if (position < 35) expect(isWellFormedKey(swapped)).toBe(swapped === text);
      }),
    );
  });

  test('isWellFormedKey refuses texts of any other form', () => {
    const text = mintKey(fillRandom).text;
    for (const other of [
      '',
      'isk_',
      `${text}0`,
      text.slice(1),
      ` ${text}`,
      `${text}\n`,
      text.replace('isk_', 'sk__'),
    ]) {
      expect(isWellFormedKey(other)).toBe(false);
    }
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (other) => !isWellFormedKey(other)));
  });

  test('mintKey returns the SHA-256 and the last four characters of the text', async () => {
    const { text, hash, lastFour } = mintKey(fillRandom);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    expect(hash).toBe(Buffer.from(digest).toString('hex'));
    expect(hash).toBe(hashText(text));
    expect(text.endsWith(lastFour)).toBe(true);
    expect(lastFour).toHaveLength(4);
  });
});

/** CRC-32 (IEEE 802.3), bit by bit. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
