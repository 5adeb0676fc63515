// What accounts accept as input, checked once more than at the HTTP edge, so that no other caller can bring worse.

import { TIER_KEYS, type TierKey } from '../domain/tiers.ts';
import { ServiceError, ValidationError } from '../errors.ts';
import { EMAIL_CHARS_MAX, KEY_LABEL_CHARS_MAX, PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../limits.ts';

/** One address and nothing that a mail header could read as a second one or as a name. */
const EMAIL_PATTERN = /^[^\s@,;:<>()[\]"\\\p{C}]+@[^\s@,;:<>()[\]"\\\p{C}]+\.[^\s@,;:<>()[\]"\\\p{C}]+$/u;

/** The address in the form it is stored in: trimmed, NFC, lower case. @throws ValidationError */
export function toEmail(text: string): string {
  const email = text.trim().normalize('NFC').toLowerCase();
  if (email.length > EMAIL_CHARS_MAX || !EMAIL_PATTERN.test(email)) {
    throw invalidField('email', `not an e-mail address of at most ${EMAIL_CHARS_MAX} characters`);
  }
  return email;
}

/** @throws ValidationError whose `input` is null, because it is a secret */
export function checkNewPassword(password: string): void {
  const length = [...password.normalize('NFC')].length;
  if (length < PASSWORD_CHARS_MIN || length > PASSWORD_CHARS_MAX) {
    throw invalidField('password', `not ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters long`);
  }
}

/** @throws ValidationError */
export function checkLabel(label: string): void {
  if (label.length > KEY_LABEL_CHARS_MAX || /\p{Cc}/u.test(label)) {
    throw invalidField('label', `not at most ${KEY_LABEL_CHARS_MAX} characters without control characters`);
  }
}

/** @throws ServiceError invalid_request for a name that is no tier */
export function toTier(name: string): TierKey {
  const tier = TIER_KEYS.find((key) => key === name);
  if (tier !== undefined) return tier;
  throw new ServiceError('invalid_request', `Cannot use tier: '${name.slice(0, 40)}' is not one`, {
    fix: `Use one of ${TIER_KEYS.join(', ')}`,
  });
}

function invalidField(field: string, problem: string): ValidationError {
  return new ValidationError([
    { type: 'value_error', loc: ['body', field], msg: `Cannot use ${field}: it is ${problem}`, input: null },
  ]);
}
