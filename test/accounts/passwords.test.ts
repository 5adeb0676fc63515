import { describe, expect, test } from 'bun:test';
import { HASHES_AT_ONCE_MAX, HASHES_WAITING_MAX } from '../../src/accounts/limits.ts';
import { PasswordHasher } from '../../src/accounts/passwords.ts';
import { createVerificationCode } from '../../src/accounts/secrets.ts';
import { failureOf } from './support.ts';

const CHEAP = { memoryCost: 8, timeCost: 1 };

describe('PasswordHasher', () => {
  test('hash and verify: argon2id, the same text in any Unicode form, no other', async () => {
    const hasher = await PasswordHasher.create(CHEAP);
    const hash = await hasher.hash('pass\u00e9 compose');
    expect(hash).toStartWith('$argon2id$');
    expect(await hasher.verify('passe\u0301 compose', hash)).toBe(true);
    expect(await hasher.verify('passe compose', hash)).toBe(false);
    expect(await hasher.verify('', hash)).toBe(false);
  });

  test('verify without a hash is false, and takes about as long as with one', async () => {
    const hasher = await PasswordHasher.create();
    const hash = await hasher.hash('the right password');
    const elapsed: number[] = [];
    for (const candidate of [hash, null, hash, null]) {
      const startedAt = Bun.nanoseconds();
      expect(await hasher.verify('a wrong password', candidate)).toBe(false);
      elapsed.push(Bun.nanoseconds() - startedAt);
    }
    const known = Math.min(elapsed[0] ?? 0, elapsed[2] ?? 0);
    const unknown = Math.min(elapsed[1] ?? 0, elapsed[3] ?? 0);
    expect(unknown / known).toBeGreaterThan(0.3);
    expect(unknown / known).toBeLessThan(3);
  });

  test('passwords beyond the queue are answered 503, the others in turn', async () => {
    const hasher = await PasswordHasher.create(CHEAP);
    const capacity = HASHES_AT_ONCE_MAX + HASHES_WAITING_MAX;
    const outcomes = await Promise.all(
      Array.from({ length: capacity + 3 }, () => failureOf(hasher.hash('a password'))),
    );
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(capacity);
    expect(outcomes.filter((outcome) => outcome === 'upstream_unavailable')).toHaveLength(3);
    expect(await failureOf(hasher.hash('a password'))).toBe('none');
  });
});

test('createVerificationCode: six digits with leading zeros, every draw equally likely', () => {
  const draws = [4_294_000_000, 4_293_999_999, 42];
  const fill = (bytes: Uint8Array<ArrayBuffer>): void => {
    new DataView(bytes.buffer).setUint32(0, draws.shift() ?? 0);
  };
  expect(createVerificationCode(fill)).toBe('999999');
  expect(createVerificationCode(fill)).toBe('000042');
});
