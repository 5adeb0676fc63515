// The reading side of a shared slate: a serving node takes the snapshot, goes on from the entry that it stands at, and
// publishes each entry in its own store. What goes wrong ends in one of two places: read on, or take the snapshot again.

import type { Clock } from '../clock.ts';
import type { ReplicationState } from '../domain/replication-state.ts';
import type { Log } from '../log.ts';
import { pause } from '../pause.ts';
import { RedisAway, type RedisLink } from '../redis.ts';
import { PastError, type ReplicaWriter } from '../store/replica-writer.ts';
import type { DepartureChange } from '../store/slate-change.ts';
import { AstrayError } from '../store/told-page.ts';
import type { NodeNumbers } from '../telemetry/metrics-memory.ts';
import { RESYNC_REASONS, type ResyncReason } from '../telemetry/node-metrics.ts';
import {
  decodeEntry,
  decodeSnapshot,
  type Entry,
  ForeignSlateError,
  markOf,
  RAISE_FLOOR,
  SNAPSHOT_KEY,
  STATE_KEY,
  STREAM_KEY,
  type Told,
} from './redis-slate.ts';

/** A leader writes an entry twice a second at least: without one for this long there is no leader. */
const SILENT_MS = 1_200;
/** A read that waits may take that much longer than it asked for. */
const READ_SLACK_MS = 100;
const ENTRIES_PER_READ = 256;
/** A whole slate is megabytes. */
const SNAPSHOT_DEADLINE_MS = 5_000;
/** After a failure, and between two looks for a leader. */
const RETRY_AFTER_MS = 150;

/** What a follower fills. */
export type FollowerTarget = Pick<ReplicaWriter, 'replace' | 'apply' | 'setReplication'>;

export interface SlateFollowerOptions {
  /** For reads that wait at the server: a connection of their own. */
  readonly reads: RedisLink;
  readonly calls: RedisLink;
  readonly writer: FollowerTarget;
  readonly clock: Clock;
  readonly log: Log;
  /** Where a serving node tells its metrics; null for who follows beside a leader. */
  readonly numbers: NodeNumbers | null;
  /** Called with an error that is none of the expected ones; it ends the thread. */
  readonly onError: (error: unknown) => void;
}

export class SlateFollower {
  readonly #options: SlateFollowerOptions;
  /** The last entry that is in the store, null before a snapshot. */
  #place: { readonly id: string; readonly epochMs: number; readonly seq: number } | null = null;
  /** Whether the connection broke since: the stream may be another one. */
  #isInDoubt = false;
  #state: ReplicationState | null = null;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** Called when `#place` has moved. */
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

  /** Resolves when everything is read that is in the stream now. @throws RedisAway when that takes longer */
  async readToEnd(withinMs: number): Promise<void> {
    const newest = await this.#options.calls.call('XREVRANGE', [STREAM_KEY, '+', '-', 'COUNT', '1']);
    const [id] = (newest as (readonly [string, unknown])[])[0] ?? [];
    if (id === undefined) return;
    const read = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      read.reject(new RedisAway(`The end of the stream was not read within ${withinMs} ms`));
    }, withinMs);
    this.#onMove = () => {
      if (this.#place !== null && !isBefore(this.#place.id, id)) read.resolve();
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
    if (this.#place === null) await this.#takeSnapshot();
    else await this.#read(this.#place.id);
  }

  async #recover(error: unknown): Promise<void> {
    const { log } = this.#options;
    if (error instanceof RedisAway) {
      this.#isInDoubt = true;
      this.#setState('cut_off');
    } else if (error instanceof PastError) {
      this.#giveUp('past');
      if (error.version !== null) {
        // The leader does not know that this node has a higher version. Told so, it begins an epoch above it.
        log.warn('slate_is_past', { version: error.version });
        await this.#raiseFloor(error.version);
      }
    } else if (error instanceof AstrayError) {
      log.error('slate_astray', { because: error.message, remedy: 'the snapshot is taken again' });
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
    const { head, id, fixtures, departures } = snapshot;
    const refused = writer.replace(
      { ...head, fixtures: [], removed: [], departures: toldFrom(head, departures) },
      fixtures.map(([version, atMs, fixture]) => ({ fixture, base: { version, atMs } })),
    );
    this.#noteRefused(refused);
    this.#place = { id, epochMs: head.epochMs, seq: head.seq };
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

  /** @returns false when the snapshot must be taken first */
  #apply(id: string, { epochMs, seq, change }: Entry): boolean {
    const { writer, log, numbers } = this.#options;
    const place = this.#place;
    if (place === null) return false;
    if (epochMs < place.epochMs) {
      this.#place = { ...place, id }; // of a leader that is gone
      return true;
    }
    if (epochMs !== place.epochMs || seq !== place.seq + 1) {
      log.info('slate_entries_missed', { epoch: epochMs.toString(36), from: place.seq, to: seq });
      this.#giveUp(epochMs === place.epochMs ? 'missed' : 'epoch');
      return false;
    }
    if (change !== null) this.#noteRefused(writer.apply(change));
    this.#place = { id, epochMs, seq };
    numbers?.add('slate_entries_applied', 1);
    numbers?.set('slate_applied_ms', writtenAtMs(id));
    return true;
  }

  /** Whether the stream is still the one that was read: of another epoch, the snapshot comes first. */
  async #check(): Promise<void> {
    const mark = await this.#options.calls.call('HGET', [SNAPSHOT_KEY, 'mark']);
    this.#isInDoubt = false;
    const place = this.#place;
    if (place === null || typeof mark !== 'string') return;
    const [epochMs = 0, seq = 0] = mark.split(':').map(Number);
    if (epochMs !== place.epochMs || seq > place.seq) {
      if (markOf(place) !== mark) this.#giveUp(epochMs === place.epochMs ? 'missed' : 'epoch');
    }
  }

  /** The snapshot comes next. */
  #giveUp(reason: ResyncReason): void {
    this.#place = null;
    this.#options.numbers?.add(`slate_resync_${reason}`, 1);
  }

  async #raiseFloor(version: number): Promise<void> {
    const args = [RAISE_FLOOR, '1', STATE_KEY, String(version)];
    await this.#options.calls.call('EVAL', args).catch((error: unknown) => {
      if (!(error instanceof RedisAway)) throw error; // it is tried again with the next snapshot
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
    this.#options.writer.setReplication(state);
  }
}

/** Whether an id of a stream's entry, milliseconds and number, comes before another. */
function isBefore(id: string, other: string): boolean {
  const [ms = 0, number = 0] = id.split('-').map(Number);
  const [otherMs = 0, otherNumber = 0] = other.split('-').map(Number);
  return ms === otherMs ? number < otherNumber : ms < otherMs;
}

/** Departures of several changes, told from one version and time. */
function toldFrom(
  { version, atMs }: { readonly version: number; readonly atMs: number },
  departures: readonly Told<DepartureChange>[],
): DepartureChange[] {
  return departures.map(([toldVersion, toldAtMs, departure]): DepartureChange => {
    const [event, left, arrived, settled, sport, status, scheduledAtMs, league] = departure;
    const later = version - toldVersion;
    const scheduled = scheduledAtMs + toldAtMs - atMs;
    return [event, left + later, arrived + later, settled + later, sport, status, scheduled, league];
  });
}

/** Ids and texts of an answer of XREAD, oldest first; none when it waited in vain. */
function entriesOf(answer: unknown): (readonly [id: string, text: string])[] {
  if (answer === null || answer === undefined) return [];
  const streams = answer as Record<string, readonly (readonly [string, readonly string[]])[]>;
  return (streams[STREAM_KEY] ?? []).map(([id, fields]) => [id, fields[1]!] as const);
}

/** When an entry was written, by the clock of Redis: its id begins with that, in Unix ms. */
function writtenAtMs(id: string): number {
  return Number(id.slice(0, id.indexOf('-')));
}
