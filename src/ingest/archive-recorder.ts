// What a fixture leaves to the archive: the first prices seen of its lines, and its result, sent or inferred.

import type { RejectReason } from '../domain/reject-reasons.ts';
import type { QuoteMessage } from '../feed/protocol.ts';
import { PUT_APPLIED, PUT_FULL } from '../store/records.ts';
import type { SlateWriter } from '../store/writer.ts';
import type { ArchivePort, FinishedMatch } from './archive-port.ts';
import type { FixtureRecord } from './fixture-book.ts';
import { openingOf } from './quote-opening.ts';

export class ArchiveRecorder {
  readonly #writer: SlateWriter;
  readonly #archive: ArchivePort;

  constructor(writer: SlateWriter, archive: ArchivePort) {
    this.#writer = writer;
    this.#archive = archive;
  }

  /**
   * The last score stands in for the result of a match that is over, until the feed sends one. Asked again it records
   * what has changed: a match that seemed over may have gone on.
   */
  inferResult(fixture: FixtureRecord, finishedAtMs: number): void {
    const { recordedResult: held, score, cards: redCards } = fixture;
    if (held?.isFinal === true) return;
    const isSame = held?.finishedAtMs === finishedAtMs && held.score === score && held.redCards === redCards;
    if (!isSame) this.recordResult({ fixture, score, redCards, finishedAtMs, isFinal: false });
  }

  /** A result is known: the archive keeps it. */
  recordResult(match: FinishedMatch): void {
    match.fixture.recordedResult = match;
    this.#archive.recordResult(match);
    this.#writer.count('results');
  }

  /** The first price of a key, if this quote brings one. @returns why it was refused, or null */
  recordOpening(record: FixtureRecord, key: number, message: QuoteMessage): RejectReason | null {
    const opening = openingOf(key, message);
    if (opening === null) return null;
    record.openingKeys.add(key);
    const put = this.#writer.putOpening(record.slot, opening);
    if (put === PUT_FULL) return 'opening_table_full';
    if (put === PUT_APPLIED) {
      this.#archive.recordOpening(record.eventNumber, opening);
      this.#writer.count('openings_recorded');
    }
    return null;
  }

  /** A fixture is new here: what was first seen of it before this start stays first seen. */
  restoreOpenings(record: FixtureRecord): void {
    for (const opening of this.#archive.openingsOf(record.eventNumber)) {
      record.openingKeys.add(opening.key);
      if (this.#writer.putOpening(record.slot, opening) === PUT_APPLIED)
        this.#writer.count('openings_restored');
    }
  }
}
