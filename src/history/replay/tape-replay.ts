// The tape as messages of the feed protocol, instant by instant, so that a part of it can be played again.
// Source keys are not on the tape, so fixtures have their ids as keys.

import { toIsoText } from '../../clock.ts';
import { indexIn, SPORT_KEYS } from '../../domain/catalogue.ts';
import { isSeen, latestOf, type PastFixture, type Sight } from '../past/past-fixture.ts';
import { pricesInOrder } from '../past/past-page.ts';
import type { TapeReader } from '../past/tape-reader.ts';
import { type PastResult, rowKeyOf, type TapeRange, type Tick } from '../tick.ts';

type Message = Readonly<Record<string, unknown>>;

/**
 * Messages in a batch. A bound keeps an instant with very many messages from taking much memory. A batch may
 * be larger, because the lines that a fixture had when the range began stay together.
 */
const BATCH_MESSAGES_MAX = 1_024;

/** Messages with the same time. A hello comes in a batch of its own. */
export interface TapeBatch<Sent = Message> {
  readonly atMs: number;
  readonly messages: readonly Sent[];
  /** Set if the next batch has further messages of this instant. */
  readonly continues?: true;
}

export interface TapeReplayOptions {
  readonly tape: TapeReader;
  readonly range: TapeRange;
  /**
   * Which time quotes have as their `at`. `published`: the time at which the slate showed them. A replay
   * needs it, because its clock follows these times. `source`: their source time.
   */
  readonly stamps: 'published' | 'source';
  /** How matches ended, by event id. Each result is sent at the instant at which its match was over. */
  readonly results: ReadonlyMap<string, PastResult>;
  /**
   * Which ticks the caller may see; all by default. A tick that the caller may not see also changes nothing
   * else in the replay, such as the score.
   */
  readonly sight?: Sight;
  /** Called after each read of a row group. If it returns true, the replay ends there. */
  readonly isOver?: () => boolean;
}

/**
 * Yields the hello, what was on the slate when the range began, then every change and result in the order of
 * publishing. Messages are numbered. While the tape itself knows what was published, ticks of imports are
 * left out, also withdrawals. So where it begins or ceases to know, as at the ends of a gap, the slate of
 * that instant is sent, as far as it differs.
 */
export async function* tapeBatches(options: TapeReplayOptions): AsyncGenerator<TapeBatch> {
  const { tape, range, sight = 'all', isOver = () => false } = options;
  const fromMs = Number.isFinite(range.fromMs) ? range.fromMs : ((await tape.range(sight))?.fromMs ?? 1) - 1;
  const later = { fromMs: fromMs + 1, toMs: range.toMs };
  const bounds = await tape.time.ownBounds(later, await tape.time.own(sight));
  const writer = new BatchWriter(options, bounds.length > 0);
  yield { atMs: fromMs, messages: [helloOf(fromMs)] };
  const slatesMs = [fromMs, ...bounds.map(({ atMs }) => atMs)];
  for (const [index, slateMs] of slatesMs.entries()) {
    yield* writer.slate((await tape.slateAt(slateMs, sight)).fixtures(), slateMs);
    const span = { fromMs: slateMs + 1, toMs: slatesMs[index + 1] ?? range.toMs };
    for await (const ticks of tape.ticksInOrder(span, sight, isOver)) {
      yield* writer.ticks(sight === 'all' ? ticks : seenIn(ticks, sight));
    }
    if (isOver()) return;
  }
  yield* writer.resultsBefore(range.toMs);
}

function* seenIn(ticks: Iterable<Tick>, sight: Sight): Generator<Tick> {
  for (const tick of ticks) if (isSeen(tick, sight)) yield tick;
}

function helloOf(atMs: number): Message {
  return { type: 'hello', protocol: 1, source: 'history', at: toIsoText(atMs) };
}

class BatchWriter {
  readonly #stamps: TapeReplayOptions['stamps'];
  readonly #results: TapeReplayOptions['results'];
  #seq = 0;
  /** For each fixture, the tick that described it last, and the state that was sent last. */
  readonly #described = new Map<string, Tick>();
  readonly #states = new Map<string, string>();
  /**
   * Results that are not sent yet, of fixtures that were already described. The next one to send is at the
   * end of the list.
   */
  readonly #due: { readonly eventId: string; readonly result: PastResult }[] = [];
  /** The lines on the slate, by fixture and line; null if they are not needed. */
  readonly #open: Map<string, Tick> | null;
  #lastMs = Number.NEGATIVE_INFINITY;
  #text = { atMs: Number.NaN, text: '' };

  /** @param hasSlates whether a slate is sent again later */
  constructor({ stamps, results }: Pick<TapeReplayOptions, 'stamps' | 'results'>, hasSlates: boolean) {
    this.#stamps = stamps;
    this.#results = results;
    this.#open = hasSlates ? new Map() : null;
  }

  /** Sends the lines of a slate that differ from those sent before, and closes those that it lacks. */
  *slate(fixtures: Iterable<PastFixture>, atMs: number): Generator<TapeBatch> {
    yield* this.resultsBefore(atMs);
    const former = new Map(this.#open ?? []);
    let messages: Message[] = [];
    let isCut = false;
    for (const { standing: lines, score } of fixtures) {
      const last = latestOf(lines);
      if (last === null) continue;
      if (messages.length >= BATCH_MESSAGES_MAX) {
        yield { atMs, messages, continues: true };
        messages = [];
        isCut = true;
      }
      // A line that is no longer on the slate may have changed last, so its ticks may have had a later score.
      const [scoreHome, scoreAway] = score ?? [last.scoreHome, last.scoreAway];
      this.#fixture({ ...last, scoreHome, scoreAway }, atMs, messages);
      for (const tick of lines) {
        const key = rowKeyOf(tick);
        const held = former.get(key);
        former.delete(key);
        if (held === undefined) this.#line(tick, atMs, messages);
        // Readers ignore a price whose source time is earlier than that of the price they have.
        else if (!isPricedAlike(held, tick)) {
          this.#line({ ...tick, atMs: Math.max(tick.atMs, held.atMs) }, atMs, messages);
        }
      }
    }
    for (const tick of former.values()) {
      if (messages.length >= BATCH_MESSAGES_MAX) {
        yield { atMs, messages, continues: true };
        messages = [];
        isCut = true;
      }
      this.#line({ ...tick, status: 'withdrawn' }, atMs, messages);
    }
    this.#lastMs = atMs;
    // After a cut, readers wait for a batch that ends the instant, also if it has no message.
    if (messages.length > 0 || isCut) yield { atMs, messages };
  }

  /** @param ticks in the order of publishing; ticks of one instant are never split between two calls */
  *ticks(ticks: Iterable<Tick>): Generator<TapeBatch> {
    let atMs = Number.NaN;
    let messages: Message[] = [];
    for (const tick of ticks) {
      if (tick.receivedAtMs !== atMs) {
        if (messages.length > 0) yield { atMs, messages };
        messages = [];
        atMs = tick.receivedAtMs;
        yield* this.resultsBefore(atMs);
        this.#lastMs = atMs;
      } else if (messages.length >= BATCH_MESSAGES_MAX) {
        yield { atMs, messages, continues: true };
        messages = [];
      }
      this.#fixture(tick, atMs, messages);
      this.#line(tick, atMs, messages);
    }
    if (messages.length > 0) yield { atMs, messages };
  }

  /** The results that are due before an instant. */
  *resultsBefore(untilMs: number): Generator<TapeBatch> {
    for (;;) {
      const next = this.#due.at(-1);
      if (next === undefined || next.result.finishedAtMs >= untilMs) return;
      this.#due.pop();
      const { score, cards, finishedAtMs } = next.result;
      const atMs = Math.max(finishedAtMs, this.#lastMs);
      const finished_at = toIsoText(finishedAtMs);
      const message = {
        type: 'result',
        event: next.eventId,
        score: [...score],
        red_cards: cards,
        finished_at,
      };
      const messages: Message[] = [];
      this.#add({ at: toIsoText(atMs), ...message }, messages);
      yield { atMs, messages };
    }
  }

  /** Adds the fixture of a tick if it is new or was described differently, and its state if that is new. */
  #fixture(tick: Tick, atMs: number, messages: Message[]): void {
    const { eventId, sport, league, home, away, kickoffMs, inPlay, scoreHome, scoreAway } = tick;
    const former = this.#described.get(eventId);
    if (former === undefined || !isDescribedAlike(former, tick)) {
      this.#described.set(eventId, tick);
      if (former === undefined) this.#expectResult(eventId);
      const names = { league: named(league), home: named(home), away: named(away) };
      const kickoff = kickoffMs === null ? {} : { scheduled_at: toIsoText(kickoffMs) };
      this.#add(
        { type: 'event', at: toIsoText(atMs), event: eventId, sport, ...names, ...kickoff },
        messages,
      );
    }
    if (!inPlay) return;
    const state = `${scoreHome} ${scoreAway}`;
    if (this.#states.get(eventId) === state) return;
    this.#states.set(eventId, state);
    const score = scoreHome === null || scoreAway === null ? null : [scoreHome, scoreAway];
    this.#add(
      { type: 'state', at: toIsoText(atMs), event: eventId, status: 'live', clock: null, score },
      messages,
    );
  }

  #line(tick: Tick, atMs: number, messages: Message[]): void {
    const { eventId: event, bookmaker, marketType: market_type, period, line, status } = tick;
    const stampMs = this.#stamps === 'published' || status === 'withdrawn' ? atMs : tick.atMs;
    const at = this.#textOf(stampMs);
    const seq = ++this.#seq;
    if (status === 'withdrawn') {
      this.#open?.delete(rowKeyOf(tick));
      messages.push({ type: 'close', at, event, bookmaker, market_type, period, line, seq });
      return;
    }
    // A slate never has bookmakers that have left the roster.
    if (isSeen(tick, 'all')) this.#open?.set(rowKeyOf(tick), tick);
    const prices = pricesInOrder(tick, indexIn(SPORT_KEYS, tick.sport)).map((priceE4) => priceE4 / 10_000);
    messages.push({ type: 'quote', at, event, bookmaker, market_type, period, line, prices, status, seq });
  }

  /** A time as text. The last text is kept, because neighbouring ticks mostly have the same time. */
  #textOf(atMs: number): string {
    if (this.#text.atMs !== atMs) this.#text = { atMs, text: toIsoText(atMs) };
    return this.#text.text;
  }

  #expectResult(eventId: string): void {
    const result = this.#results.get(eventId);
    if (result === undefined) return;
    const place = this.#due.findIndex(({ result: { finishedAtMs } }) => finishedAtMs < result.finishedAtMs);
    this.#due.splice(place < 0 ? this.#due.length : place, 0, { eventId, result });
  }

  #add(message: Message, messages: Message[]): void {
    messages.push({ ...message, seq: ++this.#seq });
  }
}

function isPricedAlike(one: Tick, other: Tick): boolean {
  return one.status === other.status && Bun.deepEquals(one.pricesE4, other.pricesE4);
}

function isDescribedAlike(one: Tick, other: Tick): boolean {
  return (
    one.kickoffMs === other.kickoffMs &&
    one.home === other.home &&
    one.away === other.away &&
    one.league === other.league
  );
}

function named(name: string): { readonly key: string; readonly name: string } {
  return { key: name, name };
}
