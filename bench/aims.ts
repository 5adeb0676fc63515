// The aims of benches. Each is found by the figure's name in the table, `<group>: <name in the group>`.

import type { Aim } from './figures.ts';

const AIMS: readonly (readonly [RegExp, Aim])[] = [
  [/^encode: .*, decimal: OddsEncoder/, { of: 'value', atMost: 8_000 }],
  [/^encode: .*, american: OddsEncoder/, { of: 'value', atMost: 9_000 }],
  [/^encode: .*, malay: OddsEncoder/, { of: 'value', atMost: 10_000 }],
  // For 100,000 quotes: 0.3 million a second from NDJSON, 0.5 million a second from MessagePack.
  [/^feed bytes: .*: NDJSON frames/, { of: 'value', atMost: 333e6 }],
  [/^feed bytes: .*: MessagePack frames/, { of: 'value', atMost: 200e6 }],
  // The baseline is the same question on a slate of 100 fixtures.
  [/^lists: .*: 4000 fixtures/, { of: 'ratio', atMost: 1.5 }],
  [/^scan_slate of \d+ fixtures by reference, .*: cold, against the consensus/, { of: 'ratio', atMost: 1.5 }],
  // The aim for a user is a million quotes in 15 seconds: see `costs` in backtest.bench.ts.
  [/^backtest of 20000 quotes: the record/, { of: 'value', atMost: 300e6 }],
  [/^history: read: a line's day/, { of: 'value', atMost: 10e6 }],
  [/^history: read: a fixture at/, { of: 'value', atMost: 20e6 }],
  [/^history: read: a slate of/, { of: 'value', atMost: 500e6 }],
  // A ratio of times. At most 1.05 means that the throughput is at least 0.95 of that without the history.
  [/^history: write: .*: with the history$/, { of: 'ratio', atMost: 1.05 }],
];

/** The aim of a bench, or null. */
export function aimOf(name: string): Aim | null {
  return AIMS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
