// The reading side of a shared slate. A serving node loads the snapshot, continues from the stream entry that
// the snapshot is at, and publishes each entry in its own store. After a fault it either reads on or loads
// the snapshot again.

import type { Clock } from '../clock.ts';
import type { ReplicationState } from '../domain/replication-state.ts';
import type { Log } from '../log.ts';
import { pause } from '../pause.ts';
import { RedisAway, type RedisLink } from '../storage/redis.ts';
import type { DepartureChange } from '../store/slate-change.ts';
import { DivergedError } from '../store/writer/follower-page.ts';
import { type ReplicaWriter, StaleLeaderError } from '../store/writer/replica-writer.ts';
import { RESYNC_REASONS, type ResyncReason } from '../telemetry/node-metrics.ts';
import type { NodeNumbers } from '../telemetry/node-numbers.ts';
import {
  decodeEntry,
  decodeSnapshot,
  ForeignSlateError,
  markOf,
  RAISE_FLOOR,
  type SlateEntry,
  SNAPSHOT_KEY,
  STATE_KEY,
  STREAM_KEY,
  type Versioned,
} from './redis-slate.ts';

/** A leader writes an entry at least every 750 ms. If none arrives for this long, there is no leader. */
const SILENT_MS = 1_200;
/** A blocking read may return this much later than requested. */
const READ_SLACK_MS = 100;
const ENTRIES_PER_READ = 256;
/** A whole slate is megabytes, so its deadline is longer than that of other calls. */
const SNAPSHOT_DEADLINE_MS = 5_000;
/** Pause after a failure, and between two checks for a leader. */
const RETRY_AFTER_MS = 150;

/** The writer of the store that a follower fills. */
export interface FollowerTarget extends Pick<ReplicaWriter, 'replace' | 'apply'> {
  readonly facts: Pick<ReplicaWriter['facts'], 'setReplication'>;
}

export interface SlateFollowerOptions {
  /** A connection for reads that block at the server, and for nothing else. */
  readonly reads: RedisLink;
  readonly calls: RedisLink;
  readonly writer: FollowerTarget;
  readonly clock: Clock;
  readonly log: Log;
  /** Where a serving node counts its metrics; null on a standby, which follows the leader without serving. */
  readonly numbers: NodeNumbers | null;
  /** Called with an unexpected error; it ends the thread. */
  readonly onError: (error: unknown) => void;
}

export class SlateFollower {
  readonly #options: SlateFollowerOptions;
  /**
   * The id of the latest entry read, with epoch and number of the latest one applied; null until a snapshot
   * is loaded.
   */
  #position: { readonly id: string; readonly epochMs: number; readonly seq: number } | null = null;
  /** Whether the connection broke since the last read, so the stream may belong to another epoch. */
  #isInDoubt = false;
  #state: ReplicationState | null = null;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** Called when `#position` has moved. */
  #onMove: () => void = () => {};

  constructor(options: SlateFollowerOptions) {
    this.#options = options;
  }

  start(): void {
    const { numbers } = this.#options;
    numbers?.set('role_serve', 1);
    numbers?.begin(
      'slate_entries_waiting',
      'slate_entries_applied',
      'slate_snapshots_taken',
      ...RESYNC_REASONS.map((reason) => `slate_resync_${reason}` as const),
    );
    this.#setState('leaderless');
    this.#running = this.#run().catch(this.#options.onError);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#options.reads.close();
    this.#options.calls.close();
    await this.#running;
  }

  /**
   * Resolves when all entries that are in the stream now have been read.
   * @throws RedisAway when that takes longer than `withinMs`
   */
  async readToEnd(withinMs: number): Promise<void> {
    const newest = await this.#options.calls.call('XREVRANGE', [STREAM_KEY, '+', '-', 'COUNT', '1']);
    const [id] = (newest as (readonly [string, unknown])[])[0] ?? [];
    if (id === undefined) return;
    const read = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      read.reject(new RedisAway(`The end of the stream was not read within ${withinMs} ms`));
    }, withinMs);
    this.#onMove = () => {
      if (this.#position !== null && !isBefore(this.#position.id, id)) read.resolve();
    };
    this.#onMove();
    try {
      await read.promise;
    } finally {
      clearTimeout(timer);
      this.#onMove = () => {};
    }
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#step();
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        await this.#recover(error);
      }
    }
  }

  async #step(): Promise<void> {
    if (this.#isInDoubt) await this.#check();
    if (this.#position === null) await this.#takeSnapshot();
    else await this.#read(this.#position.id);
  }

  async #recover(error: unknown): Promise<void> {
    const { log } = this.#options;
    if (error instanceof RedisAway) {
      this.#isInDoubt = true;
      this.#setState('cut_off');
    } else if (error instanceof StaleLeaderError) {
      this.#giveUp('past');
      if (error.version !== null) {
        // The leader does not know that this node has seen a higher version. Raising the floor makes the
        // leader start an epoch above it.
        log.warn('slate_is_past', { version: error.version });
        await this.#raiseFloor(error.version);
      }
    } else if (error instanceof DivergedError) {
      log.error('slate_astray', { because: error.message, remedy: 'the snapshot is loaded again' });
      this.#giveUp('astray');
    } else if (error instanceof ForeignSlateError) {
      log.error('slate_foreign', { because: error.message });
      this.#giveUp('foreign');
      this.#setState('leaderless');
      await pause(SILENT_MS, this.#closing.signal);
    } else throw error;
    await pause(RETRY_AFTER_MS, this.#closing.signal);
  }

  async #takeSnapshot(): Promise<void> {
    const { calls, writer, log, numbers } = this.#options;
    const hash = (await calls.call('HGETALL', [SNAPSHOT_KEY], SNAPSHOT_DEADLINE_MS)) as Record<
      string,
      string
    >;
    const snapshot = decodeSnapshot(hash ?? {});
    if (snapshot === null) {
      this.#setState('leaderless');
      await pause(RETRY_AFTER_MS, this.#closing.signal);
      return;
    }
    const { head, id, fixtures, departures, liquidity } = snapshot;
    const refused = writer.replace(
      { ...head, fixtures: [], removed: [], departures: rebased(head, departures), liquidity },
      fixtures.map(([version, atMs, fixture]) => ({ fixture, base: { version, atMs } })),
    );
    this.#noteRefused(refused);
    this.#position = { id, epochMs: head.epochMs, seq: head.seq };
    this.#onMove();
    numbers?.add('slate_snapshots_taken', 1);
    numbers?.set('slate_epoch_ms', head.epochMs);
    numbers?.set('slate_applied_ms', writtenAtMs(id));
    log.info('slate_taken', {
      epoch: head.epochMs.toString(36),
      version: head.version,
      fixtures: fixtures.length,
    });
  }

  async #read(id: string): Promise<void> {
    const args = ['COUNT', String(ENTRIES_PER_READ), 'BLOCK', String(SILENT_MS), 'STREAMS', STREAM_KEY, id];
    const answer = await this.#options.reads.call('XREAD', args, SILENT_MS + READ_SLACK_MS);
    const entries = entriesOf(answer);
    this.#options.numbers?.set('slate_entries_waiting', entries.length);
    if (entries.length === 0) {
      this.#setState('leaderless');
      this.#isInDoubt = true;
      return;
    }
    for (const [entryId, text] of entries) {
      if (!this.#apply(entryId, decodeEntry(text))) return;
    }
    this.#onMove();
    this.#setState('following');
  }

  /**
   * Applies an entry, or passes over it if it is from a former leader.
   * @returns false when the snapshot must be loaded first
   */
  #apply(id: string, { epochMs, seq, change }: SlateEntry): boolean {
    const { writer, log, numbers } = this.#options;
    const position = this.#position;
    if (position === null) return false;
    if (epochMs < position.epochMs) {
      this.#position = { ...position, id }; // from a former leader
      return true;
    }
    if (epochMs !== position.epochMs || seq !== position.seq + 1) {
      log.info('slate_entries_missed', { epoch: epochMs.toString(36), from: position.seq, to: seq });
      this.#giveUp(epochMs === position.epochMs ? 'missed' : 'epoch');
      return false;
    }
    if (change !== null) this.#noteRefused(writer.apply(change));
    this.#position = { id, epochMs, seq };
    numbers?.add('slate_entries_applied', 1);
    numbers?.set('slate_applied_ms', writtenAtMs(id));
    return true;
  }

  /**
   * Checks whether the stream still belongs to the epoch that was read. If not, the snapshot is loaded next.
   */
  async #check(): Promise<void> {
    const mark = await this.#options.calls.call('HGET', [SNAPSHOT_KEY, 'mark']);
    this.#isInDoubt = false;
    const position = this.#position;
    if (position === null || typeof mark !== 'string') return;
    const [epochMs = 0, seq = 0] = mark.split(':').map(Number);
    if (epochMs !== position.epochMs || seq > position.seq) {
      if (markOf(position) !== mark) this.#giveUp(epochMs === position.epochMs ? 'missed' : 'epoch');
    }
  }

  /** Gives up the position in the stream, so that the snapshot is loaded next. */
  #giveUp(reason: ResyncReason): void {
    this.#position = null;
    this.#options.numbers?.add(`slate_resync_${reason}`, 1);
  }

  async #raiseFloor(version: number): Promise<void> {
    const args = [RAISE_FLOOR, '1', STATE_KEY, String(version)];
    await this.#options.calls.call('EVAL', args).catch((error: unknown) => {
      if (!(error instanceof RedisAway)) throw error; // retried with the next snapshot
    });
  }

  #noteRefused(count: number): void {
    if (count > 0)
      this.#options.log.error('slate_fixtures_refused', { count, because: 'the name table is full' });
  }

  #setState(state: ReplicationState): void {
    if (state === this.#state) return;
    this.#options.log.info('slate_replication', { state });
    this.#state = state;
    this.#options.writer.facts.setReplication(state);
  }
}

/** Whether one stream entry id (milliseconds, then number) comes before another. */
function isBefore(id: string, other: string): boolean {
  const [ms = 0, number = 0] = id.split('-').map(Number);
  const [otherMs = 0, otherNumber = 0] = other.split('-').map(Number);
  return ms === otherMs ? number < otherNumber : ms < otherMs;
}

/**
 * Converts departures that are relative to different versions and times so that all are relative to the given
 * ones.
 */
function rebased(
  { version, atMs }: { readonly version: number; readonly atMs: number },
  departures: readonly Versioned<DepartureChange>[],
): DepartureChange[] {
  return departures.map(([baseVersion, baseAtMs, departure]): DepartureChange => {
    const [event, left, arrived, settled, sport, status, scheduledAtMs, league] = departure;
    const later = version - baseVersion;
    const scheduled = scheduledAtMs + baseAtMs - atMs;
    return [event, left + later, arrived + later, settled + later, sport, status, scheduled, league];
  });
}

/** Ids and texts in an answer of XREAD, oldest first; empty when the read timed out. */
function entriesOf(answer: unknown): (readonly [id: string, text: string])[] {
  if (answer === null || answer === undefined) return [];
  const streams = answer as Record<string, readonly (readonly [string, readonly string[]])[]>;
  return (streams[STREAM_KEY] ?? []).map(([id, fields]) => [id, fields[1]!] as const);
}

/** When an entry was written, by the clock of Redis: its id starts with Unix ms. */
function writtenAtMs(id: string): number {
  return Number(id.slice(0, id.indexOf('-')));
}
