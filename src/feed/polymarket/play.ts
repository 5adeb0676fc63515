// The state of a match as Gamma's events and the frames of the score channel report it, in the same words.
// Both send scores in the order of the title. Pure.

import type { ScoreFrame } from './messages.ts';

export interface Play {
  readonly status: 'scheduled' | 'live' | 'finished';
  /** Home and away; null when unknown. */
  readonly score: readonly [number, number] | null;
  /** The match clock; null before and after the match, and for a phase without a known word. */
  readonly clock: string | null;
  /** Whether the venue has verified that the match is over. */
  readonly isVerified: boolean;
  /** When the match ended, Unix ms; null while it is not over, or when the venue does not say. */
  readonly finishedAtMs: number | null;
}

interface Reported extends Partial<Pick<ScoreFrame, 'score' | 'period' | 'elapsed'>> {
  readonly live?: boolean | null;
  readonly ended?: boolean | null;
  readonly finishedTimestamp?: string | null;
}

export function playOf(
  { score, period: word, elapsed, live, ended, finishedTimestamp }: Reported,
  at: { readonly isAwayFirst: boolean; readonly kickoffMs: number; readonly nowMs: number },
): Play {
  const period = word ?? '';
  const isOver = ended === true || period === 'FT' || period === 'VFT';
  // Gamma's answers may be minutes old, so a match also counts as live from its kickoff time on.
  const isLive = live === true || at.kickoffMs <= at.nowMs;
  const status = isOver ? 'finished' : isLive ? 'live' : 'scheduled';
  const finishedAtMs = Date.parse(finishedTimestamp ?? '');
  return {
    status,
    score: status === 'scheduled' ? null : scoreOf(score ?? '', at.isAwayFirst),
    clock: status === 'live' ? clockOf(period, elapsed ?? '') : null,
    isVerified: period === 'VFT',
    finishedAtMs: isOver && !Number.isNaN(finishedAtMs) ? finishedAtMs : null,
  };
}

/** "42-40" in the order of the title, as home and away. */
function scoreOf(text: string, isAwayFirst: boolean): readonly [number, number] | null {
  const [, first, second] = /^(\d{1,3})-(\d{1,3})$/.exec(text) ?? [];
  if (first === undefined || second === undefined) return null;
  return isAwayFirst ? [Number(second), Number(first)] : [Number(first), Number(second)];
}

/** The clock as the service's other sources write it: "1h 13", "ht", "q2 07:12". */
function clockOf(period: string, elapsed: string): string | null {
  const phase = period.toLowerCase();
  if (!/^(?:[12]h|ht|et|q[1-4]|\d?ot)$/.test(phase)) return null;
  return /^\d{1,3}(?::\d\d)?$/.test(elapsed) && phase !== 'ht' ? `${phase} ${elapsed}` : phase;
}
