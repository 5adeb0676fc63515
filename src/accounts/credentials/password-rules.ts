// Rejects passwords that are too short or too long, or have too few different characters. Also rejects the
// 49,000 most used passwords, the account's own address and the name of this service, and passwords that are
// nearly one of these. Following NIST SP 800-63B (5.1.1.2), no kinds of characters are required.

import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../../limits.ts';
import { invalidField } from '../input.ts';

const DIFFERENT_CHARS_MIN = 5;
/**
 * A common password, an address or the service's name is still weak with this many characters added to it, as
 * in Password123!.
 */
const ADDED_CHARS_MAX = 4;

/**
 * Loaded at the first new password and null before, because the package with its lists takes ten megabytes.
 */
let common: ReadonlySet<string> | null = null;

async function commonPasswords(): Promise<ReadonlySet<string>> {
  if (common === null) {
    const { dictionary } = await import('@zxcvbn-ts/language-common');
    common = new Set(dictionary['passwords-common']);
  }
  return common;
}

/**
 * @param field name of the body's field, for the error
 * @throws ValidationError with `input` null, because the value is a secret
 */
export async function checkNewPassword(password: string, email: string, field = 'password'): Promise<void> {
  const text = password.normalize('NFC').toLowerCase();
  const length = [...text].length;
  if (length < PASSWORD_CHARS_MIN || length > PASSWORD_CHARS_MAX) {
    throw invalidField(field, `not ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters long`);
  }
  if (new Set(text).size < DIFFERENT_CHARS_MIN) {
    throw invalidField(field, `made of fewer than ${DIFFERENT_CHARS_MIN} different characters`);
  }
  if (isCommon(text, await commonPasswords()))
    throw invalidField(field, 'one of the passwords that are tried first, or nearly one');
  const [localPart = ''] = email.split('@');
  for (const own of [email, localPart, 'overround']) {
    if (own.length > 0 && text.includes(own) && length - own.length <= ADDED_CHARS_MAX) {
      throw invalidField(field, 'your address or the name of this service, or nearly one');
    }
  }
}

/**
 * Whether the text is a common password, as it is or after removing up to four digits and symbols from its
 * end.
 */
function isCommon(text: string, common: ReadonlySet<string>): boolean {
  if (common.has(text)) return true;
  const ending = /[^\p{L}]+$/u.exec(text)?.[0] ?? '';
  for (let cut = 1; cut <= Math.min(ADDED_CHARS_MAX, ending.length); cut++) {
    if (common.has(text.slice(0, -cut))) return true;
  }
  return false;
}
