// The writing side of a shared slate. An ingest node waits for the lease. While it holds the lease, it
// appends what its store publishes to the stream and keeps the snapshot up to date (slate-appends.ts makes
// both). Nothing waits for Redis: the store is still written while Redis is slow or unreachable.

import type { Clock } from '../clock.ts';
import type { ReplicationState } from '../domain/replication-state.ts';
import { assert } from '../errors.ts';
import { FEED_LIVE_MS } from '../limits.ts';
import type { Log } from '../log.ts';
import { REDIS_CALL_MS, RedisAway, type RedisLink } from '../storage/redis.ts';
import { SlateReader } from '../store/reader.ts';
import type { SlateWriter } from '../store/writer/writer.ts';
import type { NodeNumbers } from '../telemetry/node-numbers.ts';
import type { Standby } from './leader-fixtures.ts';
import {
  ACQUIRE,
  APPEND,
  FIRST_LEASE_MS,
  HAND_OVER,
  LEASE_KEY,
  LEASE_MS,
  RELEASE,
  RENEW,
  SNAPSHOT_KEY,
  STANDBY_KEY,
  STATE_KEY,
  STREAM_KEY,
} from './redis-slate.ts';
import { type Append, SlateAppends, type Term } from './slate-appends.ts';

/**
 * How often the lease is requested or renewed. Each time, an entry is written unless the last one is recent.
 */
const RENEW_EVERY_MS = 500;
/** Shortest time between two entries; all changes in between go into one entry. */
const APPEND_EVERY_MS = 2;
/** How soon after a failed call the lease is checked again. */
const RETRY_AFTER_MS = 150;
/** A leader whose feed is lost for this long hands the lease over. */
const FEED_LOST_MS = 3_000;
/** The deadline of a large call grows by one millisecond for each this many characters. */
const CHARS_PER_DEADLINE_MS = 10_000;

export interface SlateLeaderOptions {
  readonly link: RedisLink;
  readonly storeBuffer: SharedArrayBuffer;
  readonly writer: SlateWriter;
  readonly clock: Clock;
  readonly log: Log;
  /** A name that no other node uses. */
  readonly holder: string;
  /**
   * Null where public ids follow from the feed's keys alone; otherwise follows the leader, so that ids stay
   * the same after a takeover.
   */
  readonly standby: Standby | null;
  readonly numbers: NodeNumbers;
}

export class SlateLeader {
  readonly #options: SlateLeaderOptions;
  readonly #reader: SlateReader;
  readonly #appends: SlateAppends;
  /** Null while another node leads. */
  #term: Term | null = null;
  /** When the feed was last seen live, while this node leads. */
  #feedLiveAtMs = 0;
  /** Whether the first snapshot of this term is written. */
  #isEstablished = false;
  #script = '';
  #pending: Append | null = null;
  #timer: Timer | null = null;
  #renewTimer: Timer | null = null;
  /** The request or renewal that is running. */
  #renewing: Promise<void> | null = null;
  #isAppending = false;
  /**
   * Whether a call has failed since the last answered renewal. Until the next one is answered nothing is
   * appended.
   */
  #isInDoubt = false;
  /** Whether the store has published since the last append. */
  #isDue = false;
  #isClosed = false;
  #nextAppendAtMs = Number.NEGATIVE_INFINITY;
  #state: ReplicationState | null = null;

  constructor(options: SlateLeaderOptions) {
    this.#options = options;
    this.#reader = new SlateReader(options.storeBuffer);
    this.#appends = new SlateAppends({ ...options, silentMs: RENEW_EVERY_MS / 2 });
  }

  /** Starts requesting the lease, and continues until `close`. */
  start(): void {
    const { numbers } = this.#options;
    numbers.set('role_ingest', 1);
    numbers.begin('slate_term', 'slate_entries_written', 'slate_snapshots_written');
    this.#options.writer.onPublish = () => this.#wake();
    this.#setState('waiting');
    this.#renewTimer = setInterval(() => void this.#tick(), RENEW_EVERY_MS);
    void this.#tick();
  }

  get isLeading(): boolean {
    return this.#term !== null;
  }

  /** Releases the lease, so that another node takes over at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#options.writer.onPublish = null;
    if (this.#renewTimer !== null) clearInterval(this.#renewTimer);
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#renewing; // Redis may be granting a lease
    const term = this.#term;
    this.#term = null;
    if (term !== null) await this.#eval(RELEASE, [LEASE_KEY], [term.lease]).catch(ignoreRedisAway);
    this.#options.link.close();
    await this.#options.standby?.close();
  }

  #tick(): Promise<void> {
    // While an append is in progress, do not renew the lease here: the append renews it, and a whole snapshot
    // keeps the connection busy for a while.
    if (this.#renewing !== null || this.#isClosed || this.#isAppending) return Promise.resolve();
    this.#renewing = this.#acquireOrRenew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #acquireOrRenew(): Promise<void> {
    try {
      if (this.#term === null) await this.#acquire();
      else await this.#renew(this.#term);
      this.#isInDoubt = false;
      this.#wake();
    } catch (error) {
      ignoreRedisAway(error);
      this.#setState('cut_off');
    }
  }

  /**
   * Requests the lease, but only when this node's own slate is complete; otherwise there is nothing to
   * publish.
   */
  async #acquire(): Promise<void> {
    if (!this.#reader.feed().snapshotComplete) {
      this.#setState('waiting');
      return;
    }
    const { holder, clock, log, numbers, standby } = this.#options;
    standby?.watch();
    const args = [holder, String(FIRST_LEASE_MS), String(clock.wallMs()), this.#isFeedLive() ? '1' : '0'];
    const [isMine, term, epochMs, above] = (await this.#options.link.scriptInTime(
      ACQUIRE,
      [LEASE_KEY, STATE_KEY, STANDBY_KEY],
      args,
    )) as [number, number, string, string];
    if (isMine === 0) {
      this.#setState('waiting');
      return;
    }
    await standby?.takeOver();
    await this.#loadScript();
    this.#term = { lease: `${holder}:${term}`, epochMs: Number(epochMs), above: Number(above) };
    this.#appends.restart();
    this.#isEstablished = false;
    this.#feedLiveAtMs = clock.monotonicMs();
    numbers.set('slate_term', term);
    numbers.set('slate_epoch_ms', this.#term.epochMs);
    log.info('slate_leading', { term, epoch: this.#term.epochMs.toString(36) });
    this.#setState('leading');
  }

  async #renew(term: Term): Promise<void> {
    const forMs = this.#isEstablished ? LEASE_MS : FIRST_LEASE_MS;
    const answer = (await this.#eval(RENEW, [LEASE_KEY, STATE_KEY], [term.lease, String(forMs)])) as string;
    const floor = Number(answer);
    const { version } = this.#appends;
    if (floor < 0) this.#lose(term, 'the lease is gone');
    else if (version !== null && floor >= version) {
      // A follower has seen versions that this Redis never had, for example because Redis lost its data. This
      // term ends, and the next one starts an epoch above those versions.
      this.#lose(term, 'a follower is ahead');
      await this.#eval(RELEASE, [LEASE_KEY], [term.lease]);
    } else {
      if (this.#isInDoubt) await this.#loadScript(); // Redis may have dropped the script
      this.#setState('leading');
      await this.#handOverWithoutFeed(term);
    }
  }

  /** Hands the lease over if this node's feed has been lost for a while and a standby has a live one. */
  async #handOverWithoutFeed(term: Term): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    if (this.#isFeedLive()) this.#feedLiveAtMs = nowMs;
    if (nowMs - this.#feedLiveAtMs < FEED_LOST_MS) return;
    const hasGiven = await this.#eval(HAND_OVER, [LEASE_KEY, STANDBY_KEY], [term.lease]);
    if (hasGiven === 1) this.#lose(term, 'the feed is lost and the feed of another node is live');
  }

  /**
   * Whether the feed is live, by the same condition as `feed_live` of /health: connected, recently heard, and
   * no source lost.
   */
  #isFeedLive(): boolean {
    const { connected, appliedAtMs } = this.#reader.feed();
    if (!connected || this.#options.clock.wallMs() - appliedAtMs > FEED_LIVE_MS) return false;
    return this.#reader.sourceReports().every(({ lostSinceMs }) => lostSinceMs === null);
  }

  async #loadScript(): Promise<void> {
    this.#script = (await this.#options.link.call('SCRIPT', ['LOAD', APPEND])) as string;
  }

  #lose(term: Term, because: string): void {
    if (this.#term !== term) return;
    this.#term = null;
    this.#pending = null;
    this.#options.log.warn('slate_leading_ended', { because, epoch: term.epochMs.toString(36) });
    this.#setState('waiting');
  }

  /** Schedules an append, because something may have changed. */
  #wake(): void {
    this.#isDue = true;
    if (this.#term === null || this.#timer !== null || this.#isAppending || this.#isClosed) return;
    if (this.#isInDoubt) return;
    const inMs = Math.max(0, this.#nextAppendAtMs - this.#options.clock.monotonicMs());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#append();
    }, Math.ceil(inMs));
  }

  async #append(): Promise<void> {
    const { clock, numbers } = this.#options;
    const term = this.#term;
    if (term === null) return;
    this.#isDue = false;
    this.#isAppending = true; // beginning an epoch publishes, which would schedule an append
    try {
      this.#pending ??= this.#appends.next(term);
      if (this.#pending === null) return;
      const answer = await this.#send(this.#pending);
      if (this.#term !== term) return;
      if (answer !== 'ok') {
        this.#lose(term, answer === 'fenced' ? 'another leads' : 'Redis lost a part of the slate');
        await this.#eval(RELEASE, [LEASE_KEY], [term.lease]);
        return;
      }
      const nowMs = clock.monotonicMs();
      this.#isEstablished = true;
      numbers.add('slate_entries_written', 1);
      if (this.#pending.hasSnapshot) numbers.add('slate_snapshots_written', 1);
      this.#appends.answered(this.#pending, nowMs);
      this.#pending = null;
      this.#nextAppendAtMs = nowMs + APPEND_EVERY_MS;
    } catch (error) {
      ignoreRedisAway(error);
      this.#isInDoubt = true;
      setTimeout(() => void this.#tick(), RETRY_AFTER_MS);
    } finally {
      this.#isAppending = false;
      if (this.#pending !== null || this.#isDue) this.#wake();
    }
  }

  #send({ args, charCount }: Append): Promise<unknown> {
    const keys = [LEASE_KEY, STATE_KEY, STREAM_KEY, SNAPSHOT_KEY];
    const deadlineMs = REDIS_CALL_MS + charCount / CHARS_PER_DEADLINE_MS;
    return this.#options.link.call(
      'EVALSHA',
      [this.#script, String(keys.length), ...keys, ...args],
      deadlineMs,
    );
  }

  #setState(state: ReplicationState): void {
    if (state === this.#state) return;
    this.#options.log.info('slate_replication', { state });
    this.#state = state;
    this.#options.writer.facts.setReplication(state);
  }

  #eval(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return this.#options.link.call('EVAL', [script, String(keys.length), ...keys, ...args]);
  }
}

/** Ignores an unreachable Redis, which the leader is built for. Any other error is our own bug. */
function ignoreRedisAway(error: unknown): void {
  assert(error instanceof RedisAway, `only Redis fails here, and not: ${String(error)}`);
}
