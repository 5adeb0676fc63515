// Writes into the tape's ring (tape-ring.ts) what each publish changed. It compares the page that a publish
// replaced with the page that replaced it, after the publish, so readers of the slate wait for nothing. On
// the ingest thread; costs nothing when there is no ring.
//
// The thread that reads knows the slate from these changes alone, so they must be complete. When they are not
// (at the start, after an overrun, when the reader asks), the recorder sends the whole slate: a sync. The
// first one is sent at once if it fits, later ones a few fixtures at a time between the changes. The tape
// counts the time until the end of a sync as a gap.

import { isSharpBookmaker } from '../../domain/catalogue.ts';
import { CONTROL, type StoreViews } from '../layout.ts';
import { bookmakerOfKey } from '../quote-key.ts';
import {
  packEntities,
  packHead,
  packScore,
  RECORD_WORDS,
  TAPE_FLOAT,
  TAPE_KIND,
  TAPE_LINE_WITHDRAWN,
  TAPE_WORD,
  TapeRingWriter,
  withLineStatus,
} from '../tape-ring.ts';

const NONE = -1;
/** Records of one step of a later sync: about half a millisecond of work. */
const SYNC_STEP_RECORDS = 8_192;
/**
 * A step is made ten times a second. After a longer pause than this, the machine was asleep, the process was
 * stopped or the clock was set ahead. (A thread that is stuck for so long is replaced.)
 */
const UNSEEN_MS_MIN = 5_000;
/** A sync leaves this share of the ring free for changes: 4 means a quarter. */
const SYNC_ROOM_SHARE = 4;

export class TapeRecorder {
  readonly #views: StoreViews;
  readonly #ring: TapeRingWriter;
  /**
   * Whether changes are recorded: from the beginning of the first sync on. Earlier changes are part of that
   * sync.
   */
  #isRecording = false;
  /** The next slot of the sync in progress; NONE when there is no sync. */
  #syncSlot = NONE;
  /** Most records of one step of the sync in progress. */
  #syncStepMax = 0;
  #wantsSync = false;
  #isFeedLost = true;
  /**
   * Whether `#isFeedLost` was reported since the slate was completed. The report may come after publishes,
   * and the tape must not begin with a loss that did not happen.
   */
  #isFeedReported = false;
  /** True from the first record that finds no room until half of the ring is free again. */
  #isDropping = false;
  /** Records dropped since the last batch. */
  #droppedCount = 0;
  /** When the first record of the present overrun was dropped. */
  #overrunFromMs = 0;
  /** The fixture whose records are being written, packed by `#pack`, in these five fields. */
  #lineHead = 0;
  #score = 0;
  #eventNumber = 0;
  #scheduledAtMs = 0;
  #entities = 0;
  /** Rows of one page. */
  readonly #rows: Int32Array;
  readonly #stepRecords: number;

  /** @param stepRecords most records of one step of a later sync; tests set it low */
  constructor(views: StoreViews, ring: SharedArrayBuffer, stepRecords = SYNC_STEP_RECORDS) {
    this.#views = views;
    this.#stepRecords = stepRecords;
    this.#ring = new TapeRingWriter(ring);
    this.#rows = new Int32Array(views.capacity.quotesPerFixture);
    const settledAtMs = this.#ring.settledAtMs();
    if (settledAtMs === 0) return;
    // An earlier worker died. What it published after this instant may be missing.
    this.#overrunFromMs = settledAtMs;
    this.#isDropping = !this.#mark(TAPE_KIND.feedLost, settledAtMs);
  }

  /**
   * Notes that a publish replaced page `old` by `page`; -1 stands for no page. Call it before either page is
   * reused.
   */
  changed(old: number, page: number): void {
    if (!this.#isRecording) return;
    if (page === NONE) this.#left(old);
    else if (old === NONE) this.#wholePage(page);
    else this.#difference(old, page);
  }

  /**
   * Call it after a publish.
   * @param nowMs when it was published
   * @param isCommon whether it changed anything but prices of the sharp bookmaker. Such prices alone make no
   * step, because its time may show as the beginning or end of a gap
   */
  published(nowMs: number, isCommon: boolean): void {
    this.#endBatch(nowMs);
    if (isCommon) this.step(nowMs);
  }

  /** Call it several times a second, because each call also continues a sync. */
  step(nowMs: number): void {
    this.#noteUnseen(nowMs);
    if (this.#ring.takeWanted()) this.#wantsSync = true;
    if (this.#isDropping) this.#endOverrun();
    const canBegin = this.#isRecording || (this.#isFeedReported && this.#isSlateComplete());
    if (this.#wantsSync && !this.#isDropping && canBegin) this.#beginSync(nowMs);
    if (this.#syncSlot !== NONE && !this.#isDropping) this.#syncStep(nowMs);
    this.#ring.settle(nowMs);
  }

  /** Call it when the slate is complete. The tape can rely on the slate from the end of the next sync on. */
  snapshotComplete(): void {
    this.#isFeedReported = false;
    if (!this.#isRecording || this.#isFeedLost) this.#wantsSync = true;
  }

  /**
   * Notes whether every source of the feed is lost. Call it about once a second, even if nothing has changed.
   */
  feedState(isLost: boolean, nowMs: number): void {
    this.#isFeedReported = true;
    if (isLost === this.#isFeedLost) return;
    this.#isFeedLost = isLost;
    if (!this.#isRecording) return;
    if (isLost) this.#mark(TAPE_KIND.feedLost, nowMs);
    else this.#wantsSync = true;
  }

  /** Records a gap after a long pause between steps, because changes were not seen when they happened. */
  #noteUnseen(nowMs: number): void {
    const settledAtMs = this.#ring.settledAtMs();
    if (!this.#isRecording || nowMs - settledAtMs < UNSEEN_MS_MIN) return;
    this.#mark(TAPE_KIND.unseen, settledAtMs);
    this.#wantsSync = true;
  }

  /**
   * Whether the first snapshot is complete. Before it, the slate is empty or restored from a file, so it is
   * not recorded.
   */
  #isSlateComplete(): boolean {
    return Atomics.load(this.#views.control, CONTROL.snapshotComplete) === 1;
  }

  #beginSync(nowMs: number): void {
    this.#wantsSync = false;
    if (!this.#mark(TAPE_KIND.syncBegin, nowMs)) return;
    // No change waits for the first sync, so its only step may be as long as the ring allows.
    this.#syncStepMax = this.#isRecording ? this.#stepRecords : Number.POSITIVE_INFINITY;
    this.#isRecording = true;
    this.#syncSlot = 0;
  }

  #syncStep(nowMs: number): void {
    const { slotPage, control, quoteCount } = this.#views;
    const slotCount = Atomics.load(control, CONTROL.slotCount);
    let left = Math.min(this.#syncStepMax, this.#ring.room() - this.#ring.capacity / SYNC_ROOM_SHARE);
    while (this.#syncSlot < slotCount) {
      const page = Atomics.load(slotPage, this.#syncSlot);
      if (page !== NONE) {
        left -= quoteCount[page]! + 1;
        if (left < 0) break;
        this.#wholePage(page);
      }
      this.#syncSlot++;
    }
    this.#endBatch(nowMs);
    if (this.#syncSlot < slotCount) return;
    if (this.#mark(TAPE_KIND.syncEnd, nowMs)) this.#syncSlot = NONE;
  }

  /** Once half of the ring is free again, records the loss and begins to send the whole slate. */
  #endOverrun(): void {
    if (this.#ring.room() < this.#ring.capacity / 2) return;
    this.#isDropping = false;
    this.#mark(TAPE_KIND.overrun, this.#overrunFromMs);
    this.#wantsSync = true;
  }

  /** Writes a record without a line. @returns false when there was no room */
  #mark(kind: number, atMs: number): boolean {
    const place = this.#take();
    if (place === NONE) return false;
    const head = packHead({ kind, eventStatus: this.#isFeedLost ? 1 : 0, sport: 0 });
    this.#ring.words[place * RECORD_WORDS + TAPE_WORD.head] = head;
    this.#ring.commit(atMs);
    return true;
  }

  #endBatch(nowMs: number): void {
    this.#ring.commit(nowMs);
    if (this.#droppedCount === 0) return;
    this.#ring.countDropped(this.#droppedCount);
    this.#droppedCount = 0;
  }

  #wholePage(page: number): void {
    const { quoteCount, capacity } = this.#views;
    this.#pack(page);
    this.#described(page);
    const first = page * capacity.quotesPerFixture;
    for (let row = first; row < first + quoteCount[page]!; row++) this.#line(row);
  }

  #left(page: number): void {
    this.#pack(page);
    this.#fixture(TAPE_KIND.left);
  }

  #difference(old: number, page: number): void {
    this.#pack(page);
    if (this.#isOtherFixture(old, page)) this.#described(page);
    const count = this.#changedRows(old, page);
    if (count === NONE) this.#otherLines(old, page);
    else for (let index = 0; index < count; index++) this.#line(this.#rows[index]!);
  }

  /**
   * Finds the rows of lines that changed. What a batch changes has a higher version than the old page. Only
   * for such rows are the rows of the old page read, because most lines stay and the old page may be out of
   * the processor's cache.
   * @returns how many changed, with their rows in `#rows`; or NONE if lines came or went
   */
  #changedRows(old: number, page: number): number {
    const { quoteKey, quoteCount, capacity, quoteVersion, version } = this.#views;
    const length = quoteCount[page]!;
    if (quoteCount[old]! !== length) return NONE;
    const oldVersion = version[old]!;
    const first = page * capacity.quotesPerFixture;
    const shift = old * capacity.quotesPerFixture - first;
    let count = 0;
    for (let row = first; row < first + length; row++) {
      if (quoteVersion[row]! <= oldVersion) continue;
      if (quoteKey[row] !== quoteKey[row + shift]) return NONE;
      if (this.#isOtherLine(row + shift, row)) this.#rows[count++] = row;
    }
    return count;
  }

  /** Rows of both pages are sorted by key, so one walk over both finds what came, changed and went. */
  #otherLines(old: number, page: number): void {
    const { quoteKey, quoteCount, capacity, quoteVersion } = this.#views;
    let oldRow = old * capacity.quotesPerFixture;
    let row = page * capacity.quotesPerFixture;
    const oldEnd = oldRow + quoteCount[old]!;
    const end = row + quoteCount[page]!;
    while (oldRow < oldEnd || row < end) {
      const oldKey = oldRow < oldEnd ? quoteKey[oldRow]! : Number.POSITIVE_INFINITY;
      const key = row < end ? quoteKey[row]! : Number.POSITIVE_INFINITY;
      if (oldKey < key) this.#withdrawn(page, quoteKey[oldRow++]!);
      else if (key < oldKey) this.#line(row++);
      else {
        if (quoteVersion[oldRow] !== quoteVersion[row] && this.#isOtherLine(oldRow, row)) this.#line(row);
        oldRow++;
        row++;
      }
    }
  }

  /** Whether the line differs in more than its time. A withheld line is shown as suspended. */
  #isOtherLine(oldRow: number, row: number): boolean {
    const { priceE4A, priceE4B, priceE4C, quoteStatus } = this.#views;
    return (
      priceE4A[oldRow] !== priceE4A[row] ||
      priceE4B[oldRow] !== priceE4B[row] ||
      priceE4C[oldRow] !== priceE4C[row] ||
      Math.min(quoteStatus[oldRow]!, 1) !== Math.min(quoteStatus[row]!, 1)
    );
  }

  #isOtherFixture(old: number, page: number): boolean {
    const { scheduledAtMs, status, leagueEntity, homeEntity, awayEntity } = this.#views;
    const { scoreHome, scoreAway, cardsHome, cardsAway, identityVersion, stateVersion } = this.#views;
    // Comparing two versions replaces comparing nine columns for most pages, because most pages changed only
    // in their quotes.
    if (identityVersion[old] === identityVersion[page] && stateVersion[old] === stateVersion[page])
      return false;
    return (
      !Object.is(scheduledAtMs[old], scheduledAtMs[page]) ||
      status[old] !== status[page] ||
      leagueEntity[old] !== leagueEntity[page] ||
      homeEntity[old] !== homeEntity[page] ||
      awayEntity[old] !== awayEntity[page] ||
      scoreHome[old] !== scoreHome[page] ||
      scoreAway[old] !== scoreAway[page] ||
      cardsHome[old] !== cardsHome[page] ||
      cardsAway[old] !== cardsAway[page]
    );
  }

  /** Writes the fixture as it is now known, with its red cards. */
  #described(page: number): void {
    const place = this.#fixture(TAPE_KIND.fixture);
    if (place === NONE) return;
    const at = place * RECORD_WORDS;
    this.#ring.words[at + TAPE_WORD.cardsHome] = this.#views.cardsHome[page]!;
    this.#ring.words[at + TAPE_WORD.cardsAway] = this.#views.cardsAway[page]!;
  }

  #line(row: number): void {
    const place = this.#take();
    if (place === NONE) return;
    const { words, floats } = this.#ring;
    const { quoteKey, priceE4A, priceE4B, priceE4C, quoteStatus, quoteAtMs } = this.#views;
    const at = place * RECORD_WORDS;
    words[at + TAPE_WORD.head] = withLineStatus(this.#lineHead, Math.min(quoteStatus[row]!, 1));
    words[at + TAPE_WORD.quoteKey] = quoteKey[row]!;
    words[at + TAPE_WORD.priceA] = priceE4A[row]!;
    words[at + TAPE_WORD.priceB] = priceE4B[row]!;
    words[at + TAPE_WORD.priceC] = priceE4C[row]!;
    this.#writeFixture(at);
    floats[at / 2 + TAPE_FLOAT.quoteAtMs] = quoteAtMs[row]!;
  }

  /**
   * Writes the withdrawal of a line. Its source time is that of the fixture's last message. For a line of
   * another bookmaker, messages of the sharp bookmaker do not count, so that the row does not show when one
   * came.
   */
  #withdrawn(page: number, key: number): void {
    const place = this.#take();
    if (place === NONE) return;
    const { words, floats } = this.#ring;
    const { lastMessageAtMs, commonMessageAtMs } = this.#views;
    const messageAtMs = isSharpBookmaker(bookmakerOfKey(key)) ? lastMessageAtMs : commonMessageAtMs;
    const at = place * RECORD_WORDS;
    words[at + TAPE_WORD.head] = withLineStatus(this.#lineHead, TAPE_LINE_WITHDRAWN);
    words[at + TAPE_WORD.quoteKey] = key;
    words[at + TAPE_WORD.priceA] = 0;
    words[at + TAPE_WORD.priceB] = 0;
    words[at + TAPE_WORD.priceC] = 0;
    this.#writeFixture(at);
    floats[at / 2 + TAPE_FLOAT.quoteAtMs] = messageAtMs[page]!;
  }

  /** Writes a record with only the packed fixture. @returns its place, or NONE when it was dropped */
  #fixture(kind: number): number {
    const place = this.#take();
    if (place === NONE) return NONE;
    const at = place * RECORD_WORDS;
    this.#ring.words[at + TAPE_WORD.head] = (this.#lineHead & ~TAPE_KIND.line) | kind;
    this.#writeFixture(at);
    return place;
  }

  /**
   * Packs what every record of a page says about the fixture. It is called once per page, because most pages
   * have several records.
   */
  #pack(page: number): void {
    const views = this.#views;
    const { leagueEntity, homeEntity, awayEntity } = views;
    const head = { kind: TAPE_KIND.line, eventStatus: views.status[page]!, sport: views.sport[page]! };
    this.#lineHead = packHead(head);
    this.#score = packScore(views.scoreHome[page]!, views.scoreAway[page]!);
    this.#eventNumber = views.eventNumber[page]!;
    this.#scheduledAtMs = views.scheduledAtMs[page]!;
    this.#entities = packEntities(leagueEntity[page]!, homeEntity[page]!, awayEntity[page]!);
  }

  #writeFixture(at: number): void {
    const { words, floats } = this.#ring;
    const half = at / 2;
    words[at + TAPE_WORD.score] = this.#score;
    floats[half + TAPE_FLOAT.eventNumber] = this.#eventNumber;
    floats[half + TAPE_FLOAT.scheduledAtMs] = this.#scheduledAtMs;
    floats[half + TAPE_FLOAT.entities] = this.#entities;
  }

  #take(): number {
    const place = this.#isDropping ? NONE : this.#ring.take();
    if (place === NONE) this.#drop();
    return place;
  }

  /**
   * Counts a record that was dropped. Records are dropped until half of the ring is free; then the slate is
   * sent again.
   */
  #drop(): void {
    this.#droppedCount++;
    if (this.#isDropping) return;
    this.#isDropping = true;
    this.#syncSlot = NONE;
    this.#overrunFromMs = this.#ring.settledAtMs();
  }
}
