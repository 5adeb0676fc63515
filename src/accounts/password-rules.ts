// Which passwords are refused: too short or long, among the 49,000 most used, with too few different characters, or the
// account's own address. As NIST SP 800-63B has it (5.1.1.2), nothing is asked of the kinds of characters.

import { dictionary } from '@zxcvbn-ts/language-common';
import type { ValidationError } from '../errors.ts';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../limits.ts';
import { invalidField } from './input.ts';

const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common']);
const DIFFERENT_CHARS_MIN = 5;
/** Characters beside a common password or an address that do not make it a password of one's own, as in Password123!. */
const ADDED_CHARS_MAX = 4;

/**
 * @param field where in the body it stands, for the error
 * @throws ValidationError whose `input` is null, because it is a secret
 */
export function checkNewPassword(password: string, email: string, field = 'password'): void {
  const text = password.normalize('NFC').toLowerCase();
  const length = [...text].length;
  if (length < PASSWORD_CHARS_MIN || length > PASSWORD_CHARS_MAX) {
    throw refuse(field, `not ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters long`);
  }
  if (new Set(text).size < DIFFERENT_CHARS_MIN) {
    throw refuse(field, `made of fewer than ${DIFFERENT_CHARS_MIN} different characters`);
  }
  if (isCommon(text)) throw refuse(field, 'one of the passwords that are tried first, or nearly one');
  const [localPart = ''] = email.split('@');
  for (const own of [email, localPart, 'overround']) {
    if (own.length > 0 && text.includes(own) && length - own.length <= ADDED_CHARS_MAX) {
      throw refuse(field, 'your address or the name of this service, or nearly one');
    }
  }
}

/** Common as it is, or without up to four figures and signs at its end. */
function isCommon(text: string): boolean {
  if (COMMON.has(text)) return true;
  const ending = /[^\p{L}]+$/u.exec(text)?.[0] ?? '';
  for (let cut = 1; cut <= Math.min(ADDED_CHARS_MAX, ending.length); cut++) {
    if (COMMON.has(text.slice(0, -cut))) return true;
  }
  return false;
}

function refuse(field: string, problem: string): ValidationError {
  return invalidField(field, problem);
}
