// The feed, the network and the ingest thread of a run, and a model of the slate that follows the protocol.
// The ingest thread may die between any two steps. Readers then find each fixture as one of its last
// publishes made it, and another thread takes over from there.

import { Database } from 'bun:sqlite';
import { ArchiveWriter } from '../../src/archive/archive-writer.ts';
import { ARCHIVE_SCHEMA } from '../../src/archive/tables.ts';
import { BOOKMAKER_KEYS, MARKET_TYPES } from '../../src/domain/catalogue.ts';
import { entityNumber } from '../../src/domain/ids.ts';
import { FeedQueue, type QueueEntry } from '../../src/ingest/feed-queue.ts';
import { FEED_AHEAD_MS_MAX } from '../../src/limits.ts';
import { createStore, type StoreCapacity } from '../../src/store/layout.ts';
import { packQuoteKey } from '../../src/store/quote-key.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { helloWire, type WireMessage, wireTime } from '../feed/wire.ts';
import { FeedModel, type ModelFixture } from '../ingest/feed-model.ts';
import { IngestDesk, ROOMY, seenFixture } from '../ingest/ingest-desk.ts';
import { Broken, holds } from './check.ts';
import { EVENTS, type Fate, START_MS } from './script.ts';
import { inSteps } from './steps.ts';

/** The capacity is small, so that pages are reused, cursors become too old and the queue overflows. */
const CAPACITY: StoreCapacity = { ...ROOMY, fixtures: 8, gracePublishes: 3, departures: 6 };
const QUEUE_MESSAGES = 32;
const SHARP = 'pinnacle';

/** Fixtures by event, as one publish shows them. */
export type Shown = ReadonlyMap<string, ModelFixture>;

export class FeedSide {
  buffer!: SharedArrayBuffer;
  nowMs = START_MS;
  isDead = false;
  /** The slates that readers may see now: one between two batches, several after a death. */
  candidates: readonly Shown[] = [];
  model!: FeedModel;
  #desk!: IngestDesk;
  #queue!: FeedQueue;
  #tick: (() => void) | null = null;
  #archive!: ArchiveWriter;
  /** Whether this process has already had a complete slate. */
  isServing = false;
  /** Whether a reader is active. It may see any slate that was published since it began. */
  #isWatched = false;
  readonly #disk = new Database(':memory:');
  readonly #sharpShift: number;
  #createdAtMs = 1;
  #seq = 0;
  #epoch = 0;
  #late: WireMessage | null = null;

  /** @param sharpShift is added to the first price of every sharp quote */
  constructor(sharpShift: number) {
    this.#sharpShift = sharpShift;
    this.#disk.exec(ARCHIVE_SCHEMA);
    this.startProcess();
  }

  /** Ends the process at once and starts another. Only what is on the disk stays. */
  startProcess(): void {
    this.buffer = createStore(this.#createdAtMs++, CAPACITY);
    this.model = new FeedModel();
    this.isServing = false;
    this.candidates = [new Map()];
    this.#startThread();
  }

  close(): void {
    this.#disk.close();
  }

  /** The slate of the last publish. */
  get shown(): Shown {
    return this.candidates.at(-1)!;
  }

  say(wire: WireMessage, fate: Fate): void {
    const late = this.#late;
    this.#late = null;
    const numbered = { ...wire, seq: ++this.#seq };
    if (fate === 'late') this.#late = numbered;
    else if (fate === 'garbled') this.#offer({ type: 'garbled' });
    else if (fate !== 'lost') this.#offer(numbered);
    if (fate === 'twice') this.#offer(numbered);
    if (late !== null) this.#offer(late);
  }

  snapshot(wires: readonly WireMessage[], isCut: boolean): void {
    this.#late = null;
    this.#offer(helloWire({ epoch: `${++this.#epoch}` }));
    this.say({ type: 'snapshot_begin' }, 'arrives');
    for (const wire of wires) this.say(wire, 'arrives');
    if (!isCut) this.say({ type: 'snapshot_end' }, 'arrives');
  }

  /** The ingest thread takes over if its predecessor died; otherwise it applies the waiting messages. */
  batch(plan: { diesAfter: number | null; pausesAfter: number | null; others: () => void }): void {
    if (this.isDead) this.#takeOver();
    const tick = this.#tick;
    this.#tick = null;
    if (tick === null) return;
    this.isDead = inSteps(plan, tick);
    if (!this.isDead) this.#settle();
  }

  time(ms: number, diesAfter: number | null): void {
    this.nowMs += ms;
    if (this.isDead) return;
    this.#desk.nowMs = this.nowMs;
    this.isDead = inSteps({ diesAfter, pausesAfter: null, others: () => undefined }, () =>
      this.#desk.sweep(),
    );
    if (!this.isDead) this.#settle();
  }

  /** The archive writes its waiting rows. */
  async flush(): Promise<void> {
    if (!this.isDead) await this.#archive.flush();
  }

  setDiskFull(isFull: boolean): void {
    this.#disk.exec(`PRAGMA query_only = ${isFull ? 1 : 0}`);
  }

  /** Runs a reader. It may see the slate of any publish that happens before it ends. */
  meanwhile(read: () => void): void {
    this.#isWatched = true;
    try {
      read();
    } finally {
      this.#isWatched = false;
    }
    if (!this.isDead) this.candidates = [this.shown];
  }

  /** Whether an opening is on the disk, by event, bookmaker, market and line. */
  isOnDisk(opening: string): boolean {
    const [event, bookmaker, market, line] = opening.split(' ');
    const key = packQuoteKey(
      MARKET_TYPES.indexOf(market as (typeof MARKET_TYPES)[number]),
      0,
      Number(line) * 4,
      BOOKMAKER_KEYS.indexOf(bookmaker!),
    );
    const rows = this.#disk.query('SELECT 1 FROM openings WHERE event_number = ? AND quote_key = ?');
    return rows.get(numberOf(event!), key) !== null;
  }

  /** Whether readers find the fixture to which an opening belongs. */
  isShown(opening: string): boolean {
    return new SlateReader(this.buffer).slotOf(numberOf(opening.split(' ')[0]!)) >= 0;
  }

  /**
   * Checks that a fixture, as a reader saw it, is part of a slate that readers may see now.
   * @throws Broken when it is not
   */
  expectCandidate(event: string, seen: string | null): void {
    const texts = this.candidates.map((shown) => textOf(shown.get(event)));
    if (texts.includes(seen)) return;
    throw new Broken(
      `${event} is in no state that was published\n    seen:     ${seen}\n    expected: ${[...new Set(texts)].join('\n          or: ')}`,
    );
  }

  /**
   * Called when nothing is in progress. Checks that a new reader finds every fixture as it was last
   * published, and no other fixture.
   */
  #settle(): void {
    const { candidates } = this;
    this.isServing ||= this.model.isComplete;
    this.candidates = [this.shown];
    const reader = new SlateReader(this.buffer);
    for (const event of EVENTS) this.expectCandidate(event, seenText(reader, event));
    const count = EVENTS.filter((event) => reader.slotOf(numberOf(event)) >= 0).length;
    holds('The slate has as many fixtures as were published', count === this.shown.size);
    if (this.#isWatched) this.candidates = candidates;
  }

  #takeOver(): void {
    this.#startThread(); // first of all, because it may announce pages that the dead thread published
    const reader = new SlateReader(this.buffer);
    const adopted = new Map<string, ModelFixture>();
    for (const event of EVENTS) {
      const seen = seenText(reader, event);
      this.expectCandidate(event, seen);
      const fixture = this.candidates
        .map((shown) => shown.get(event))
        .find((known) => textOf(known) === seen);
      if (fixture !== undefined) adopted.set(event, fixture);
    }
    this.model = new FeedModel(adopted);
    this.candidates = this.#isWatched ? [...this.candidates, adopted] : [adopted];
    this.#settle();
  }

  #startThread(): void {
    this.isDead = false;
    this.#late = null;
    this.#tick = null;
    const clock = { wallMs: () => this.nowMs, monotonicMs: () => this.nowMs };
    this.#archive = new ArchiveWriter({ database: this.#disk, clock, onError: () => undefined });
    this.#desk = new IngestDesk({ buffer: this.buffer, archive: this.#archive });
    this.#desk.nowMs = this.nowMs;
    this.#queue = new FeedQueue({
      capacity: QUEUE_MESSAGES,
      drain: (entries) => this.#drain(entries),
      schedule: (tick) => {
        this.#tick = tick;
      },
    });
    this.#queue.connection(true);
  }

  #offer(wire: WireMessage): void {
    if (this.isDead) return; // there is no thread to receive it
    const isShifted = wire.type === 'quote' && wire.bookmaker === SHARP;
    const [first, ...rest] = isShifted ? (wire.prices as number[]) : [];
    // If the queue is full, a source that cannot wait loses the message.
    this.#queue.offer(isShifted ? { ...wire, prices: [first! + this.#sharpShift, ...rest] } : wire);
  }

  #drain(entries: readonly QueueEntry[]): void {
    this.#desk.nowMs = this.nowMs;
    const candidates = this.#isWatched ? [...this.candidates] : [this.shown];
    const publish = () => {
      if (!this.model.isInSnapshot) candidates.push(copyOf(this.model.fixtures));
    };
    for (const { message, mark } of entries) {
      if (mark !== null) continue;
      const wire = message as WireMessage;
      if (wire.type === 'snapshot_begin') publish();
      const wasInSnapshot = this.model.isInSnapshot;
      this.model.hear(arrived(wire, this.nowMs));
      if (wasInSnapshot && wire.type === 'snapshot_end') publish();
    }
    publish();
    this.candidates = candidates;
    this.#desk.drain(entries);
  }
}

/**
 * A fixture as readers find it, as text; null when it is not on the slate.
 * @param interrupt called in the middle of the read
 */
export function seenText(
  reader: SlateReader,
  event: string,
  interrupt: () => void = () => undefined,
): string | null {
  const found = reader.readEvent(numberOf(event), (page) => {
    const first = seenFixture(reader, page);
    interrupt();
    const stateAtMs = reader.columns.stateAtMs[page]!;
    return { ...first, stateAtMs, quotes: { ...first.quotes, ...seenFixture(reader, page).quotes } };
  });
  return found === undefined ? null : JSON.stringify(sorted(found));
}

export function numberOf(event: string): number {
  return entityNumber('event', 0, event);
}

function textOf(fixture: ModelFixture | undefined): string | null {
  return fixture === undefined
    ? null
    : JSON.stringify(sorted({ ...fixture, quotes: Object.fromEntries(fixture.quotes) }));
}

function sorted({
  quotes,
  home,
  scheduledAtMs,
  status,
  clock,
  score,
  cards,
  stateAtMs,
  lastMessageAtMs,
}: Omit<ModelFixture, 'quotes'> & { readonly quotes: Readonly<Record<string, unknown>> }) {
  const lines = Object.entries(quotes).sort(([left], [right]) => (left < right ? -1 : 1));
  const times = [scheduledAtMs, stateAtMs, lastMessageAtMs];
  return { home, status, clock, score, cards, times, lines };
}

function copyOf(fixtures: Shown): Shown {
  return new Map(
    [...fixtures].map(([event, fixture]) => [event, { ...fixture, quotes: new Map(fixture.quotes) }]),
  );
}

/**
 * A message as the ingest thread must treat it. A stamp a little ahead of the clock is replaced by the time
 * of arrival. If a message is stamped far ahead, only its sequence number counts.
 */
function arrived(wire: WireMessage, nowMs: number): WireMessage {
  const atMs = Date.parse(String(wire.at));
  if (!(atMs > nowMs) || wire.type === 'hello') return wire;
  return atMs > nowMs + FEED_AHEAD_MS_MAX
    ? { type: 'refused', seq: wire.seq }
    : { ...wire, at: wireTime(nowMs) };
}
