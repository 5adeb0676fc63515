// Records a fixture in the archive: the first prices seen of its lines, and its result, either as sent or
// from the last score.

import type { ArchiveWriter } from '../archive/archive-writer.ts';
import type { ArchivedResult } from '../archive/tables.ts';
import { QUOTE_OPEN } from '../domain/catalogue.ts';
import type { RejectReason } from '../domain/reject-reasons.ts';
import type { QuoteMessage } from '../feed/protocol.ts';
import { type OpeningRow, PUT_APPLIED, PUT_FULL } from '../store/records.ts';
import type { SlateWriter } from '../store/writer/writer.ts';
import type { FixtureRecord } from './fixture-numbers.ts';

/** What ingest needs of the archive. Tests keep it in memory. */
export type ArchivePort = Pick<ArchiveWriter, 'openingsOf' | 'recordOpening' | 'recordResult'> & {
  /** Whether first prices are kept, in the archive and on the slate; true if absent. */
  readonly keepsOpenings?: boolean;
};

export type MatchOutcome = Pick<ArchivedResult, 'score' | 'redCards' | 'finishedAtMs' | 'source'>;

export class ArchiveRecorder {
  readonly #writer: SlateWriter;
  readonly #archive: ArchivePort;

  constructor(writer: SlateWriter, archive: ArchivePort) {
    this.#writer = writer;
    this.#archive = archive;
  }

  /**
   * Records the last score as the result until the feed sends one. Call it when the match is over. If the
   * match continued after all, call it again. Only changes are recorded.
   */
  inferResult(fixture: FixtureRecord, finishedAtMs: number): void {
    const { recordedResult: held, score, cards: redCards } = fixture;
    if (held?.source === 'final') return;
    const isSame = held?.finishedAtMs === finishedAtMs && held.score === score && held.redCards === redCards;
    if (!isSame) this.recordResult(fixture, { score, redCards, finishedAtMs, source: 'inferred' });
  }

  /** Writes a result to the archive. */
  recordResult(fixture: FixtureRecord, outcome: MatchOutcome): void {
    const { eventNumber, sport, league, home, away, scheduledAtMs } = fixture;
    fixture.recordedResult = { eventNumber, sport, league, home, away, scheduledAtMs, ...outcome };
    this.#archive.recordResult(fixture.recordedResult);
    this.#writer.facts.count('results');
  }

  /**
   * Records a quote's price as the opening of its line, if the line has none. @returns why it was refused, or
   * null
   */
  recordOpening(fixture: FixtureRecord, key: number, message: QuoteMessage): RejectReason | null {
    if (this.#writer.hasOpening(fixture.slot, key)) return null;
    return this.#put(fixture, sentOpening(key, message, message.lineQuarters) ?? seenOpening(key, message));
  }

  /**
   * Records the opening at another line than this quote's, if the source says that the market opened there.
   * @returns why it was refused, or null
   */
  recordOpeningLine(fixture: FixtureRecord, key: number, message: QuoteMessage): RejectReason | null {
    if (this.#writer.hasOpening(fixture.slot, key)) return null;
    return this.#put(fixture, sentOpening(key, message, message.openingLineQuarters));
  }

  #put(fixture: FixtureRecord, opening: OpeningRow | null): RejectReason | null {
    if (opening === null || this.#archive.keepsOpenings === false) return null;
    const put = this.#writer.putOpening(fixture.slot, opening);
    if (put === PUT_FULL) return 'opening_table_full';
    if (put === PUT_APPLIED) {
      this.#archive.recordOpening(fixture.eventNumber, opening);
      this.#writer.facts.count('openings_recorded');
    }
    return null;
  }

  /**
   * Gives the archive and the slate of an earlier worker or process the same first prices. The archive may
   * lack those that were published but not written when the worker died. The slate may lack those that were
   * archived after it was saved. Otherwise later prices would be recorded or shown as the first.
   */
  alignOpenings(): void {
    for (const eventNumber of this.#writer.eventNumbers()) {
      const slot = this.#writer.slotOf(eventNumber);
      const shown = this.#writer.openingsOf(slot);
      const archived = this.#archive.openingsOf(eventNumber);
      const keys = new Set(archived.map(({ key }) => key));
      for (const opening of shown)
        if (!keys.has(opening.key)) this.#archive.recordOpening(eventNumber, opening);
      this.#restore(slot, archived);
    }
  }

  /**
   * Restores the first prices recorded before the start. Call it for a fixture that is new to this process.
   */
  restoreOpenings({ slot, eventNumber }: FixtureRecord): void {
    this.#restore(slot, this.#archive.openingsOf(eventNumber));
  }

  #restore(slot: number, openings: readonly OpeningRow[]): void {
    for (const opening of openings) {
      if (this.#writer.putOpening(slot, opening) === PUT_APPLIED)
        this.#writer.facts.count('openings_restored');
    }
  }
}

/**
 * The opening that the feed sent for a line. Null when it sent none, the opening of another line, or a price
 * of 1 or less.
 */
function sentOpening(key: number, message: QuoteMessage, lineQuarters: number): OpeningRow | null {
  const { openingPricesE4: sent, openingLineQuarters, atMs, openedAtMs } = message;
  if (sent === null || openingLineQuarters !== lineQuarters || !sent.every(isPrice)) return null;
  const openedMs = Number.isNaN(openedAtMs) ? atMs : openedAtMs;
  return { key, a: sent[0]!, b: sent[1]!, c: sent[2] ?? 0, openedAtMs: openedMs, upstream: true };
}

/** The current prices as an opening; null unless the line is open and all its prices are above 1. */
function seenOpening(key: number, { pricesE4: seen, status, atMs }: QuoteMessage): OpeningRow | null {
  if (status !== QUOTE_OPEN || !seen.every(isPrice)) return null;
  return { key, a: seen[0]!, b: seen[1]!, c: seen[2] ?? 0, openedAtMs: atMs, upstream: false };
}

/** Whether a value in ten-thousandths is a price. A bookmaker that has pulled a line may send 1 or less. */
function isPrice(priceE4: number): boolean {
  return priceE4 > 10_000;
}
