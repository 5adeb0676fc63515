// How the feed's sources are doing, as text in the store. The ingest worker writes it about once a second;
// the threads that answer /ready, /health and /metrics read it. Two halves take turns, so that a reader never
// sees half of a report.

import { FEED_LIVE_MS, SOURCE_REPORT_BYTES_MAX } from '../limits.ts';
import type { ColumnCursor } from '../memory/shared-buffer.ts';
import { readSharedText, type SharedText, sharedText, writeSharedText } from '../memory/shared-text.ts';

export interface SourceReport {
  readonly name: string;
  /** `starting`, `ok`, `failing` or `stopped`. */
  readonly state: string;
  /** Why the source is not ok, one word; null when it is. */
  readonly reason: string | null;
  readonly isConnected: boolean;
  /** When a message or answer of the source was last received, Unix ms; null before the first. */
  readonly heardAtMs: number | null;
  /** When a message of the source was last applied, Unix ms; null before the first. */
  readonly appliedAtMs: number | null;
  /**
   * When its part of the slate became out of date: before its first snapshot and after a lost message. Null
   * while it is up to date.
   */
  readonly lostSinceMs: number | null;
  /**
   * How many milliseconds its clock is ahead of ours; negative when it is behind, 0 when it is right or the
   * source has no clock.
   */
  readonly clockAheadMs: number;
  /** When the next request may be sent, Unix ms; null when nothing delays it. */
  readonly nextTryAtMs: number | null;
  /** Counts since the source was opened. */
  readonly requestsAsked: number;
  readonly requestsAnswered: number;
  readonly epochs: number;
  readonly creditsSpent: number;
  /** Null when the upstream does not report it. */
  readonly creditsLeft: number | null;
  readonly periodEndMs: number | null;
  /** Requests that failed, by reason. */
  readonly failures: Readonly<Record<string, number>>;
  /** Parts of answers that were refused or worth noting, by reason. */
  readonly counts: Readonly<Record<string, number>>;
  /** Bookmakers that the upstream named and that the roster does not map, with their counts. */
  readonly unmapped: Readonly<Record<string, number>>;
  readonly requests: readonly {
    readonly key: string;
    readonly cost: number;
    /** Milliseconds between two requests at the present pace; null when the quota allows no request. */
    readonly everyMs: number | null;
    readonly askedAtMs: number | null;
    readonly answeredAtMs: number | null;
    readonly reason: string | null;
  }[];
}

/** A report is written about once a second, so its times may be that much behind; on a busy machine more. */
const REPORT_BEHIND_MS_MAX = 2_000;

interface ReportViews {
  readonly reports: SharedText;
}

export function reportColumns(cursor: ColumnCursor): ReportViews {
  return { reports: sharedText(cursor, SOURCE_REPORT_BYTES_MAX) };
}

/**
 * Publishes a report. One writer at a time. If it is too long, unmapped bookmakers and requests are left out.
 */
export function writeReports({ reports: text }: ReportViews, reports: readonly SourceReport[]): void {
  if (writeSharedText(text, Buffer.from(JSON.stringify(reports)))) return;
  const short = reports.map((report) => ({ ...report, unmapped: {}, requests: [] }));
  writeSharedText(text, Buffer.from(JSON.stringify(short)));
}

/** The newest report, empty before the first. Any thread. */
export function readReports({ reports }: ReportViews): readonly SourceReport[] {
  const text = readSharedText(reports);
  return text === null ? [] : (JSON.parse(text) as readonly SourceReport[]);
}

/** The instant and the limit for judging reports of sources. */
interface ReportMoment {
  readonly nowMs: number;
  /** A source that was not heard for longer than this is silent. */
  readonly silentAfterMs: number;
}

/**
 * The state of each source at an instant. It is the reported one, except for a source that fell silent or was
 * cut off, which cannot report that.
 */
export function reportsAt(
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

/**
 * How long a source may be silent: until its pre-match prices have expired and a report can show it, at most
 * FEED_LIVE_MS.
 */
export function silentAfterMs(prematchMs: number): number {
  return Math.min(FEED_LIVE_MS, prematchMs + REPORT_BEHIND_MS_MAX);
}
