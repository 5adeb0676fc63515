// The parts of the history thread: the folder, the tape and the calls about the past.

import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { decodeId } from '../../domain/ids.ts';
import { ServiceError } from '../../errors.ts';
import { FixtureNames } from '../../history/fixture-names.ts';
import type { HistoryFolder } from '../../history/folder.ts';
import { historyAnswers } from '../../history/history-answers.ts';
import { LocalFolder } from '../../history/local-folder.ts';
import { S3Folder, s3PlaceOf } from '../../history/s3-folder.ts';
import { TapeReader } from '../../history/tape-reader.ts';
import type { TapeListener } from '../../history/tape-state.ts';
import { type TapeStanding, TapeWriter } from '../../history/tape-writer.ts';
import type { Calls } from '../../http/remote/serve-calls.ts';
import { HISTORY_SET_ASIDE_NAMED_MAX } from '../../limits.ts';
import type { Log } from '../../log.ts';
import { HISTORY_CALLS, type HistoryCalls } from '../../query/lists/history-calls.ts';
import type { Config } from '../../settings/config.ts';
import { SlateReader } from '../../store/reader.ts';
import { TapeRingReader, tapeRingId, writeTapeReport } from '../../store/tape-ring.ts';
import type { NodeNumbers } from '../../telemetry/node-numbers.ts';
import { type Closings, openClosings } from './closings.ts';
import type { TapeReport } from './serving-thread.ts';

/** How often the ring is read. */
const TICK_EVERY_MS = 100;
const OPEN_AGAIN_MS = 1_000;

export interface HistoryThreadParts {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'historyDir' | 'historyDays' | 'historyBytesMax'>;
  readonly storeBuffer: SharedArrayBuffer;
  readonly tapeMemory: SharedArrayBuffer;
  readonly clock: Clock;
  readonly log: Log;
  readonly numbers: NodeNumbers;
}

export interface History {
  readonly calls: Calls;
  /** Writes what waits in the ring and closes the folder. */
  stop(): Promise<void>;
}

/** Opens the tape; while the folder fails, it is tried again. */
export function openHistory(parts: HistoryThreadParts): History {
  const folder = historyFolder(parts.config);
  const closings = openClosings(parts, folder);
  let tape: TapeWriter | null = null;
  let opening: Promise<void> | null = null;
  let retryAtMs = 0;
  const tick = async (): Promise<void> => {
    if (tape !== null) {
      await tape.tick();
      await closings.settle(tape);
      return;
    }
    if (opening !== null || parts.clock.monotonicMs() < retryAtMs) return;
    opening = openTape(parts, folder, closings.keeper).then(
      (opened) => {
        tape = opened;
      },
      (error: unknown) => {
        retryAtMs = parts.clock.monotonicMs() + OPEN_AGAIN_MS;
        reportFailure(parts, folder, error);
      },
    );
    await opening;
    opening = null;
  };
  const timer = setInterval(() => void tick(), TICK_EVERY_MS);
  void tick();
  let answers: Answers | null = null;
  return {
    calls: callsOf(() => {
      if (tape === null) throw notOpen();
      if (answers?.tape !== tape) answers = answersOf(tape, folder, { ...parts, closings });
      return answers.calls;
    }),
    stop: async () => {
      clearInterval(timer);
      await opening;
      await tape?.close();
      await closings.close();
    },
  };
}

interface Answers {
  readonly tape: TapeWriter;
  readonly calls: HistoryCalls;
}

function answersOf(
  tape: TapeWriter,
  folder: HistoryFolder,
  { clock, closings }: HistoryThreadParts & { readonly closings: Closings },
): Answers {
  const reader = new TapeReader({
    ...{ folder, source: tape, monotonicMs: clock.monotonicMs },
    onBroken: (path, error) => void tape.setAside(path, error),
  });
  const frozen = (eventId: string) => closings.frozen(decodeId('event', eventId));
  return { tape, calls: historyAnswers({ tape: reader, sleep: Bun.sleep, frozen }) };
}

/** Calls that are answered once the tape is open. */
function callsOf(current: () => HistoryCalls): Calls {
  return Object.fromEntries(
    HISTORY_CALLS.map((name) => [name, async (request: never) => await current()[name](request)]),
  );
}

function notOpen(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer about the past: the history is opening', {
    retryAfterSeconds: 1,
  });
}

/** The folder that the settings name. */
export function historyFolder({
  dataDir,
  historyDir,
}: Pick<Config, 'dataDir' | 'historyDir'>): HistoryFolder {
  const bucket = s3PlaceOf(historyDir ?? '');
  return bucket === null ? new LocalFolder(historyDir ?? join(dataDir, 'history')) : new S3Folder(bucket);
}

async function openTape(
  parts: HistoryThreadParts,
  folder: HistoryFolder,
  listener: TapeListener,
): Promise<TapeWriter> {
  const { config, storeBuffer, tapeMemory, clock, log } = parts;
  const reader = new SlateReader(storeBuffer);
  const ring = new TapeRingReader(tapeMemory);
  const names = new FixtureNames({
    name: (row) => reader.name(row),
    number: (row) => reader.columns.entityNumber[row]!,
  });
  const ringId = tapeRingId(tapeMemory);
  return await TapeWriter.open({
    ...{ ring, ringId, folder, clock, log, listener },
    describe: (words, floats, place) => names.describe(words, floats, place),
    limits: { days: config.historyDays, bytes: config.historyBytesMax },
    tag: ringId.toString(36),
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
  report(tapeMemory, {
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
  report(tapeMemory, { state: 'stopped', reason: 'storage_failed', gap: null, set_aside: [] });
  numbers.set('history_stopped', 1);
}

function report(tapeMemory: SharedArrayBuffer, standing: TapeReport): void {
  const isShown = writeTapeReport(tapeMemory, JSON.stringify(standing));
  if (!isShown) writeTapeReport(tapeMemory, JSON.stringify({ ...standing, set_aside: [] }));
}
