// Bodies and answers of /platform/*: accounts, sessions and keys.

import { type Static, Type } from '@sinclair/typebox';
import { Tier, UsageCounters } from './usage.ts';

const CLOSED = { additionalProperties: false } as const;

const Email = Type.String({ minLength: 3, maxLength: 254, description: 'E-mail address' });
const NewPassword = Type.String({ minLength: 10, maxLength: 128, description: '10 to 128 characters' });

export const SignupRequest = Type.Object({ email: Email, password: NewPassword }, CLOSED);
export type SignupRequest = Static<typeof SignupRequest>;

export const VerifyRequest = Type.Object(
  {
    email: Email,
    code: Type.String({ pattern: '^[0-9]{6}$', description: 'The six digits of the mail' }),
  },
  CLOSED,
);
export type VerifyRequest = Static<typeof VerifyRequest>;

export const LoginRequest = Type.Object(
  { email: Email, password: Type.String({ minLength: 1, maxLength: 1024 }) },
  CLOSED,
);
export type LoginRequest = Static<typeof LoginRequest>;

export const SetPlanRequest = Type.Object(
  { plan: Type.String({ maxLength: 40, description: 'free, standard, realtime or enterprise' }) },
  CLOSED,
);
export type SetPlanRequest = Static<typeof SetPlanRequest>;

export const CreateKeyRequest = Type.Object(
  {
    label: Type.Optional(Type.String({ maxLength: 100, default: '' })),
    tier: Type.Optional(
      Type.String({ maxLength: 40, default: 'free', description: 'free, standard, realtime or enterprise' }),
    ),
  },
  CLOSED,
);
export type CreateKeyRequest = Static<typeof CreateKeyRequest>;

export const Account = Type.Object(
  {
    id: Type.String({ pattern: '^acc_[0-9a-f]{24}$' }),
    email: Type.String(),
    plan: Tier,
    verified: Type.Boolean(),
    created_at: Type.String({ format: 'date-time' }),
  },
  CLOSED,
);
export type Account = Static<typeof Account>;

const KEY_FIELDS = {
  key_id: Type.String({ description: 'Names the key; it is no secret' }),
  label: Type.String(),
  tier: Tier,
  last4: Type.String({ minLength: 4, maxLength: 4 }),
  status: Type.Union([Type.Literal('active'), Type.Literal('revoked')]),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
};

export const Key = Type.Object(KEY_FIELDS, CLOSED);
export type Key = Static<typeof Key>;

export const KeyWithSecret = Type.Object(
  {
    ...KEY_FIELDS,
    key: Type.String({ pattern: '^isk_[0-9A-Za-z]{32}$', description: 'The key itself, shown this once' }),
  },
  CLOSED,
);
export type KeyWithSecret = Static<typeof KeyWithSecret>;

export const SignupAnswer = Type.Object({ account: Account, verification: Type.Literal('sent') }, CLOSED);
/** Of verify, me and plan. */
export const AccountAnswer = Type.Object({ account: Account }, CLOSED);
export const LoginAnswer = Type.Object(
  {
    session_token: Type.String({ description: 'Also set as an HttpOnly cookie' }),
    expires_at: Type.String({ format: 'date-time' }),
    account: Account,
  },
  CLOSED,
);
export const LogoutAnswer = Type.Object({ logged_out: Type.Literal(true) }, CLOSED);
export const KeysAnswer = Type.Object({ keys: Type.Array(Key) }, CLOSED);
export const AccountUsageAnswer = Type.Object(
  {
    account: UsageCounters,
    keys: Type.Array(Type.Object({ key_id: Type.String(), usage: UsageCounters }, CLOSED)),
  },
  CLOSED,
);
