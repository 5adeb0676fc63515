// The signals of a past that is played again: those that are open, and all that ever opened.

import type { Clock } from '../clock.ts';
import { BOOKMAKER_KEYS } from '../domain/catalogue.ts';
import type { FreshnessWindows, SIGNAL_KINDS } from '../domain/signal-gate.ts';
import { principalOf } from '../domain/tiers.ts';
import { assert } from '../errors.ts';
import type { Applier } from '../ingest/apply.ts';
import { NO_LEAGUES, oddsView } from '../query/odds/odds-view.ts';
import { createPolledQueries } from '../query/polled.ts';
import type { SlateReader } from '../store/reader.ts';
import { LiveSignals } from '../stream/signals/live-signals.ts';
import type { SignalFollower } from '../stream/signals/signal-follower.ts';
import type { MatchEnds } from './match-ends.ts';
import { type GradedSignal, graded, type RecordedSignal } from './recorded-signal.ts';
import { scannerOf } from './scan-here.ts';
import { type RecordChange, SignalRecorder } from './signal-recorder.ts';

/** Which signals are found. */
export interface SignalSettings {
  readonly kinds: readonly (typeof SIGNAL_KINDS)[number][];
  readonly bookmakers?: readonly string[] | undefined;
  /** A word of REFERENCE_WORDS; undefined means the roster's default. */
  readonly reference?: string | undefined;
  readonly minEdgePct: number;
  readonly maxEdgePct: number;
  /** Whether the recording uses event ids as event keys, as the tape does. Signals then have these ids. */
  readonly keysAreIds?: boolean;
  /** Whether every bookmaker is judged separately, and not only the best price of a line. */
  readonly eachBookmaker?: boolean;
  /** Keeps only signals that opened at least this long before kickoff. */
  readonly beforeKickoffMs?: number | undefined;
}

/** The caller that a play finds signals for. This caller sees every bookmaker. */
const OWNER = principalOf('enterprise');
/** How many signals are followed at most. No slate has as many at the same time. */
const SIGNALS_MAX = 100_000;

interface Held {
  readonly eventNumber: number;
  signal: RecordedSignal;
}

interface PlayedSlate {
  readonly reader: SlateReader;
  readonly windows: FreshnessWindows;
  readonly clock: Clock;
  readonly fixtures: Applier['fixtures'];
}

export class PastSignals {
  /** One follower, or one for each bookmaker that is judged separately. */
  readonly #followers: readonly SignalFollower[];
  readonly #recorders: readonly SignalRecorder[];
  readonly #keysAreIds: boolean;
  readonly #beforeKickoffMs: number;
  readonly #fixtures: PlayedSlate['fixtures'];
  /** The key is the index of the recorder and the signal's id. */
  readonly #open = new Map<string, Held>();
  readonly #signals: Held[] = [];

  constructor(settings: SignalSettings, { reader, windows, clock, fixtures }: PlayedSlate) {
    const { maxEdgePct } = settings;
    this.#keysAreIds = settings.keysAreIds === true;
    this.#beforeKickoffMs = settings.beforeKickoffMs ?? Number.NEGATIVE_INFINITY;
    this.#fixtures = fixtures;
    const scanHits = scannerOf(reader);
    const { slate, signals } = createPolledQueries({
      ...{ reader, windows, scorer: { scan: scanHits }, clock },
    });
    const limits = { maxEdge: maxEdgePct / 100, maxMargin: maxEdgePct / 100 };
    const live = new LiveSignals({ reader, slate, signals, scorer: { scanHits } }, limits, {
      signals: SIGNALS_MAX,
      watches: BOOKMAKER_KEYS.length,
    });
    this.#followers = followedWords(settings).map((words) => {
      const odds = oddsView({ slate, leagues: NO_LEAGUES }, words, { principal: OWNER, nowMs: 0 });
      const view = live.view(words, odds, OWNER);
      assert(view !== null, 'every follower of a past asks for signals');
      return live.follow(view, false);
    });
    this.#recorders = this.#followers.map((follower) => new SignalRecorder(slate, follower));
  }

  /** When time alone may next change a signal, Unix ms. */
  get nextExpiryMs(): number {
    return this.#followers.reduce(
      (first, { nextExpiryMs }) => Math.min(first, nextExpiryMs),
      Number.POSITIVE_INFINITY,
    );
  }

  /** Every signal in the order of its opening. */
  graded(ends: MatchEnds): GradedSignal[] {
    return this.#signals.map(({ signal, eventNumber }) => graded(signal, ends.of(eventNumber)));
  }

  /** Finds the signals that open and close at an instant. */
  async step(nowMs: number): Promise<void> {
    for (const [index, recorder] of this.#recorders.entries()) {
      for (const change of await recorder.step(nowMs)) {
        if (change.change === 'opened') this.#opened(index, change, nowMs);
        else {
          const held = this.#open.get(`${index} ${change.id}`);
          if (held === undefined) continue; // it opened too near to kickoff
          held.signal = { ...held.signal, closed_at: change.closedAt };
          this.#open.delete(`${index} ${change.id}`);
        }
      }
    }
  }

  #opened(
    index: number,
    { eventNumber, signal }: RecordChange & { readonly change: 'opened' },
    nowMs: number,
  ): void {
    const key = this.#fixtures.keyOf(eventNumber)!;
    const { scheduledAtMs } = this.#fixtures.get(key)!;
    if (scheduledAtMs - nowMs < this.#beforeKickoffMs) return;
    const event_id = this.#keysAreIds ? key : signal.event_id;
    const ofBookmaker = this.#recorders.length > 1 ? `:${signal.bookmaker}@` : '@';
    const id = signal.id.replace(signal.event_id, event_id).replace('@', ofBookmaker);
    const held: Held = { eventNumber, signal: { ...signal, event_id, id } };
    this.#open.set(`${index} ${signal.id}`, held);
    this.#signals.push(held);
  }
}

/**
 * What each follower follows: one for all bookmakers, or one for each of them. Without kinds there is no
 * follower, and only `onMoment` is called.
 */
function followedWords({ kinds, bookmakers, reference, minEdgePct, eachBookmaker }: SignalSettings) {
  if (kinds.length === 0) return [];
  const apart = eachBookmaker === true ? (bookmakers ?? BOOKMAKER_KEYS).map((key) => [key]) : [bookmakers];
  return apart.map((own) => ({
    signals: kinds,
    bookmakers: own,
    ...(kinds.includes('value') ? { min_edge_pct: minEdgePct, reference } : {}),
    ...(kinds.includes('arbitrage') ? { min_margin_pct: minEdgePct } : {}),
  }));
}
