// Begins to write the tape: continues where the logs in the folder end, and records what is missing.

import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import {
  beginOfFile,
  beginOfLog,
  dayOfPath,
  GAPS_COPY_PATH,
  GAPS_PATH,
  isImport,
  isSystemError,
  PRICES_PREFIX,
} from '../files/folder.ts';
import { openTickFile } from '../files/parquet-file.ts';
import { dayStartMs } from '../tick.ts';
import { type DamagedLog, type RecoveredLog, recoverLogs } from './recover-logs.ts';
import type { TapeParts } from './tape-parts.ts';
import { writtenBefore } from './written-before.ts';

/** @throws when the folder cannot be read */
export async function beginTape(tape: TapeParts): Promise<void> {
  const { folder } = tape.options;
  await removeDrafts(tape);
  await tape.health.findSetAside();
  const hasGaps = await loadGaps(tape);
  const { recovered, damaged } = await recoverLogs(folder);
  await goOn(tape, recovered);
  coverEnds(tape, recovered);
  if (!hasGaps) await coverEverything(tape, recovered);
  if (recovered.length === 0) await noteLostLog(tape, damaged);
  for (const { path, isEmpty, error } of damaged) {
    if (!isEmpty) await tape.setAside(path, error);
    else {
      await tape.coverHole(path);
      await folder.removeLog(path);
    }
  }
}

/** Removes drafts that a kill left. They only take space, so the tape begins even if one stays. */
async function removeDrafts({ options: { folder, log } }: TapeParts): Promise<void> {
  try {
    await folder.removeDrafts((path) => !isImport(path));
  } catch (error) {
    log.warn('history_draft_not_removed', { folder: folder.name, error: String(error) });
  }
}

/** @returns false when the list of gaps is lost */
async function loadGaps(tape: TapeParts): Promise<boolean> {
  let isDamaged = false;
  for (const path of [GAPS_PATH, GAPS_COPY_PATH]) {
    try {
      if (await tape.gaps.load(path)) return true;
    } catch (error) {
      if (isSystemError(error)) throw error;
      await tape.setAside(path, error);
      isDamaged = true;
    }
  }
  return !isDamaged;
}

/**
 * Continues the newest log, unless it has another roster, is in a file already, is another node's, or may
 * still change. Every other log becomes a file, or is removed if it is in one.
 */
async function goOn(tape: TapeParts, logs: readonly RecoveredLog[]): Promise<void> {
  const { folder, ring, ringId, clock, hasAllSince, isShared = false } = tape.options;
  const newest = logs.at(-1);
  if (newest === undefined) {
    // If the ring has lost its beginning, it does not show the whole slate. Its records are skipped, because
    // the whole slate is sent next.
    if (!isRingWhole(tape)) tape.intake.skipTo(ring.written());
    // The log has every change from its beginning on, including those that were in the ring before the folder
    // was opened. A change that reaches the ring only now may have a slightly earlier time; it then gets the
    // time at which the log begins.
    const beginMs = Math.min(clock.wallMs(), tape.intake.nextAtMs);
    tape.log.begin(beginMs);
    tape.intake.goOnAfter(beginMs, beginMs);
    return;
  }
  for (const { segment, path, beginMs, isInFile } of logs.slice(0, -1)) {
    if (isInFile) tape.sealing.remove(path);
    else tape.sealing.add({ segment, logPath: path, beginMs });
  }
  tape.log.resume(newest);
  tape.state.restore(newest.segment, newest.gap, tape.gaps.all);
  const gapsToMs = Math.max(...tape.gaps.all.map(({ toMs }) => toMs ?? 0));
  tape.intake.goOnAfter(Math.max(newest.settledAtMs, newest.segment.lastChangeMs), gapsToMs);
  const isEnded = newest.isInFile || newest.segment.bookmakers !== BOOKMAKER_KEYS;
  if (isEnded) tape.rotate(undefined, newest.isInFile);
  const isOurRing = newest.ring.ringId === ringId;
  if (isOurRing) {
    // Another thread of this process died. Skip the records that it had already logged.
    tape.intake.skipTo(newest.ring.position);
  } else if (hasAllSince?.(newest.settledAtMs) === true) {
    // Nothing is missing, because the ring has the changes that the former leader did not write.
    tape.intake.takeOver(await writtenBefore(tape, logs));
  } else {
    tape.state.closeGap(newest.settledAtMs);
    tape.state.openGap({ fromMs: newest.settledAtMs, reason: 'stopped' });
    // A node that has waited to become leader, or for the folder's lock, has old changes in its ring. They
    // are skipped, because the whole slate is sent next.
    const isLate = hasAllSince !== undefined || tape.intake.nextAtMs < newest.settledAtMs;
    if (isLate) tape.intake.skipTo(ring.written());
  }
  // Where a write may be applied late, the end of the former log may still change. A log that was just ended
  // is not ended again, because two logs that begin in the same millisecond would have the same name.
  const isOwnLog = isOurRing || !isShared;
  if ((!isOwnLog || folder.mayApplyLate) && !isEnded) tape.rotate();
  ring.want();
}

/** The files of prices that were written from logs; those of imports are not among them. */
async function ownFiles({ options: { folder } }: TapeParts): Promise<readonly string[]> {
  const paths = (await folder.list(PRICES_PREFIX)).map(({ path }) => path);
  return paths.filter((path) => dayOfPath(path) !== null && beginOfFile(path) !== null);
}

/** Marks all the time that the server recorded as one gap, because the list of the real gaps is lost. */
async function coverEverything(tape: TapeParts, logs: readonly RecoveredLog[]): Promise<void> {
  const { clock } = tape.options;
  const days = (await ownFiles(tape)).map((path) => dayStartMs(dayOfPath(path)!));
  const fromMs = Math.min(...days, ...logs.map(({ beginMs }) => beginMs));
  const toMs = clock.wallMs();
  if (Number.isFinite(fromMs)) tape.gaps.cover({ fromMs, toMs, reason: 'stopped' });
}

/**
 * If the end of a log was lost after the next log was begun, records the time in between as a gap. The last
 * lost rows may be in the millisecond in which the next log begins, so the gap includes it.
 */
function coverEnds({ gaps }: TapeParts, logs: readonly RecoveredLog[]): void {
  for (const [index, { settledAtMs, segment, byteCount, isInFile }] of logs.slice(0, -1).entries()) {
    if (isInFile) continue;
    const next = logs[index + 1]!;
    const fromMs = Math.trunc(Math.max(settledAtMs, segment.lastChangeMs));
    const nextMs = Math.trunc(next.beginMs);
    const isShort = byteCount < next.bytesBefore;
    // After a repeated time the next log begins when that time ended. That is later than the end of this log.
    const isApart = fromMs < nextMs && !Number.isFinite(next.segment.setBackToMs);
    if (isApart || isShort) gaps.cover({ fromMs, toMs: nextMs + 1, reason: 'stopped' });
  }
}

/**
 * Records a gap when no log can be read, because changes after the newest of our files, or in a damaged log,
 * are lost. If the ring has lost its beginning, the gap lasts until the whole slate was sent.
 */
async function noteLostLog(tape: TapeParts, damaged: readonly DamagedLog[]): Promise<void> {
  const { ring } = tape.options;
  const logsFromMs = damaged.map(({ path }) => beginOfLog(path));
  const path = (await ownFiles(tape)).at(-1);
  const unseenFromMs = isRingWhole(tape) ? Infinity : tape.log.beginMs;
  const fileToMs = path === undefined ? Infinity : await endOfFile(tape, path);
  const fromMs = Math.min(...logsFromMs, fileToMs, unseenFromMs);
  if (Number.isFinite(fromMs)) tape.state.openGap({ fromMs, reason: 'stopped' });
  tape.state.openFirstGap(tape.log.beginMs);
  if (!isRingWhole(tape)) ring.want();
}

/** Whether the ring has every record from its first one on, which is the beginning of a sync. */
function isRingWhole({ options: { ring } }: TapeParts): boolean {
  return ring.position() === 0;
}

/** When the last tick of a file was published or, if that cannot be read, when the file begins. */
async function endOfFile(tape: TapeParts, path: string): Promise<number> {
  const beginMs = beginOfFile(path)!;
  try {
    const { rowGroups } = await openTickFile(await tape.options.folder.open(path));
    return rowGroups.reduce((latest, { receivedToMs }) => Math.max(latest, receivedToMs), beginMs);
  } catch (error) {
    await tape.setAside(path, error);
    return beginMs;
  }
}
