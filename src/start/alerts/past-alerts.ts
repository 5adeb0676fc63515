// What an alert rule would have reported in the past: the tape (the recorded price history) is played again
// through the code that watches live rules. Where the rule narrows the matches, only those are played.
// Fixtures of the tape have other ids in a slate that is played again, so matches are chosen on the tape, by
// id or by name.

import { MatchEvaluation } from '../../alerts/evaluation/match-evaluation.ts';
import {
  type AlertNews,
  type Evaluation,
  RuleLives,
  type WatchedRule,
} from '../../alerts/evaluation/news.ts';
import { PriceEvaluation } from '../../alerts/evaluation/price-evaluation.ts';
import { ALERT_WATCHES_MAX, SignalEvaluation } from '../../alerts/evaluation/signal-evaluation.ts';
import type { AlertRule } from '../../alerts/rules/alert-rule.ts';
import { REFERENCE_SHARP } from '../../domain/reference.ts';
import { principalOf, type TierKey } from '../../domain/tiers.ts';
import type { ServiceError } from '../../errors.ts';
import { BestPriceQueries } from '../../query/markets/best-prices.ts';
import { requestedReference } from '../../query/odds/odds-filter.ts';
import { createPolledQueries } from '../../query/polled.ts';
import type { PlausibleLimits } from '../../query/signals/signals.ts';
import { type PastBatch, type PastMoment, PastPlay } from '../../record/past-play.ts';
import { scannerOf } from '../../record/scan-here.ts';
import { LiveSignals } from '../../stream/signals/live-signals.ts';

/** How many signals are followed: more than any slate has at the same time. */
const SIGNALS_MAX = 100_000;
/** On the tape a price lasts until it changes, so none turns stale. */
const WINDOWS = { liveMs: Number.POSITIVE_INFINITY, prematchMs: Number.POSITIVE_INFINITY };

/** Kinds that compare prices with those of the last hour. */
const NEEDS_WINDOWS: readonly string[] = ['move', 'steam'];

export type PastRule = Pick<AlertRule, 'when' | 'where' | 'names'> & { readonly plan: TierKey };

/** One alert, with the instant at which it would have been found. */
export interface PastAlert {
  readonly atMs: number;
  readonly item: AlertNews['item'];
}

/**
 * Whether no price of the past can make the rule report, so that it need not be played: value against the
 * sharp bookmaker, for a plan that hides it.
 */
export function neverReports({ when, plan }: PastRule): boolean {
  const principal = principalOf(plan);
  const reference = requestedReference(when.reference, principal);
  return when.kind === 'value' && reference === REFERENCE_SHARP && !principal.seesSharp;
}

/**
 * @param limits the edge and the margin above which signals are implausible
 * @param found called with each alert, in order
 */
export async function playAlerts(
  batches: AsyncIterable<PastBatch>,
  { rule, limits }: { readonly rule: PastRule; readonly limits: PlausibleLimits },
  found: (alert: PastAlert) => void,
): Promise<void> {
  const watched = watchedRule(rule);
  let evaluation: Evaluation | null = null;
  const play = new PastPlay({
    ...{ windows: WINDOWS, kinds: [], minEdgePct: 0, maxEdgePct: 100 },
    keepsClosings: false,
    keepsWindows: NEEDS_WINDOWS.includes(rule.when.kind),
    nextMomentMs: () => (evaluation instanceof SignalEvaluation ? evaluation.nextExpiryMs : Infinity),
    onMoment: async (moment) => {
      if (evaluation === null) {
        evaluation = evaluationOf(watched, moment, limits);
        await evaluation?.setRules([watched], moment.nowMs);
      }
      for (const { item } of (await evaluation?.step(moment.nowMs)) ?? [])
        found({ atMs: moment.nowMs, item });
    },
  });
  await play.play(isNarrowed(rule.where) ? chosen(batches, rule) : batches);
}

function watchedRule({ when, where, plan }: PastRule): WatchedRule {
  const { event_id: _event, league: _league, team: _team, ...rest } = where;
  const rule: AlertRule = {
    ...{ id: 'alr_past', accountId: '', name: '', when, where: rest, names: {} },
    to: { url: 'https://example.com/', format: 'raw' },
    ...{ status: 'active', note: null, secretVersion: 1, rotatedAtMs: null, createdAtMs: 0 },
  };
  const account = { plan, email: '', isVerified: true };
  return { ...account, rule, principal: principalOf(plan), lives: new RuleLives(null) };
}

/** How a rule is evaluated; null for a kind that is not on a tape. */
function evaluationOf(
  { rule }: WatchedRule,
  { reader }: PastMoment,
  limits: PlausibleLimits,
): Evaluation | null {
  const scanHits = scannerOf(reader);
  const clock = { wallMs: () => 0, monotonicMs: () => 0 };
  const { slate, signals } = createPolledQueries({
    reader,
    scorer: { scan: scanHits },
    clock,
    windows: WINDOWS,
  });
  switch (rule.when.kind) {
    case 'source':
      return null;
    case 'match':
      return new MatchEvaluation(slate, () => reader.slateVersion());
    case 'price':
      return new PriceEvaluation({ slate, prices: new BestPriceQueries(reader) });
    default: {
      const bounds = { signals: SIGNALS_MAX, watches: ALERT_WATCHES_MAX };
      const live = new LiveSignals({ reader, slate, signals, scorer: { scanHits } }, limits, bounds);
      const onFailed = (error: ServiceError): never => {
        throw error;
      };
      return new SignalEvaluation({ live, slate, onFailed });
    }
  }
}

function isNarrowed({ event_id, league, team, sport }: PastRule['where']): boolean {
  return [event_id, league, team, sport].some((field) => field !== undefined);
}

interface TapeMessage {
  readonly type: string;
  readonly event?: string;
  readonly sport?: string;
  readonly league?: { readonly name: string };
  readonly home?: { readonly name: string };
  readonly away?: { readonly name: string };
}

/**
 * The messages of the matches that a rule is about, numbered again, because a gap in the numbers would count
 * as a loss.
 */
async function* chosen(batches: AsyncIterable<PastBatch>, rule: PastRule): AsyncGenerator<PastBatch> {
  const isChosen = new Map<string, boolean>();
  let seq = 0;
  let hasPart = false;
  for await (const { messages, ...instant } of batches) {
    const own = (messages as readonly TapeMessage[]).filter((message) => {
      const { type, event } = message;
      if (event === undefined) return true;
      if (type === 'event') isChosen.set(event, isOf(rule, message));
      return isChosen.get(event) === true;
    });
    const isOpening = own[0]?.type === 'hello';
    const numbered = own.map((message) => ({ ...message, seq: isOpening ? seq : ++seq }));
    if (own.length > 0 || hasPart) yield { ...instant, messages: numbered };
    hasPart = instant.continues === true && (hasPart || own.length > 0);
  }
}

function isOf({ where, names }: PastRule, { event, sport, league, home, away }: TapeMessage): boolean {
  return (
    (where.event_id === undefined || where.event_id === event) &&
    (where.sport === undefined || where.sport === sport) &&
    (where.league === undefined || names.league === league?.name) &&
    (where.team === undefined || [home?.name, away?.name].includes(names.team))
  );
}
