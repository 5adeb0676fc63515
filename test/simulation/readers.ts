// Clients in two threads, each with its own readers: polls that keep mirrors, streams, and reads of single
// fixtures. Everything that callers without the sharp bookmaker receive is kept, and compared with what they
// receive in a twin run with other sharp prices.

import { encodeId } from '../../src/domain/ids.ts';
import type { Principal } from '../../src/domain/tiers.ts';
import { ServiceError } from '../../src/errors.ts';
import { LeagueFilter } from '../../src/query/lookup/league-filter.ts';
import { NameDirectory } from '../../src/query/lookup/name-directory.ts';
import { OddsQueries } from '../../src/query/odds/odds.ts';
import { OddsChangeReader } from '../../src/query/odds/odds-changes.ts';
import { OddsEncoder } from '../../src/query/odds/odds-encoder.ts';
import { oddsFilter } from '../../src/query/odds/odds-filter.ts';
import { type OddsView, oddsView } from '../../src/query/odds/odds-view.ts';
import { OpeningQueries } from '../../src/query/odds/openings.ts';
import { WholeSlates } from '../../src/query/odds/whole-slates.ts';
import { Slate } from '../../src/query/slate/slate.ts';
import { SlateCopier } from '../../src/query/slate/slate-copy.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { HEARTBEAT_MS } from '../../src/stream/limits.ts';
import { StreamHub } from '../../src/stream/stream-hub.ts';
import { wireTime } from '../feed/wire.ts';
import { type Answer, deltaSince, Mirror, VIEWS } from '../query/changes-scene.ts';
import { Client, Timers } from '../stream/hub-clients.ts';
import { holds, same } from './check.ts';
import { type FeedSide, numberOf, type Shown, seenText } from './feed-side.ts';
import { type Act, EVENTS, STREAMS } from './script.ts';

const WINDOWS = { liveMs: 1e12, prematchMs: 1e12 };
const FREE: Principal = { tier: 'free', seesSharp: false, keyId: null };
const STANDARD: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_1' };
const TICK_MS = 100;

/** Resolves at once. Nothing else runs while a reader waits, so a real wait would never end. */
const noWait = (): Promise<void> => Promise.resolve();

/** The state of one answering thread. */
class AnswerThread {
  readonly reader: SlateReader;
  readonly slate: Slate;
  readonly changes: OddsChangeReader;
  readonly odds: OddsQueries;
  readonly openings: OpeningQueries;
  readonly views: readonly OddsView[];
  #slateVersion = 0;
  readonly #versions = new Map<string, number>();

  constructor(buffer: SharedArrayBuffer, nowMs: number) {
    const reader = new SlateReader(buffer);
    const slate = new Slate(reader, WINDOWS);
    const leagues = new LeagueFilter(new NameDirectory(slate));
    const [copier, encoder] = [new SlateCopier(reader, noWait), new OddsEncoder(reader)];
    this.reader = reader;
    this.slate = slate;
    this.changes = new OddsChangeReader({ reader, slate, copier, encoder, windows: WINDOWS });
    this.odds = new OddsQueries(reader);
    this.openings = new OpeningQueries(reader);
    this.views = VIEWS.map(({ words, seesSharp }) =>
      oddsView({ slate, leagues }, words, { principal: seesSharp ? STANDARD : FREE, nowMs }),
    );
  }

  /** Expects that versions never decrease. */
  expectForward(event: string): void {
    const slateVersion = this.reader.slateVersion();
    holds(
      `The slate's version went back from ${this.#slateVersion} to ${slateVersion}`,
      slateVersion >= this.#slateVersion,
    );
    this.#slateVersion = slateVersion;
    const slot = this.reader.slotOf(numberOf(event));
    const version = slot < 0 ? -1 : this.reader.versionOf(slot);
    const former = this.#versions.get(event) ?? -1;
    if (version < 0) return;
    holds(`The version of ${event} went back from ${former} to ${version}`, version >= former);
    this.#versions.set(event, version);
  }

  async answer(view: OddsView, cursor: string | null, nowMs: number): Promise<string> {
    const delta = await deltaSince(this.changes, { view, since: this.changes.sinceOf(view, cursor), nowMs });
    return Buffer.concat([...delta.body()]).toString();
  }
}

export class Readers {
  /** Everything that callers without the sharp bookmaker received, in order. */
  readonly saidToFree: string[] = [];
  readonly #feed: FeedSide;
  #threads!: readonly [AnswerThread, AnswerThread];
  #hub!: StreamHub;
  #timers!: Timers;
  readonly #mirrors = VIEWS.map(() => new Mirror());
  readonly #clients: Client[] = [];
  /** The first price that a reader saw, by fixture and line. */
  readonly #openings = new Map<string, string>();

  constructor(feed: FeedSide) {
    this.#feed = feed;
    this.startProcess();
    for (const view of STREAMS) this.#clients.push(this.#open(view, null));
  }

  startProcess(): void {
    const { buffer, nowMs } = this.#feed;
    this.#threads = [new AnswerThread(buffer, nowMs), new AnswerThread(buffer, nowMs)];
    this.#timers = new Timers();
    this.#hub = new StreamHub({
      changes: this.#threads[0].changes,
      slates: new WholeSlates({
        changes: this.#threads[0].changes,
        clock: { monotonicMs: () => this.#feed.nowMs },
      }),
      clock: { wallMs: () => this.#feed.nowMs, monotonicMs: () => this.#feed.nowMs },
      every: this.#timers.every,
      onError: (error) => {
        throw error;
      },
    });
  }

  /** Called when the process has ended: every connected client reconnects with the state that it has. */
  reconnectAll(): void {
    for (const index of STREAMS.keys()) this.stream({ do: 'reconnect', stream: index });
  }

  /** Reads one fixture through the second thread. */
  look(event: string): void {
    const thread = this.#threads[1];
    this.#feed.expectCandidate(event, seenText(thread.reader, event));
    thread.expectForward(event);
    this.#expectOpenings(thread, event);
  }

  /** Reads a fixture through the second thread; `interrupt` is called once in the middle of the read. */
  read(event: string, interrupt: () => void): void {
    let isDue = true;
    const seen = seenText(this.#threads[1].reader, event, () => {
      if (isDue) interrupt();
      isDue = false;
    });
    this.#feed.expectCandidate(event, seen);
    this.#threads[1].expectForward(event);
  }

  /**
   * Polls one of the views. Checks that its mirror then equals the view, and that the view is a slate that
   * the feed had.
   */
  async poll(index: number): Promise<void> {
    const thread = this.#threads[index % 2]!;
    const mirror = this.#mirrors[index]!;
    const view = thread.views[index]!;
    const answer = await this.#answerOrNone(thread, view, mirror.cursor);
    if (answer === null) return;
    const { seesSharp } = VIEWS[index]!;
    if (!seesSharp) this.saidToFree.push(answer);
    const parsed = JSON.parse(answer) as Answer;
    mirror.take(parsed);
    const full = await thread.answer(view, null, this.#feed.nowMs);
    const fresh = new Mirror();
    fresh.take(JSON.parse(full) as Answer);
    same(`What a poll of view ${index} adds up to`, mirror.content(), fresh.content());
    if (index < 2 && !this.#feed.isDead)
      same(`View ${index}`, contentOf(fresh), expectedOf(this.#feed.shown, seesSharp));
    for (const event of EVENTS) {
      thread.expectForward(event);
      if (!this.#feed.isDead) this.#expectOpenings(thread, event);
    }
    if (!seesSharp) this.saidToFree.push(JSON.stringify(thread.slate.health(this.#feed.nowMs)));
    this.#expectSourceSaid(thread);
  }

  async beat(): Promise<void> {
    for (let fired = 0; fired < 3; fired++) await this.#timers.fire(TICK_MS);
    if (this.#feed.isDead || !this.#feed.isServing) return;
    for (const [index, client] of this.#clients.entries()) {
      if (client.isStalled) continue;
      const fresh = new Mirror();
      const thread = this.#threads[0];
      fresh.take(
        JSON.parse(await thread.answer(thread.views[STREAMS[index]!]!, null, this.#feed.nowMs)) as Answer,
      );
      same(`What stream ${index} adds up to`, client.mirror.content(), fresh.content());
      if (!VIEWS[STREAMS[index]!]!.seesSharp) this.saidToFree.push(JSON.stringify(client.events));
    }
  }

  async heartbeat(): Promise<void> {
    await this.#timers.fire(HEARTBEAT_MS);
  }

  stream(act: Extract<Act, { stream: number }>): void {
    const client = this.#clients[act.stream]!;
    if (act.do === 'stall') client.isStalled = true;
    else if (act.do === 'resume') client.resume();
    else {
      client.leave();
      const next = this.#open(STREAMS[act.stream]!, act.do === 'reconnect' ? client.mirror.cursor : null);
      if (act.do === 'reconnect')
        for (const [id, fixture] of client.mirror.fixtures) next.mirror.fixtures.set(id, fixture);
      this.#clients[act.stream] = next;
    }
  }

  /**
   * Forgets first prices that were not on the disk when the process or its ingest thread died. After that, a
   * later price may count as the first one.
   */
  forgetOpenings(isKept: (opening: string) => boolean): void {
    for (const name of this.#openings.keys()) if (!isKept(name)) this.#openings.delete(name);
  }

  #open(view: number, since: string | null): Client {
    const client = new Client();
    client.mirror.cursor = since;
    const sink = client;
    const thread = this.#threads[0];
    client.connect(
      this.#hub.open({ view: thread.views[view]!, since, tickMs: TICK_MS, sink, isAllowed: () => true }),
    );
    return client;
  }

  /**
   * The answer, or null if the request was refused. Checks that it is refused only before the first snapshot,
   * or while a publish is interrupted because its thread died.
   */
  async #answerOrNone(thread: AnswerThread, view: OddsView, cursor: string | null): Promise<string | null> {
    const mayBeRefused = this.#feed.isDead || !this.#feed.isServing;
    try {
      return await thread.answer(view, cursor, this.#feed.nowMs);
    } catch (error) {
      if (mayBeRefused && error instanceof ServiceError && error.code === 'upstream_unavailable') return null;
      throw error;
    }
  }

  /** Checks that the first price of a line never changes. */
  #expectOpenings(thread: AnswerThread, event: string): void {
    const fixture = thread.slate.fixture(numberOf(event), this.#feed.nowMs);
    if (fixture === null) return;
    const { opening } = thread.openings.ofQuotes(fixture, oddsFilter({}, STANDARD));
    for (const { bookmaker, market_type, line, prices, opened_at } of opening) {
      const name = `${event} ${bookmaker} ${market_type} ${line}`;
      const text = JSON.stringify([prices, opened_at]);
      const first = this.#openings.get(name);
      if (first === undefined) this.#openings.set(name, text);
      else same(`The opening of ${name}`, text, first);
    }
  }

  /** Checks that the source reports a loss exactly when messages were lost. */
  #expectSourceSaid(thread: AnswerThread): void {
    const { isLost, isInSnapshot, isComplete } = this.#feed.model;
    if (this.#feed.isDead || !isComplete) return; // a new thread reports them within a second
    const isWhole = thread.reader.sourceReports().every(({ lostSinceMs }) => lostSinceMs === null);
    if (isLost) holds('Messages were lost, but the source reports no loss', !isWhole);
    else if (!isInSnapshot) holds('No message was lost, but the source reports a loss', isWhole);
  }
}

/** Quotes and scores by fixture, from a mirror of the whole slate. */
function contentOf(mirror: Mirror): unknown {
  const fixtures = [...mirror.fixtures].map(([id, { event, state, odds }]) => {
    const lines = [...odds.values()].map(({ bookmaker, market_type, line, prices, status, as_of }) =>
      [bookmaker, market_type, line, Object.values(prices), status, as_of].join(' '),
    );
    const { score, cards, clock } = state;
    return [
      id,
      event.home_team.name,
      event.scheduled_at,
      [pairOf(score), pairOf(cards), clock],
      lines.sort(),
    ];
  });
  return fixtures.sort(byId);
}

/** The expected content of an answer, from the feed's messages. */
function expectedOf(shown: Shown, seesSharp: boolean): unknown {
  const fixtures = [...shown].map(([event, { home, scheduledAtMs, score, cards, clock, quotes }]) => {
    const seen = [...quotes].filter(([line]) => seesSharp || !line.startsWith('pinnacle'));
    const lines = seen.map(([name, { pricesE4, status, atMs }]) => {
      const [bookmaker, market, , line] = name.split('|');
      const prices = pricesE4.slice(0, 2).map((priceE4) => priceE4 / 10_000);
      return [bookmaker, market, line, prices, status, wireTime(atMs)].join(' ');
    });
    const scheduled = Number.isNaN(scheduledAtMs) ? null : wireTime(scheduledAtMs);
    return [encodeId('event', numberOf(event)), home, scheduled, [score, cards, clock], lines.sort()];
  });
  return fixtures.sort(byId);
}

function pairOf(pair: { readonly home: number; readonly away: number } | null): readonly number[] | null {
  return pair === null ? null : [pair.home, pair.away];
}

function byId(left: readonly unknown[], right: readonly unknown[]): number {
  return String(left[0]) < String(right[0]) ? -1 : 1;
}
