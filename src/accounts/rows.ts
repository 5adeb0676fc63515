// Rows of accounts and keys as both database engines return them, and their conversion to records.

import { TIER_KEYS, type TierKey } from '../domain/tiers.ts';
import { assert } from '../errors.ts';
import type { AccountRecord, CodeRecord, CodeScope, KeyRecord, UsedSession } from './records.ts';

export interface AccountRow extends Record<string, unknown> {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string;
  readonly plan: string;
  readonly verified_at_ms: number | null;
  readonly created_at_ms: number;
}

export interface KeyRow extends Record<string, unknown> {
  readonly id: number;
  readonly key_id: string;
  readonly account_id: string | null;
  readonly label: string;
  readonly tier: string;
  readonly hash: string;
  readonly last4: string;
  readonly status: 'active' | 'revoked';
  readonly created_at_ms: number;
  readonly last_used_at_ms: number | null;
  readonly expires_at_ms: number | null;
  readonly allowed_addresses: string | null;
}

export interface SessionRow extends Record<string, unknown> {
  readonly token_hash: string;
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
  readonly client: string | null;
  readonly used_at_ms: number | null;
}

/** A code as stored: its hash, prefixed with where it can be entered. */
export function codeKey(code: Pick<CodeRecord, 'scope' | 'client' | 'codeHash'>): string {
  return codePrefix(code.scope, code.client) + code.codeHash;
}

/** Rows of one network's sign-ups, mailed or not, begin with its prefix for `home`. */
export function codePrefix(scope: CodeScope, client: string): string {
  if (scope === 'home') return `home ${client} `;
  return scope === 'unmailed' ? `home ${client} unmailed ` : `${scope} `;
}

export function toTierKey(text: string): TierKey {
  const tier = TIER_KEYS.find((key) => key === text);
  assert(tier !== undefined, `'${text}' is a tier`);
  return tier;
}

export function toAccountRecord(row: AccountRow): AccountRecord {
  return {
    id: row.id,
    email: row.email,
    passwordHash: row.password_hash,
    plan: toTierKey(row.plan),
    verifiedAtMs: row.verified_at_ms,
    createdAtMs: row.created_at_ms,
  };
}

export function toKeyRecord(row: KeyRow): KeyRecord {
  return {
    number: row.id,
    keyId: row.key_id,
    accountId: row.account_id,
    label: row.label,
    tier: toTierKey(row.tier),
    lastFour: row.last4,
    status: row.status,
    createdAtMs: row.created_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
    expiresAtMs: row.expires_at_ms,
    allowedAddresses: toAddresses(row.allowed_addresses),
  };
}

export function toUsedSession(row: SessionRow): UsedSession {
  return {
    tokenHash: row.token_hash,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    client: row.client,
    usedAtMs: row.used_at_ms ?? row.created_at_ms,
  };
}

export function toAddresses(text: string | null): string[] {
  return text === null ? [] : text.split(',');
}
