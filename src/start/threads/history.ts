// The parts of the history thread: the folder, the tape and the calls about the past.

import type { Clock } from '../../clock.ts';
import { decodeId } from '../../domain/ids.ts';
import { ServiceError } from '../../errors.ts';
import type { HistoryFolder } from '../../history/files/folder.ts';
import { FixtureNames } from '../../history/live/fixture-names.ts';
import { StandbyRing } from '../../history/live/standby-ring.ts';
import { openingTag } from '../../history/live/tape-log.ts';
import type { TapeListener } from '../../history/live/tape-state.ts';
import { type TapeStanding, TapeWriter } from '../../history/live/tape-writer.ts';
import { historyAnswers } from '../../history/past/history-answers.ts';
import { ReadTurns } from '../../history/past/read-turns.ts';
import { TapeReader } from '../../history/past/tape-reader.ts';
import type { TapeSource } from '../../history/tape-source.ts';
import { WithBody } from '../../http/remote/calls.ts';
import type { CallJob, Calls } from '../../http/remote/serve-calls.ts';
import { HISTORY_SET_ASIDE_NAMED_MAX } from '../../limits.ts';
import type { Log } from '../../log.ts';
import { SmallCollections } from '../../platform/small-collections.ts';
import { ThreadGarbage } from '../../platform/thread-garbage.ts';
import type { HistoryCalls } from '../../query/lists/history-calls.ts';
import { recordAnswers } from '../../record/record-answers.ts';
import type { Config } from '../../settings/config.ts';
import { SlateReader } from '../../store/reader.ts';
import { TapeRingReader, tapeRingId } from '../../store/tape-ring.ts';
import type { NodeNumbers } from '../../telemetry/node-numbers.ts';
import { PastAlertsWorkers } from '../alerts/past-alerts-workers.ts';
import { HistoryLock } from '../data/server-lock.ts';
import { followTape, reportTape, type TapeKeeper } from '../history/follow-tape.ts';
import { historyFolder } from '../history/history-folder.ts';
import { HistoryDatabase } from '../record/history-database.ts';
import { keepRecord, type RecordParts } from '../record/keep-record.ts';
import { type Closings, openClosings } from './closings.ts';

/** How often the ring is read and the tape written. */
const STEP_EVERY_MS = 100;
const OPEN_AGAIN_MS = 1_000;
/**
 * Passes over the ring between two garbage collections at the start, when the whole slate comes through it.
 * Otherwise the objects that stay would be scattered among garbage, and the memory of the garbage could not
 * be freed.
 */
const PASSES_PER_COLLECTION = 1;
/** Steps between two garbage collections: two seconds. Without these collections, 20 MB of garbage waited. */
const STEPS_PER_COLLECTION = 20;

export interface HistoryThreadParts {
  readonly config: Pick<
    Config,
    'role' | 'dataDir' | 'databaseUrl' | 'historyDir' | 'historyDays' | 'historyBytesMax'
  > &
    RecordParts['config'];
  readonly storeBuffer: SharedArrayBuffer;
  readonly tapeMemory: SharedArrayBuffer;
  readonly clock: Clock;
  readonly log: Log;
  readonly numbers: NodeNumbers;
}

export interface History {
  readonly calls: () => Promise<Calls>;
  /** Writes what waits in the ring and closes the folder. */
  stop(): Promise<void>;
}

/**
 * Opens the history: on a node with a feed, the tape that it writes; on a serving node, the tape that another
 * node writes. While the folder fails, opening is tried again.
 */
export function openHistory(parts: HistoryThreadParts): History {
  const lock = new HistoryLock(parts.config);
  const folder = historyFolder(parts.config, () => lock.require());
  const database = new HistoryDatabase(parts.config);
  const closings = openClosings({ ...parts, database }, folder);
  const isServing = parts.config.role === 'serve';
  const keeper = isServing ? followTape(parts, folder) : new OwnTape(parts, folder, { closings, lock });
  const reader = new SlateReader(parts.storeBuffer);
  const isWriting = (): boolean => isTapeWriter(parts.config, reader);
  const endRecord = isServing ? null : keepRecord({ ...parts, database, closings, isWriting });
  const timer = setInterval(() => void keeper.step(), STEP_EVERY_MS);
  void keeper.step();
  let answers: Answers | null = null;
  return {
    calls: callsOf(() => {
      const source = keeper.source();
      if (source === null) throw notOpen();
      if (answers?.source !== source) {
        const onBroken = (path: string, error: unknown): void => keeper.onBroken(path, error);
        answers = answersOf(source, folder, { ...parts, closings, database, onBroken });
      }
      return answers.calls;
    }),
    stop: async () => {
      clearInterval(timer);
      await endRecord?.();
      await keeper.close();
      lock.release();
      await database.close();
    },
  };
}

/** Whether this node writes the tape: it is the only node, or the leader of several. */
function isTapeWriter({ role }: Pick<Config, 'role'>, reader: SlateReader): boolean {
  return role !== 'ingest' || reader.feed().replication === 'leading';
}

/**
 * Keeps the tape on a node with a feed. In a cluster only the leader writes; a node that may take over keeps
 * the newest changes in its ring.
 */
class OwnTape implements TapeKeeper {
  readonly #parts: HistoryThreadParts;
  readonly #folder: HistoryFolder;
  readonly #closings: Closings;
  readonly #lock: HistoryLock;
  readonly #reader: SlateReader;
  readonly #standby: StandbyRing | null;
  readonly #collections = new SmallCollections(STEPS_PER_COLLECTION);
  #tape: TapeWriter | null = null;
  #opening: Promise<void> | null = null;
  #retryAtMs = 0;

  constructor(
    parts: HistoryThreadParts,
    folder: HistoryFolder,
    { closings, lock }: { readonly closings: Closings; readonly lock: HistoryLock },
  ) {
    const { storeBuffer, tapeMemory, config } = parts;
    this.#parts = parts;
    this.#folder = folder;
    this.#closings = closings;
    this.#lock = lock;
    this.#reader = new SlateReader(storeBuffer);
    this.#standby = config.role === 'ingest' ? new StandbyRing(new TapeRingReader(tapeMemory)) : null;
  }

  source(): TapeSource | null {
    return this.#tape;
  }

  onBroken(path: string, error: unknown): void {
    void this.#tape?.setAside(path, error);
  }

  async step(): Promise<void> {
    if (this.#opening !== null) return;
    const tape = this.#tape;
    if (!isTapeWriter(this.#parts.config, this.#reader)) {
      this.#tape = null;
      await tape?.abandon();
      this.#standby?.trim(this.#parts.clock.wallMs());
    } else if (tape !== null && !this.#takesLockAgain()) {
      await tape.step();
      await this.#closings.settle(tape);
      this.#collections.count();
    } else if (tape !== null || this.#isRetryDue()) {
      this.#opening = this.#reopen(tape);
      await this.#opening;
      this.#opening = null;
    }
  }

  async close(): Promise<void> {
    await this.#opening;
    await this.#tape?.close();
  }

  async #reopen(former: TapeWriter | null): Promise<void> {
    await former?.abandon();
    try {
      this.#lock.take();
      this.#lock.allowWrites();
      const { keeper: listener } = this.#closings;
      this.#tape = await openTape(this.#parts, this.#folder, { listener, standby: this.#standby });
    } catch (error) {
      this.#tape = null; // an abandoned tape never writes again
      this.#retryLater();
      reportFailure(this.#parts, this.#folder, error);
    }
  }

  /**
   * If the folder has refused the lock, tries again, at most once a second.
   * @returns whether the lock was taken now
   */
  #takesLockAgain(): boolean {
    if (this.#lock.isHeld || !this.#isRetryDue()) return false;
    this.#retryLater();
    return this.#lock.take();
  }

  #isRetryDue(): boolean {
    return this.#parts.clock.monotonicMs() >= this.#retryAtMs;
  }

  #retryLater(): void {
    this.#retryAtMs = this.#parts.clock.monotonicMs() + OPEN_AGAIN_MS;
  }
}

interface Answers {
  readonly source: TapeSource;
  readonly calls: HistoryCalls;
}

function answersOf(
  source: TapeSource,
  folder: HistoryFolder,
  {
    clock,
    config,
    closings,
    database,
    onBroken,
  }: HistoryThreadParts & { readonly closings: Closings; readonly database: HistoryDatabase } & Pick<
      TapeKeeper,
      'onBroken'
    >,
): Answers {
  const reader = new TapeReader({ folder, source, monotonicMs: clock.monotonicMs, onBroken });
  const alerts = new PastAlertsWorkers(config, clock);
  const frozen = (eventId: string) => closings.frozen(decodeId('event', eventId));
  const scores = (eventId: string) => database.scoresOf(decodeId('event', eventId));
  const times = { monotonicMs: clock.monotonicMs, sleep: Bun.sleep };
  const turns = new ReadTurns(times);
  const calls: HistoryCalls = {
    ...historyAnswers({ tape: reader, ...times, frozen, scores }, turns),
    ...recordAnswers({ store: database.record, turns }),
    alerts: (question) => alerts.play(question),
  };
  return { source, calls };
}

/** Calls that are answered once the tape is open. */
function callsOf(current: () => HistoryCalls): () => Promise<Calls> {
  const garbage = ThreadGarbage.atOnce();
  return async () =>
    Object.fromEntries(
      Object.entries(current()).map(([name, call]) => [
        name,
        async (request: object, { signal }: CallJob) => {
          const answer = await call({ ...request, signal } as never);
          // A slate of the past leaves tens of megabytes of garbage, so collect it now. The engine would let
          // it add up, because it counts the shared store as part of this thread's heap.
          if (name === 'slate') garbage.collect();
          return asSent(answer);
        },
      ]),
    );
}

/** The bytes of an answer are moved to the thread that asked. As a plain value they would be copied twice. */
function asSent(answer: Awaited<ReturnType<HistoryCalls[keyof HistoryCalls]>>): unknown {
  if (answer === null || !('bytes' in answer)) return answer;
  const { bytes, ...head } = answer;
  return new WithBody(head, bytes);
}

function notOpen(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer about the past: the history is opening', {
    retryAfterSeconds: 1,
  });
}

async function openTape(
  parts: HistoryThreadParts,
  folder: HistoryFolder,
  { listener, standby }: { readonly listener: TapeListener; readonly standby: StandbyRing | null },
): Promise<TapeWriter> {
  const { config, storeBuffer, tapeMemory, clock, log } = parts;
  const reader = new SlateReader(storeBuffer);
  const ring = new TapeRingReader(tapeMemory);
  const names = new FixtureNames({
    name: (row) => reader.name(row),
    number: (row) => reader.columns.entityNumber[row]!,
  });
  const collections = new SmallCollections(PASSES_PER_COLLECTION);
  const ringId = tapeRingId(tapeMemory);
  return await TapeWriter.open({
    ...{ ring, ringId, folder, clock, log, listener },
    describe: (words, floats, place) => names.describe(words, floats, place),
    limits: { days: config.historyDays, bytes: config.historyBytesMax },
    tag: openingTag({ ringId, openedAtMs: clock.wallMs() }),
    isShared: standby !== null,
    ...(standby === null ? {} : { hasAllSince: (instantMs: number) => standby.hasAllSince(instantMs) }),
    onPass: () => collections.count(),
    onStanding: (standing) => publish(parts, standing, ring),
  });
}

function publish(
  { tapeMemory, numbers }: HistoryThreadParts,
  standing: TapeStanding,
  ring: TapeRingReader,
): void {
  const { stopped, gap, setAside } = standing;
  const state = stopped === null ? 'ok' : 'stopped';
  reportTape(tapeMemory, {
    state,
    reason: stopped,
    gap,
    set_aside: setAside.slice(-HISTORY_SET_ASIDE_NAMED_MAX),
  });
  numbers.set('history_ticks', standing.ticks);
  numbers.set('history_dropped', standing.dropped);
  numbers.set('history_waiting', ring.waitingCount());
  numbers.set('history_stopped', stopped === null ? 0 : 1);
  numbers.set('history_gap', gap === null ? 0 : 1);
  numbers.set('history_gaps', standing.gaps);
  numbers.set('history_file_bytes', standing.fileBytes);
  numbers.set('history_log_bytes', standing.logBytes);
  numbers.set('history_set_aside', setAside.length);
}

function reportFailure(
  { tapeMemory, log, numbers }: HistoryThreadParts,
  folder: HistoryFolder,
  error: unknown,
): void {
  log.error('history_not_opened', { folder: folder.name, error: String(error) });
  reportTape(tapeMemory, { state: 'stopped', reason: 'storage_failed', gap: null, set_aside: [] });
  numbers.set('history_stopped', 1);
}
