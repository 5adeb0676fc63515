// How the feed's sources are doing, as text in the store: written by the ingest worker about once a second, read by
// whoever answers /ready, /health and /metrics. Two halves take turns, so that a reader never sees half of a report.

import { FEED_LIVE_MS, SOURCE_REPORT_BYTES_MAX } from '../limits.ts';
import type { ColumnCursor } from '../memory/shared-buffer.ts';

export interface SourceReport {
  readonly name: string;
  /** `starting`, `ok`, `failing` or `stopped`. */
  readonly state: string;
  /** Why it is not ok, one word; null when it is. */
  readonly reason: string | null;
  readonly isConnected: boolean;
  /** When anything of it was last heard and last applied, Unix ms; null before that. */
  readonly heardAtMs: number | null;
  readonly appliedAtMs: number | null;
  /** Since when its part of the slate is not up to date: before its first snapshot and after a loss; null while it is. */
  readonly lostSinceMs: number | null;
  /** When it is asked again, Unix ms; null while nothing stands in the way. */
  readonly nextTryAtMs: number | null;
  /** Counts since the source was opened. */
  readonly requestsAsked: number;
  readonly requestsAnswered: number;
  readonly epochs: number;
  readonly creditsSpent: number;
  /** Null when the upstream does not say. */
  readonly creditsLeft: number | null;
  readonly periodEndMs: number | null;
  /** Requests that failed, by reason. */
  readonly failures: Readonly<Record<string, number>>;
  /** What was refused or noted inside answers, by reason. */
  readonly counts: Readonly<Record<string, number>>;
  /** Bookmakers that the upstream named and the roster does not map. */
  readonly unmapped: Readonly<Record<string, number>>;
  readonly requests: readonly {
    readonly key: string;
    readonly cost: number;
    /** Milliseconds between two at the present pace; null when the quota allows none. */
    readonly everyMs: number | null;
    readonly askedAtMs: number | null;
    readonly answeredAtMs: number | null;
    readonly reason: string | null;
  }[];
}

/** Words of `reportWords`: how many reports were written, and the bytes of each half. The newest is in half `written % 2`. */
const WRITTEN = 0;
const LENGTHS = 1;
/** When a source was heard is reported once a second: a report may know that much too little, on a busy machine more. */
const REPORT_BEHIND_MS_MAX = 2_000;
/** A reader is overtaken only by two reports in the time of one copy. */
const TRIES_MAX = 3;

export interface ReportViews {
  readonly reportWords: Int32Array<SharedArrayBuffer>;
  readonly reportBytes: Uint8Array<SharedArrayBuffer>;
}

export function reportColumns(cursor: ColumnCursor): ReportViews {
  return {
    reportWords: cursor.int32(LENGTHS + 2),
    reportBytes: cursor.uint8(2 * SOURCE_REPORT_BYTES_MAX),
  };
}

/** Publishes a report. One writer at a time. Too long: what is long in it, names and requests, is left out. */
export function writeReports(
  { reportWords, reportBytes }: ReportViews,
  reports: readonly SourceReport[],
): void {
  const whole = Buffer.from(JSON.stringify(reports));
  const short = () =>
    Buffer.from(JSON.stringify(reports.map((report) => ({ ...report, unmapped: {}, requests: [] }))));
  const bytes = whole.byteLength <= SOURCE_REPORT_BYTES_MAX ? whole : short();
  if (bytes.byteLength > SOURCE_REPORT_BYTES_MAX) return;
  const written = Atomics.load(reportWords, WRITTEN) + 1;
  const half = written & 1;
  reportBytes.set(bytes, half * SOURCE_REPORT_BYTES_MAX);
  Atomics.store(reportWords, LENGTHS + half, bytes.byteLength);
  Atomics.store(reportWords, WRITTEN, written);
}

/** The newest report, empty before the first. Any thread. */
export function readReports({ reportWords, reportBytes }: ReportViews): readonly SourceReport[] {
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    const written = Atomics.load(reportWords, WRITTEN);
    if (written === 0) return [];
    const half = written & 1;
    const start = half * SOURCE_REPORT_BYTES_MAX;
    const bytes = reportBytes.slice(start, start + Atomics.load(reportWords, LENGTHS + half));
    if (Atomics.load(reportWords, WRITTEN) === written) {
      return JSON.parse(Buffer.from(bytes).toString()) as readonly SourceReport[];
    }
  }
  return [];
}

/** What an instant means for the reports of sources. */
export interface ReportMoment {
  readonly nowMs: number;
  /** A source that was not heard for longer is silent. */
  readonly silentAfterMs: number;
}

/** How sources stand at an instant: as reported, but one that has fallen silent or was cut off does not say so itself. */
export function standingsAt(
  reports: readonly SourceReport[],
  { nowMs, silentAfterMs }: ReportMoment,
): SourceReport[] {
  return reports.map((report) => {
    const { lostSinceMs, heardAtMs, isConnected, state } = report;
    const isSilent = nowMs - (heardAtMs ?? nowMs) > silentAfterMs;
    if (lostSinceMs === null && isConnected && !isSilent) return report;
    return {
      ...report,
      lostSinceMs: lostSinceMs ?? heardAtMs,
      ...(state === 'ok' && isSilent ? { state: 'failing', reason: 'silent' } : {}),
    };
  });
}

/** After how long a source is silent by its report: soon after its prices are refused, however short their window is. */
export function silentAfterMs(prematchMs: number): number {
  return Math.min(FEED_LIVE_MS, prematchMs + REPORT_BEHIND_MS_MAX);
}
