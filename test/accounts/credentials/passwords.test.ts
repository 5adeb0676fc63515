import { describe, expect, spyOn, test } from 'bun:test';
import { hashesAtOnce, PasswordHasher } from '../../../src/accounts/credentials/passwords.ts';
import { createVerificationCode } from '../../../src/accounts/credentials/secrets.ts';
import { HASHES_AT_ONCE_MAX, HASHES_WAITING_MAX } from '../../../src/accounts/limits.ts';
import { failureOf } from '../support.ts';

const OWNER = { name: 'acc_1', isOwner: true };
const STRANGER = { name: 'a network', isOwner: false };
const CHEAP = { memoryCost: 8, timeCost: 1 };

describe('PasswordHasher', () => {
  test('hash uses argon2id, and verify accepts exactly the text as received, and no other', async () => {
    const hasher = new PasswordHasher({ atOnce: 1, cost: CHEAP });
    const long = 'pass\u00e9 of a hundred and more characters '.repeat(3);
    const decomposed = long.normalize('NFD');
    const alike: readonly (readonly [string, readonly string[]])[] = [
      [long, [decomposed, long.slice(0, -1), `${long} `, long.toUpperCase(), '']],
      [decomposed, [long]],
      [' with blanks ', ['with blanks', ' with blanks']],
      ['word\0of two', ['word', 'wordof two']],
    ];
    for (const [password, others] of alike) {
      const hash = await hasher.hash(password, OWNER);
      expect(hash).toStartWith('$argon2id$');
      expect(await hasher.verify(password, hash, OWNER)).toBe(true);
      for (const other of others)
        expect([other, await hasher.verify(other, hash, OWNER)]).toEqual([other, false]);
    }
  });

  test('verify without a hash is false, and computes a hash of the same cost', async () => {
    const hasher = new PasswordHasher({ atOnce: 1, cost: CHEAP });
    const cost = (hash: unknown) => String(hash).split('$').slice(0, 4).join('$');
    const hash = await hasher.hash('the right password', OWNER);
    const verify = spyOn(Bun.password, 'verify');
    try {
      expect(await hasher.verify('a wrong password', null, OWNER)).toBe(false);
      expect(await hasher.verify('a wrong password', hash, OWNER)).toBe(false);
      const [unknown, known] = verify.mock.calls;
      expect(cost(unknown?.[1])).toStartWith('$argon2id$v=19$m=8,t=1');
      expect(cost(unknown?.[1])).toBe(cost(known?.[1]));
    } finally {
      verify.mockRestore();
    }
  });

  test('a hash of another cost is renewed in the turn in which it is checked, before the next waiting password is hashed', async () => {
    const hasher = new PasswordHasher({ atOnce: 1, cost: CHEAP });
    const former = await Bun.password.hash('the password', { algorithm: 'argon2id', ...CHEAP, timeCost: 2 });
    const answered: string[] = [];
    const renewing = hasher.verifyAndRenew('the password', former, STRANGER);
    const other = hasher.verify('another', null, { name: 'another network', isOwner: false });
    void renewing.then(() => answered.push('renewed'));
    void other.then(() => answered.push('other'));
    const { matches, renewed } = await renewing;
    expect(matches).toBe(true);
    expect(renewed).toStartWith('$argon2id$v=19$m=8,t=1');
    await other;
    expect(answered).toEqual(['renewed', 'other']);
    const again = await hasher.verifyAndRenew('the password', renewed, STRANGER);
    expect(again).toEqual({ matches: true, renewed: null });
    expect(await hasher.verifyAndRenew('another', former, STRANGER)).toMatchObject({ renewed: null });
  });

  test.each([true, false])(
    'the first verification makes the dummy hash, whether or not the address is known: %p',
    async (isKnown) => {
      const known = await Bun.password.hash('the right password', { algorithm: 'argon2id', ...CHEAP });
      const hasher = new PasswordHasher({ atOnce: 1, cost: CHEAP });
      const hash = spyOn(Bun.password, 'hash');
      try {
        for (const _ of [1, 2]) await hasher.verify('a wrong password', isKnown ? known : null, OWNER);
        expect(hash).toHaveBeenCalledTimes(1);
      } finally {
        hash.mockRestore();
      }
    },
  );

  test.each([1, HASHES_AT_ONCE_MAX])(
    'at most %i passwords are hashed at the same time; those that do not fit into the queue are answered 503',
    async (atOnce) => {
      const hasher = new PasswordHasher({ atOnce, cost: CHEAP });
      let [running, most] = [0, 0];
      const real = Bun.password.hash;
      const counted = spyOn(Bun.password, 'hash').mockImplementation(async (...words) => {
        running += 1;
        most = Math.max(most, running);
        try {
          return await real(...words);
        } finally {
          running -= 1;
        }
      });
      try {
        const capacity = atOnce + HASHES_WAITING_MAX;
        const outcomes = await Promise.all(
          Array.from({ length: capacity + 3 }, () => failureOf(hasher.hash('a password', STRANGER))),
        );
        expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(capacity);
        expect(outcomes.filter((outcome) => outcome === 'upstream_unavailable')).toHaveLength(3);
        expect(await failureOf(hasher.hash('a password', STRANGER))).toBe('none');
        expect(most).toBe(atOnce);
      } finally {
        counted.mockRestore();
      }
    },
  );

  test('hashesAtOnce leaves one processor for polls if there is more than one, and is at most two', () => {
    expect([1, 2, 3, 4, 64].map(hashesAtOnce)).toEqual([1, 1, 2, 2, 2]);
  });
});

test('createVerificationCode makes six digits with leading zeros, and every code is equally likely', () => {
  const draws = [4_294_000_000, 4_293_999_999, 42];
  const fill = (bytes: Uint8Array<ArrayBuffer>): void => {
    new DataView(bytes.buffer).setUint32(0, draws.shift() ?? 0);
  };
  expect(createVerificationCode(fill)).toBe('999999');
  expect(createVerificationCode(fill)).toBe('000042');
});
