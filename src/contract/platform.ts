// Requests and answers of /platform/*: accounts, sessions and keys.

import { Type } from '@sinclair/typebox';
import { TIER_KEYS } from '../domain/tiers.ts';
import {
  EMAIL_CHARS_MAX,
  KEY_ADDRESSES_MAX,
  KEY_LABEL_CHARS_MAX,
  PASSWORD_CHARS_MAX,
  PASSWORD_CHARS_MIN,
  USAGE_DAYS_KEPT,
} from '../limits.ts';
import { Tier, UsageCounters } from './operations.ts';
import { deletedAnswer, exact, instant, nullable, oneOf, optional, withDefault } from './schema.ts';

/**
 * Maximum length of a password at log-in, in characters; a longer one is refused with status 422. The limit
 * is higher than for new passwords, so that a long wrong password is answered as a wrong password.
 */
const ENTERED_PASSWORD_CHARS_MAX = 1_024;

const Email = Type.String({
  minLength: 3,
  maxLength: EMAIL_CHARS_MAX,
  description: 'E-mail address.',
  examples: ['ada@example.com'],
});

const NewPassword = Type.String({
  minLength: PASSWORD_CHARS_MIN,
  maxLength: PASSWORD_CHARS_MAX,
  description: `${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters; not one of the most used passwords, and not the e-mail address.`,
  examples: ['correct horse battery'],
});

export const SignupRequest = exact(
  {
    email: Email,
    password: NewPassword,
  },
  { title: 'SignupRequest' },
);

export const VerifyRequest = exact(
  {
    email: Email,
    code: Type.String({
      pattern: '^([0-9]{6}|[0-9A-Za-z -]{30,64})$',
      description: 'The six digits from the mail, or the long code below them.',
    }),
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

const CurrentPassword = Type.String({
  minLength: 1,
  maxLength: ENTERED_PASSWORD_CHARS_MAX,
  description: 'The current password of the account.',
});
const LongCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The code from the mail: six groups of five characters.',
  examples: ['7H2KD-0QX9M-4TR8V-ZC3PA-6WN1E-B5GJY'],
});

export const ForgotPasswordRequest = exact({ email: Email }, { title: 'ForgotPasswordRequest' });
export const ResetPasswordRequest = exact(
  { code: LongCode, new_password: NewPassword },
  { title: 'ResetPasswordRequest' },
);
export const ChangePasswordRequest = exact(
  { password: CurrentPassword, new_password: NewPassword },
  { title: 'ChangePasswordRequest' },
);
export const ChangeEmailRequest = exact(
  { password: CurrentPassword, new_email: Email },
  { title: 'ChangeEmailRequest' },
);
export const ConfirmEmailRequest = exact({ code: LongCode }, { title: 'ConfirmEmailRequest' });
export const EndSessionsRequest = exact(
  {
    password: CurrentPassword,
    session_id: optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The session to end. If left out, all sessions except the current one end.',
      }),
    ),
  },
  { title: 'EndSessionsRequest' },
);
export const DeleteAccountRequest = exact({ password: CurrentPassword }, { title: 'DeleteAccountRequest' });

export const SetPlanRequest = exact(
  {
    plan: oneOf(TIER_KEYS, {
      description: 'The new plan: the highest tier that keys of the account may have.',
    }),
  },
  { title: 'SetPlanRequest' },
);

export const CreateKeyRequest = exact(
  {
    label: withDefault(
      Type.String({
        maxLength: KEY_LABEL_CHARS_MAX,
        description: 'Purpose of the key, as a note for people.',
      }),
      '',
    ),
    tier: withDefault(oneOf(TIER_KEYS, { description: 'Tier of the key; not above the plan.' }), 'free'),
    expires_at: optional(instant({ description: 'When the key expires; never if left out.' })),
    allowed_addresses: optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 64 }), {
        maxItems: KEY_ADDRESSES_MAX,
        description: 'Addresses and ranges that the key may be used from; any if left out or empty.',
        examples: [['192.0.2.7', '2001:db8::/32']],
      }),
    ),
  },
  { title: 'CreateKeyRequest' },
);

export const Account = exact(
  {
    id: Type.String({
      pattern: '^acc_[0-9a-f]{24}$',
      description: 'Account id. It is made from the e-mail address and changes with it.',
    }),
    email: Type.String({ description: 'E-mail address, lower case.' }),
    plan: { ...Tier, description: 'Plan of the account.' },
    verified: Type.Boolean({ description: 'Whether the code from the mail was entered.' }),
    created_at: instant({ description: 'When the account was created.' }),
  },
  { title: 'Account' },
);

const KEY_FIELDS = {
  key_id: Type.String({ description: 'Identifies the key; not a secret.' }),
  label: Type.String({ description: 'Purpose of the key.' }),
  tier: Tier,
  last4: Type.String({ minLength: 4, maxLength: 4, description: 'Last four characters of the key.' }),
  status: oneOf(['active', 'revoked'], { description: 'A revoked key never works again.' }),
  created_at: instant({ description: 'When the key was created.' }),
  last_used_at: nullable(instant(), { description: 'When the key was last used; null when never.' }),
  expires_at: nullable(instant(), { description: 'When the key expires; null when never.' }),
  allowed_addresses: Type.Array(Type.String(), {
    description: 'Addresses and ranges that the key may be used from; any if the list is empty.',
  }),
};

export const Key = exact(KEY_FIELDS, { title: 'Key' });

export const KeyWithSecret = exact(
  {
    ...KEY_FIELDS,
    key: Type.String({
      pattern: '^isk_[0-9A-Za-z]{32}$',
      description: 'The key itself, shown only this once.',
    }),
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
export const MeAnswer = exact(
  {
    account: Account,
    operator: Type.Boolean({
      description:
        'Whether the account belongs to the operator of this server, who may open /console/operator.',
    }),
  },
  { title: 'MeAnswer' },
);
/** Answer of verify and plan. */
export const AccountAnswer = exact({ account: Account }, { title: 'AccountAnswer' });
export const LoginAnswer = exact(
  {
    session_token: Type.String({
      description: 'The token of the session, which is also set as an HttpOnly cookie.',
    }),
    expires_at: instant({ description: 'When the session ends.' }),
    account: Account,
  },
  { title: 'LoginAnswer' },
);
export const LogoutAnswer = exact(
  { logged_out: Type.Literal(true, { description: 'The session has ended.' }) },
  { title: 'LogoutAnswer' },
);
export const ResetAskedAnswer = exact(
  { reset: oneOf(['sent'], { description: 'A mail is on its way.' }) },
  { title: 'ResetAskedAnswer' },
);
export const SessionsAnswer = exact(
  {
    sessions: Type.Array(
      exact({
        session_id: Type.String({ description: 'Identifies the session; not a secret.' }),
        client: nullable(Type.String(), {
          description: 'The browser or program that logged in; null when unknown.',
          examples: ['Firefox on Linux'],
        }),
        created_at: instant({ description: 'When the session was started.' }),
        last_used_at: instant({ description: 'When the session was last used, to within a few minutes.' }),
        expires_at: instant({ description: 'When the session ends at the latest.' }),
        current: Type.Boolean({ description: 'Whether this request uses the session.' }),
      }),
      { description: 'Live sessions, most recently used first.' },
    ),
  },
  { title: 'SessionsAnswer' },
);
const EndedSessions = Type.Integer({ minimum: 0, description: 'Number of sessions that were ended.' });
export const PasswordChangedAnswer = exact(
  { account: Account, ended_sessions: EndedSessions },
  { title: 'PasswordChangedAnswer' },
);
export const SessionsEndedAnswer = exact({ ended_sessions: EndedSessions }, { title: 'SessionsEndedAnswer' });
export const ChangeEmailAnswer = exact(
  {
    account: Account,
    confirmation: oneOf(['sent'], { description: 'A mail is on its way to the new address.' }),
  },
  { title: 'ChangeEmailAnswer' },
);
export const DeletedAnswer = deletedAnswer('DeletedAnswer', 'The account and its keys are gone.');
export const KeysAnswer = exact(
  { keys: Type.Array(Key, { description: 'Oldest first, revoked ones included.' }) },
  { title: 'KeysAnswer' },
);
export const AccountUsageAnswer = exact(
  {
    account: { ...UsageCounters, description: 'All keys together.' },
    keys: Type.Array(
      exact({
        key_id: Type.String({ description: 'Identifies the key.' }),
        usage: { ...UsageCounters, description: 'Usage of this key.' },
      }),
      { description: 'Each key, oldest first.' },
    ),
    days: Type.Array(
      exact({
        date: Type.String({ format: 'date', description: 'UTC day.', examples: ['2026-03-01'] }),
        key_id: Type.String({ description: 'Identifies the key.' }),
        requests: Type.Integer({ minimum: 0, description: 'Number of requests answered on this day.' }),
      }),
      {
        description: `Number of requests per day and key in the last ${USAGE_DAYS_KEPT} days, oldest first. A request appears here within half a minute. Days without a request are left out.`,
      },
    ),
  },
  { title: 'AccountUsageAnswer' },
);
