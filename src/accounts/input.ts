// Checks the input of account calls. The HTTP layer checks it too, but other callers must not get past these
// rules.

import { instantMs, isCalendarDate } from '../clock.ts';
import { TIER_KEYS, type TierKey } from '../domain/tiers.ts';
import { ServiceError, ValidationError } from '../errors.ts';
import { parseAddressRange } from '../ip-address.ts';
import { EMAIL_CHARS_MAX, KEY_ADDRESSES_MAX, KEY_LABEL_CHARS_MAX } from '../limits.ts';

/**
 * A single address, with no character that a mail header could read as a second address or a display name.
 */
const EMAIL_PATTERN = /^[^\s@,;:<>()[\]"\\\p{C}]+@[^\s@,;:<>()[\]"\\\p{C}]+\.[^\s@,;:<>()[\]"\\\p{C}]+$/u;

/** The address as it is stored: trimmed, NFC, lower case. @throws ValidationError */
export function toEmail(text: string, field = 'email'): string {
  const email = text.trim().normalize('NFC').toLowerCase();
  if (email.length > EMAIL_CHARS_MAX || !EMAIL_PATTERN.test(email)) {
    throw invalidField(field, `not an e-mail address of at most ${EMAIL_CHARS_MAX} characters`);
  }
  return email;
}

/** The address without the `+tag` of its local part. Most mail servers deliver all tags to one mailbox. */
export function mailboxOf(email: string): string {
  return email.replace(/^([^@+]+)\+[^@]*@/, '$1@');
}

/** Refuses a key's label that is too long or has control characters. @throws ValidationError */
export function checkLabel(label: string): void {
  if (label.length > KEY_LABEL_CHARS_MAX || /\p{Cc}/u.test(label)) {
    throw invalidField('label', `longer than ${KEY_LABEL_CHARS_MAX} characters, or has control characters`);
  }
}

/** Refuses a text with control characters. @throws ValidationError */
export function checkNoControls(field: string, text: string): void {
  if (/\p{Cc}/u.test(text)) throw invalidField(field, 'has control characters');
}

/**
 * Checks the addresses and ranges that a key may be used from, as the client wrote them. @throws
 * ValidationError
 */
export function checkAllowedAddresses(entries: readonly string[]): void {
  if (entries.length > KEY_ADDRESSES_MAX || entries.some((entry) => parseAddressRange(entry) === null)) {
    throw invalidField(
      'allowed_addresses',
      `not a list of at most ${KEY_ADDRESSES_MAX} addresses or ranges such as 192.0.2.7 or 2001:db8::/32 (all IPv4 addresses are 0.0.0.0/0)`,
    );
  }
}

/**
 * When a key expires, null for never. A date without a time means its start in UTC.
 * @throws ValidationError unless it is in the future
 */
export function toExpiry(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const expiresAtMs = isCalendarDate(text) ? Date.parse(text) : instantMs(text);
  if (expiresAtMs > nowMs) return expiresAtMs;
  const problem = Number.isNaN(expiresAtMs)
    ? 'not a time with its zone, such as 2027-01-01T00:00:00Z'
    : 'not in the future';
  throw invalidField('expires_at', problem);
}

/** @throws ServiceError invalid_request for an unknown tier */
export function toTier(name: string): TierKey {
  const tier = TIER_KEYS.find((key) => key === name);
  if (tier !== undefined) return tier;
  throw new ServiceError('invalid_request', `Cannot use tier: '${name.slice(0, 40)}' is not a tier`, {
    fix: `Use one of ${TIER_KEYS.join(', ')}`,
  });
}

/** Refuses a key of a tier above the account's plan. @throws ServiceError plan_limit */
export function checkTierOfKey(tier: TierKey, plan: TierKey): void {
  if (TIER_KEYS.indexOf(tier) <= TIER_KEYS.indexOf(plan)) return;
  throw new ServiceError('plan_limit', `Cannot create key: tier '${tier}' is above plan '${plan}'`, {
    fix: `Ask for tier '${plan}' or below, or change the plan`,
  });
}

/** An error about one field of a body. It leaves out the field's value, which may be a secret. */
export function invalidField(field: string, problem: string): ValidationError {
  return new ValidationError([
    { type: 'value_error', loc: ['body', field], msg: `Cannot use ${field}: it is ${problem}`, input: null },
  ]);
}
