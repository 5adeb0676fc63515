// Passwords that are refused because they are common or close to the account's address.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkNewPassword } from '../../../src/accounts/credentials/password-rules.ts';
import { ValidationError } from '../../../src/errors.ts';

const EMAIL = 'ana@example.com';

describe('a new password', () => {
  const isRefused = async (password: string, email = EMAIL): Promise<boolean> => {
    try {
      await checkNewPassword(password, email);
      return false;
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      expect(JSON.stringify(error.detail)).not.toContain(password);
      return true;
    }
  };

  test.each([
    ...['password123', 'Password123!', 'PASSWORD1234', '1234567890', 'qwertyuiop', 'aaaaaaaaaaaa'],
    ...['abababababab', 'overround2026', 'short', 'x'.repeat(129)],
  ])('a new password is refused: %s', async (password) => expect(await isRefused(password)).toBe(true));

  test.each(['correct horse battery', 'of tin and copper', 'Zürich-Örlikon-7', 'monkey-38291-77120'])(
    'a new password is accepted: %s',
    async (password) => expect(await isRefused(password)).toBe(false),
  );

  test('a password is refused if it is the account’s address, whole or up to the @, with at most a few characters added', async () => {
    const email = 'maximilian.mustermann@example.com';
    for (const password of [
      email,
      email.toUpperCase(),
      'maximilian.mustermann',
      'Maximilian.Mustermann99!',
    ]) {
      expect([password, await isRefused(password, email)]).toEqual([password, true]);
    }
    expect(await isRefused(`a sentence about ${email}`, email)).toBe(false);
  });

  test('a password of 16 random characters, at least five of them different, is never refused', async () => {
    const chars = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
    const text = fc.string({ unit: fc.constantFrom(...chars), minLength: 16, maxLength: 16 });
    const isAccepted = async (password: string): Promise<boolean> =>
      !(await isRefused(password)) || new Set(password).size < 5;
    await fc.assert(fc.asyncProperty(text, isAccepted));
  });
});
