// Generates the table of tiers in docs/reference/limits.md from their definition.

import { DAY_MS, HOUR_MS } from '../src/clock.ts';
import {
  KEYLESS_REQUESTS_PER_DAY,
  KEYLESS_STREAMS,
  rulesOf,
  TIERS,
  type TierKey,
} from '../src/domain/tiers.ts';
import { reachFromMs } from '../src/history/past/past-instant.ts';

interface Row extends Omit<(typeof TIERS)[number], 'key' | 'perDay' | 'streams'> {
  readonly name: string;
  readonly perDay: number | null;
  readonly streams: number;
  readonly reachMs: number;
}

/** @returns the section of the page */
export function tiersSection(): string {
  const free = rulesOf({ tier: 'free' });
  const keyless = { perDay: KEYLESS_REQUESTS_PER_DAY, streams: KEYLESS_STREAMS };
  const rows: Row[] = [
    { ...free, ...keyless, name: 'without a key, for each address', reachMs: reachMsOf('free', null) },
    ...TIERS.map((tier) => ({ ...tier, name: tier.key, reachMs: reachMsOf(tier.key, 'any') })),
  ];
  return [
    '## Tiers',
    '',
    '| tier | requests a minute | at once | a day | sharp bookmaker | shortest `tick_ms` | open streams | history |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map(rowText),
    '',
    'Rates, daily counts and open streams are counted for each key. [Places, memory and turns](../internals/security.md#limits-of-strangers) are\nshared among accounts: twenty keys of one account get as much of them as one key. A key without an account counts as an account.',
  ].join('\n');
}

function reachMsOf(tier: TierKey, keyId: string | null): number {
  return -reachFromMs({ tier, keyId, seesSharp: false }, 0);
}

function rowText({ name, perMinute, burst, perDay, seesSharp, tickMs, streams, reachMs }: Row): string {
  const day = perDay === null ? 'no limit' : count(perDay);
  const cells = [name, count(perMinute), count(burst), day, seesSharp ? 'yes' : 'no', count(tickMs)];
  return `| ${[...cells, count(streams), reachText(reachMs)].join(' | ')} |`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function reachText(reachMs: number): string {
  if (reachMs === Number.POSITIVE_INFINITY) return 'all';
  return reachMs > DAY_MS ? `${reachMs / DAY_MS} days` : `${reachMs / HOUR_MS} hours`;
}
