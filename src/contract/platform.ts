// Bodies and answers of /platform/*: accounts, sessions and keys.

import { Type } from '@sinclair/typebox';
import { TIER_KEYS } from '../domain/tiers.ts';
import { EMAIL_CHARS_MAX, KEY_LABEL_CHARS_MAX, PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../limits.ts';
import { Tier, UsageCounters } from './operations.ts';
import { exact, instant, nullable, oneOf, withDefault } from './schema.ts';

/** Characters of a password at log-in, more than any has, so that a wrong one is answered as wrong. Longer: 422. */
const ENTERED_PASSWORD_CHARS_MAX = 1_024;

const Email = Type.String({
  minLength: 3,
  maxLength: EMAIL_CHARS_MAX,
  description: 'E-mail address.',
  examples: ['ada@example.com'],
});

export const SignupRequest = exact(
  {
    email: Email,
    password: Type.String({
      minLength: PASSWORD_CHARS_MIN,
      maxLength: PASSWORD_CHARS_MAX,
      description: `${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters.`,
    }),
  },
  { title: 'SignupRequest' },
);

export const VerifyRequest = exact(
  {
    email: Email,
    code: Type.String({ pattern: '^[0-9]{6}$', description: 'The six digits of the mail.' }),
  },
  { title: 'VerifyRequest' },
);

export const LoginRequest = exact(
  {
    email: Email,
    password: Type.String({
      minLength: 1,
      maxLength: ENTERED_PASSWORD_CHARS_MAX,
      description: 'The password chosen at sign-up.',
    }),
  },
  { title: 'LoginRequest' },
);

export const SetPlanRequest = exact(
  { plan: oneOf(TIER_KEYS, { description: 'The plan wanted: the highest tier its keys may have.' }) },
  { title: 'SetPlanRequest' },
);

export const CreateKeyRequest = exact(
  {
    label: withDefault(
      Type.String({ maxLength: KEY_LABEL_CHARS_MAX, description: 'What the key is for, for people.' }),
      '',
    ),
    tier: withDefault(
      oneOf(TIER_KEYS, { description: 'Tier of the key, at most that of the plan.' }),
      'free',
    ),
  },
  { title: 'CreateKeyRequest' },
);

export const Account = exact(
  {
    id: Type.String({ pattern: '^acc_[0-9a-f]{24}$', description: 'Account id.' }),
    email: Type.String({ description: 'E-mail address, lower case.' }),
    plan: Tier,
    verified: Type.Boolean({ description: 'Whether the code of the mail was entered.' }),
    created_at: instant({ description: 'When the account was made.' }),
  },
  { title: 'Account' },
);

const KEY_FIELDS = {
  key_id: Type.String({ description: 'Names the key; it is no secret.' }),
  label: Type.String({ description: 'What the key is for.' }),
  tier: Tier,
  last4: Type.String({ minLength: 4, maxLength: 4, description: 'Last four characters of the key.' }),
  status: oneOf(['active', 'revoked'], { description: 'A revoked key never works again.' }),
  created_at: instant({ description: 'When the key was made.' }),
  last_used_at: nullable(instant(), { description: 'When it was last used; null when never.' }),
};

export const Key = exact(KEY_FIELDS, { title: 'Key' });

export const KeyWithSecret = exact(
  {
    ...KEY_FIELDS,
    key: Type.String({ pattern: '^isk_[0-9A-Za-z]{32}$', description: 'The key itself, shown this once.' }),
  },
  { title: 'KeyWithSecret' },
);

export const SignupAnswer = exact(
  {
    account: Account,
    verification: oneOf(['sent'], { description: 'A code is on its way by mail.' }),
  },
  { title: 'SignupAnswer' },
);
/** Of verify, me and plan. */
export const AccountAnswer = exact({ account: Account }, { title: 'AccountAnswer' });
export const LoginAnswer = exact(
  {
    session_token: Type.String({ description: 'Also set as an HttpOnly cookie.' }),
    expires_at: instant({ description: 'When the session ends.' }),
    account: Account,
  },
  { title: 'LoginAnswer' },
);
export const LogoutAnswer = exact(
  { logged_out: Type.Literal(true, { description: 'The session has ended.' }) },
  { title: 'LogoutAnswer' },
);
export const KeysAnswer = exact(
  { keys: Type.Array(Key, { description: 'Oldest first, revoked ones included.' }) },
  { title: 'KeysAnswer' },
);
export const AccountUsageAnswer = exact(
  {
    account: { ...UsageCounters, description: 'All keys together.' },
    keys: Type.Array(
      exact({
        key_id: Type.String({ description: 'Names the key.' }),
        usage: { ...UsageCounters, description: 'What it was used for.' },
      }),
      { description: 'Each key, oldest first.' },
    ),
  },
  { title: 'AccountUsageAnswer' },
);
