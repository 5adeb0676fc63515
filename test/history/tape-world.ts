// A writer of a small slate, its ring and a tape in a folder of its own. The test sets the clock. Beside them
// is the plain model: a list of the changes that readers of the slate saw at each publish.

import { appendFileSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { type Clock, DAY_MS } from '../../src/clock.ts';
import {
  BOOKMAKER_KEYS,
  QUOTE_OPEN,
  SHARP_BOOKMAKERS,
  STATUS_LIVE,
  STATUS_SCHEDULED,
} from '../../src/domain/catalogue.ts';
import { encodeId } from '../../src/domain/ids.ts';
import { dayOfPath, PRICES_PREFIX } from '../../src/history/files/folder.ts';
import { LocalFolder } from '../../src/history/files/local-folder.ts';
import { openTickFile } from '../../src/history/files/parquet-file.ts';
import { rowsOf } from '../../src/history/imports/imported-days.ts';
import { FixtureNames } from '../../src/history/live/fixture-names.ts';
import { StandbyRing } from '../../src/history/live/standby-ring.ts';
import { openingTag } from '../../src/history/live/tape-log.ts';
import type { TapeListener } from '../../src/history/live/tape-state.ts';
import { TapeWriter, type TapeWriterOptions } from '../../src/history/live/tape-writer.ts';
import { pairOf, type TapeMark } from '../../src/history/mark.ts';
import type { PastFixture } from '../../src/history/past/past-fixture.ts';
import type { TapeReader } from '../../src/history/past/tape-reader.ts';
import { periodBegin } from '../../src/history/past/whole-periods.ts';
import type { Tick } from '../../src/history/tick.ts';
import { createLog } from '../../src/log.ts';
import { createStore } from '../../src/store/layout.ts';
import { packQuoteKey } from '../../src/store/quote-key.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { createTapeRing, TapeRingReader, TapeRingWriter, tapeRingId } from '../../src/store/tape-ring.ts';
import type { TapeRecorder } from '../../src/store/writer/tape-recorder.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { tapeIn } from './tape-folder.ts';

export const EVENT_NUMBERS = [1, 2, 3, 4];
export const FIXTURES = EVENT_NUMBERS.length;
const CAPACITY = {
  fixtures: FIXTURES,
  quotesPerFixture: 16,
  openingsPerFixture: 4,
  entities: 64,
  arenaBytes: 4_096,
  gracePublishes: 8,
  departures: 16,
};
const SHARP = BOOKMAKER_KEYS.indexOf(SHARP_BOOKMAKERS[0]!.key);
/** Four lines of a fixture: 1x2, handicap and totals of two bookmakers, one of them sharp. */
export const KEYS = [
  packQuoteKey(0, 0, 0, 0),
  packQuoteKey(1, 0, -3, SHARP),
  packQuoteKey(2, 0, 10, 0),
  packQuoteKey(2, 1, 5, SHARP),
];
const START_MS = Date.UTC(2026, 5, 19, 22);

/** A tick as the model knows it. */
export type ModelTick = Pick<
  Tick,
  'eventId' | 'bookmaker' | 'marketType' | 'line' | 'status' | 'receivedAtMs'
> & {
  readonly prices: string;
};

export interface WorldOptions {
  /** The folder of the history. Default: a new one, which is deleted with the world. */
  readonly path?: string;
  readonly ringRecords?: number;
  readonly liveTicksMax?: number;
  /** Most records of a step of a later sync. */
  readonly syncStepRecords?: number;
  /** How long files are kept. */
  readonly days?: number;
  /** Worlds with different numbers have different rings. */
  readonly number?: number;
  /** Whether the folder may apply a write late, as a bucket does. */
  readonly mayApplyLate?: boolean;
}

export class TapeWorld {
  readonly path: string;
  readonly #ownFolder: TemporaryFolder | null;
  nowMs = START_MS;
  readonly clock: Clock = { wallMs: () => this.nowMs, monotonicMs: () => this.nowMs };
  /** The fixtures that readers of the slate saw, as `id lines state`, by the time of publishing. */
  readonly listed = new Map<number, readonly string[]>();
  /**
   * The states in which readers of the slate saw a fixture, by event id. Each is a `time state` at which the
   * status, score or red cards changed.
   */
  readonly states = new Map<string, string[]>();
  /** The changes that readers of the slate saw, in order. */
  readonly published: ModelTick[] = [];
  readonly #options: WorldOptions;
  #ringCount = 0;
  #tapeCount = 0;
  #ring!: SharedArrayBuffer;
  #store!: SharedArrayBuffer;
  #slate!: SlateReader;
  #writer!: SlateWriter;
  #recorder!: TapeRecorder;
  #standby: StandbyRing | null = null;
  #isDead = false;
  #shown = new Map<string, ModelTick>();
  tape!: TapeWriter;
  /** Is notified by tapes that start after this is set. */
  listener: TapeListener | null = null;
  /** Set while the ingest thread makes no steps. */
  isStandingStill = false;
  /** The operation that gets stuck in tapes that start after this is set. */
  stuckAt: StuckAt | null = null;
  /** Whether the folder fails to remove a log. */
  failsToRemove: (logPath: string) => boolean = () => false;
  /** Called before a file is removed, which fails if this throws. */
  onRemove: (path: string) => void = () => {};
  /** Called before files are listed. */
  onList: () => void = () => {};
  /** What the tape has logged: warnings and errors. */
  readonly logged: string[] = [];
  /** Called before a chunk is appended to a log, which fails if this throws. */
  onAppend: (path: string, offset: number, bytes: Uint8Array) => void = () => {};
  #folder: MortalFolder | null = null;

  constructor(options: WorldOptions = {}) {
    this.#options = options;
    this.#ownFolder = options.path === undefined ? temporaryFolder() : null;
    this.path = options.path ?? this.#ownFolder!.path;
  }

  /** Starts the process, with an empty slate. */
  async start(): Promise<void> {
    this.startSlate();
    await this.startTape();
  }

  /** Starts the process, and puts these fixtures on the slate. */
  async startWith(...events: readonly number[]): Promise<void> {
    await this.start();
    for (const event of events) this.putFixture(event);
    this.feedIsBack();
  }

  /** Starts the slate and its ring, on a node that writes no tape yet. */
  startSlate(): void {
    const { ringRecords = 256, number = 0 } = this.#options;
    this.#ring = createTapeRing(ringRecords, number + ++this.#ringCount);
    this.#store = createStore(this.nowMs, CAPACITY);
    this.#slate = new SlateReader(this.#store);
    this.#standby = new StandbyRing(new TapeRingReader(this.#ring));
    this.startIngest();
  }

  /** Lets the standby drop what is old, as it does several times a second. */
  trim(): void {
    this.#standby!.trim(this.nowMs);
  }

  /** Lets the standby take over from a leader in the same folder. */
  async takeOver(): Promise<void> {
    const standby = this.#standby!;
    await this.startTape({ isShared: true, hasAllSince: (instantMs) => standby.hasAllSince(instantMs) });
  }

  /** Starts the ingest thread, which continues with the present slate and ring. */
  startIngest(): void {
    this.#writer = new SlateWriter(this.#store);
    this.#recorder = this.#writer.recordTo(this.#ring, this.clock, this.#options.syncStepRecords);
  }

  /** Starts the history thread. If one is already running, it is dropped without a stop, as in a crash. */
  async startTape(shared: Partial<Pick<TapeWriterOptions, 'isShared' | 'hasAllSince'>> = {}): Promise<void> {
    await this.#folder?.die();
    const { path, stuckAt } = this;
    const { mayApplyLate = false } = this.#options;
    this.#folder = new MortalFolder({ path, mayApplyLate }, stuckAt, this);
    const reader = new SlateReader(this.#store);
    const names = new FixtureNames({
      name: (row) => reader.name(row),
      number: (row) => reader.columns.entityNumber[row]!,
    });
    const ringId = tapeRingId(this.#ring);
    this.tape = await TapeWriter.open({
      ring: new TapeRingReader(this.#ring),
      ringId,
      describe: (words, floats, place) => names.describe(words, floats, place),
      folder: this.#folder,
      clock: this.clock,
      log: createLog({
        clock: this.clock,
        json: false,
        level: 'warn',
        write: (line) => this.logged.push(line),
      }),
      limits: { days: this.#options.days ?? 1_000, bytes: 1e12 },
      ...(this.listener === null ? {} : { listener: this.listener }),
      // In a test, unlike in a real process, the tape may be opened twice in one millisecond. The counter
      // keeps the tags different.
      tag: `${openingTag({ ringId, openedAtMs: this.nowMs })}-${String(++this.#tapeCount).padStart(4, '0')}`,
      ...shared,
      liveTicksMax: this.#options.liveTicksMax ?? 40,
    });
  }

  /** Sets the wall clock back. Ingest notices it if it is more than a second. */
  setBack(byMs: number): void {
    this.nowMs -= byMs;
    if (byMs > 1_000) this.#writer.setBackClock({ nowMs: this.nowMs, byMs });
  }

  /** Completes the first snapshot, or brings the feed back. */
  feedIsBack(): void {
    this.feedReturns();
    this.settle();
  }

  /** Does the same as `feedIsBack`, but the recorder notices it only at its next step. */
  feedReturns(): void {
    this.#writer.setSnapshotComplete();
    this.#writer.setSourceReports([sourceReport(true)]);
  }

  /** Completes the first snapshot, without a report about the source, which the test sends later. */
  snapshotIsComplete(): void {
    this.#writer.setSnapshotComplete();
  }

  feedIsLost(): void {
    this.#writer.setSourceReports([sourceReport(false)]);
  }

  /** Lets time pass on the ingest thread. */
  settle(byMs = 10): void {
    this.nowMs += byMs;
    this.#stepsWereMade();
    this.#recorder.step(this.nowMs);
  }

  /** Pauses the whole process, as on a machine that sleeps. */
  standStill(forMs: number): void {
    this.nowMs += forMs;
    this.#recorder.step(this.nowMs);
  }

  /**
   * Marks the recorder's steps as done, as if it had been called ten times a second, however far a test has
   * moved the clock.
   */
  #stepsWereMade(): void {
    if (this.isStandingStill) return;
    new TapeRingWriter(this.#ring).settle(this.nowMs - 1);
  }

  /**
   * @param home a home team that differs from the usual one, for example once the winner of an earlier match
   * is known
   */
  putFixture(
    event: number,
    kickoffMs = START_MS + DAY_MS,
    atMs = this.nowMs,
    home = { number: 10 + event, name: `Home ${event}` },
  ): void {
    this.#writer.putFixture({
      eventNumber: event,
      sport: 0,
      league: { number: 1, name: 'League' },
      home,
      away: { number: 20 + event, name: `Away ${event}` },
      scheduledAtMs: kickoffMs,
      atMs,
    });
  }

  setLive(event: number, isLive: boolean, { goals = 1, reds = -1, atMs = this.nowMs } = {}): void {
    const status = isLive ? STATUS_LIVE : STATUS_SCHEDULED;
    const slot = this.#writer.slotOf(event);
    if (slot < 0) return;
    const cards = reds < 0 ? null : ([0, reds] as const);
    this.#writer.putState(slot, { status, clock: null, score: [goals, 0], cards, atMs });
  }

  /** Publishes an open price of fixture 1's first line. */
  publishPrice(price: number): void {
    this.putQuote(1, KEYS[0]!, price);
    this.publish();
  }

  putQuote(event: number, key: number, price: number, status = QUOTE_OPEN, atMs = this.nowMs): void {
    const slot = this.#writer.slotOf(event);
    if (slot >= 0) this.#writer.quotes.putQuote(slot, key, price, price + 1, price + 2, status, atMs);
  }

  closeQuote(event: number, key: number, atMs = this.nowMs): void {
    const slot = this.#writer.slotOf(event);
    if (slot >= 0) this.#writer.quotes.closeQuote(slot, key, atMs);
  }

  remove(event: number): void {
    const slot = this.#writer.slotOf(event);
    if (slot >= 0) this.#writer.removeFixture(slot);
  }

  /**
   * Writes everything in the ring to the tape. While two segments wait to become files, the tape reads
   * nothing, so this waits for them if it must.
   */
  async drained(): Promise<void> {
    const ring = new TapeRingReader(this.#ring);
    const isBehind = (await this.tape.catchUp()) < periodBegin(ring.settledAtMs());
    if (isBehind || ring.waitingCount() > 0) await this.tape.sealed();
  }

  /**
   * Writes the ring to the tape, then waits until its files are sealed, or until the faulty folder blocks.
   * After that, nothing writes to the folder.
   */
  async atRest(): Promise<void> {
    await this.tape.step();
    await Promise.race([this.tape.sealed(), this.#folder!.stuck]);
  }

  /** Simulates a disk that failed and was mounted again: the newest log has lost its second half. */
  async mountAgain(): Promise<void> {
    await this.#folder!.close();
    const path = `${this.path}/${(await this.#folder!.logs()).at(-1)!}`;
    truncateSync(path, Math.floor(statSync(path).size / 2));
  }

  /** Kills this node, which then writes nothing any more. */
  async die(): Promise<void> {
    this.#isDead = true;
    await this.#folder?.die();
  }

  /** Publishes each change on its own, a second after the one before, and waits until the tape has them. */
  async publishEach(...changes: readonly (() => void)[]): Promise<void> {
    for (const change of changes) {
      this.settle(1_000);
      change();
      this.publish();
    }
    await this.atRest();
  }

  /** Publishes the batch, and records the changes that readers see. */
  publish(): void {
    this.nowMs++;
    this.#stepsWereMade();
    this.#writer.publish(this.nowMs);
    const shown = this.#lines();
    for (const [name, line] of this.#shown) {
      if (!shown.has(name))
        this.published.push({ ...line, status: 'withdrawn', prices: '', receivedAtMs: this.nowMs });
    }
    for (const [name, line] of shown) {
      const before = this.#shown.get(name);
      if (before?.prices !== line.prices || before.status !== line.status) this.published.push(line);
    }
    this.#shown = shown;
    this.listed.set(this.nowMs, this.#listed());
  }

  /**
   * What the tape has at an instant, in the form of `listed`. It is read from the files and the live part.
   */
  async listedAt(atMs: number): Promise<readonly string[]> {
    return (await this.listedAtAll([atMs]))[0]!;
  }

  /** What the tape has at several instants, in the form of `listed`. */
  async listedAtAll(instants: readonly number[]): Promise<(readonly string[])[]> {
    const tape = this.#reader();
    const found: (readonly string[])[] = [];
    for (const atMs of instants) {
      const listed: string[] = [];
      for (const past of (await tape.slateAt(atMs, 'all')).fixtures()) {
        const { eventId } = past.fixture;
        const one = await tape.fixtureAt(eventId, atMs, 'all');
        const text = listedText(past);
        if (one === null || listedText(one) !== text) throw new Error(`two states of ${eventId}: ${text}`);
        listed.push(text);
      }
      found.push(listed.sort());
    }
    tape.close();
    return found;
  }

  /** Reads the tape. */
  async reading<T>(read: (tape: TapeReader) => Promise<T>): Promise<T> {
    const tape = this.#reader();
    const result = await read(tape);
    tape.close();
    return result;
  }

  /** The states of a fixture on the tape, in the form of `states`. */
  async statesOf(eventId: string): Promise<readonly string[]> {
    const range = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
    const states = await this.reading((tape) => tape.statesOf(eventId, range));
    return states.map((mark) => `${mark.atMs} ${stateText(mark)}`);
  }

  #reader(): TapeReader {
    return tapeIn(new LocalFolder(this.path), this.tape);
  }

  /** The lines that the tape has at an instant, as `line status price`. */
  async standingAt(atMs: number): Promise<readonly string[]> {
    return (await this.standingsAt([atMs]))[0]!;
  }

  /** The lines that the tape has at several instants, each as `line status price`. */
  async standingsAt(instants: readonly number[]): Promise<(readonly string[])[]> {
    const tape = this.#reader();
    const found: (readonly string[])[] = [];
    for (const atMs of instants) found.push(this.textsOf([...(await tape.slateAt(atMs, 'all')).fixtures()]));
    tape.close();
    return found;
  }

  /** The lines of a slate, each as `line status price`. */
  textsOf(slate: readonly { readonly standing: readonly Tick[] }[]): readonly string[] {
    return slate
      .flatMap(({ standing }) => standing)
      .map((tick) => `${nameOf(tick)} ${tick.status} ${tick.pricesE4.home ?? tick.pricesE4.over}`)
      .sort();
  }

  /**
   * Kills the process in the middle of a write, so that the log ends with `torn` bytes, and starts it again.
   * @param meanwhile changes the folder before the start
   */
  async killed(torn: number, meanwhile: () => void = () => {}): Promise<void> {
    await this.#folder?.die();
    const last = (await new LocalFolder(this.path).logs()).at(-1);
    if (last !== undefined) {
      const path = `${this.path}/${last}`;
      const bytes = readFileSync(path);
      appendFileSync(path, bytes.subarray(0, Math.min(torn, bytes.length - 1)));
    }
    this.nowMs += 5_000;
    meanwhile();
    await this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isDead && this.#folder !== null) await this.tape.close();
    await this.#folder?.die();
    this.#ownFolder?.[Symbol.dispose]();
  }

  /** The lines on the slate now. */
  shownLines(): readonly ModelTick[] {
    return [...this.#shown.values()];
  }

  /** The lines on the slate now, in the form of `standingAt`. */
  shownTexts(): readonly string[] {
    return this.shownLines()
      .map((line) => `${nameOf(line)} ${line.status} ${line.prices.split(',')[0]}`)
      .sort();
  }

  /** Every tick on the tape, first those in files, then those in memory; and the files. */
  async taped(): Promise<{ readonly ticks: Tick[]; readonly files: string[] }> {
    await this.tape.sealed();
    const folder = new LocalFolder(this.path);
    const files = (await folder.list(PRICES_PREFIX)).map(({ path }) => path);
    const ticks: Tick[] = [];
    const seen = new Set<string>();
    for (const path of files) {
      seen.add(path.slice(path.lastIndexOf('/') + 1));
      const file = await openTickFile(await folder.open(path));
      for (const tick of await rowsOf(file)) {
        if (!tick.standing && dayOfPath(path) === null) throw new Error(`a file in the wrong place: ${path}`);
        ticks.push(tick);
      }
    }
    for (const eventId of this.tape.live.eventIds()) ticks.push(...this.tape.live.rowsOf(eventId));
    return { ticks: ticks.filter(({ standing }) => !standing), files };
  }

  #listed(): readonly string[] {
    const reader = this.#slate;
    const listed: string[] = [];
    for (let event = 1; event <= FIXTURES + 2; event++) {
      reader.readEvent(event, (page) => {
        const { status, quoteCount, scoreHome, scoreAway, cardsHome, cardsAway } = reader.columns;
        const eventId = encodeId('event', event);
        const state = stateText({
          status: status[page]!,
          score: pairOf(scoreHome[page], scoreAway[page]),
          cards: pairOf(cardsHome[page], cardsAway[page]),
        });
        listed.push(`${eventId} ${quoteCount[page]} ${state}`);
        const states = this.states.get(eventId) ?? [];
        this.states.set(eventId, states);
        if (states.at(-1)?.endsWith(` ${state}`) !== true) states.push(`${this.nowMs} ${state}`);
      });
    }
    return listed.sort();
  }

  #lines(): Map<string, ModelTick> {
    const reader = this.#slate;
    const lines = new Map<string, ModelTick>();
    const { columns } = reader;
    for (let event = 1; event <= FIXTURES + 2; event++) {
      reader.readEvent(event, (page) => {
        const first = page * CAPACITY.quotesPerFixture;
        for (let row = first; row < first + columns.quoteCount[page]!; row++) {
          const line = lineOf(event, columns.quoteKey[row]!);
          const prices = [columns.priceE4A[row], columns.priceE4B[row], columns.priceE4C[row]].join();
          const status = columns.quoteStatus[row] === QUOTE_OPEN ? 'open' : 'suspended';
          lines.set(nameOf(line), { ...line, prices, status, receivedAtMs: this.nowMs });
        }
      });
    }
    return lines;
  }
}

/** An operation that can get stuck: writing a file of prices, or removing a log whose file exists. */
export type StuckAt = 'file' | 'log removal';

/**
 * The folder of a thread that can die. When the thread dies, an operation that has begun still ends, and no
 * further one begins.
 */
class MortalFolder extends LocalFolder {
  readonly #running = new Set<Promise<unknown>>();
  readonly #stuckAt: StuckAt | null;
  readonly #faults: Pick<TapeWorld, 'failsToRemove' | 'onAppend' | 'onList' | 'onRemove'>;
  readonly #stuck = Promise.withResolvers<void>();
  #isDead = false;

  override readonly mayApplyLate: boolean;

  constructor(
    { path, mayApplyLate }: { readonly path: string; readonly mayApplyLate: boolean },
    stuckAt: StuckAt | null,
    faults: Pick<TapeWorld, 'failsToRemove' | 'onAppend' | 'onList' | 'onRemove'>,
  ) {
    super(path);
    this.mayApplyLate = mayApplyLate;
    this.#stuckAt = stuckAt;
    this.#faults = faults;
  }

  /** Resolves when an operation gets stuck. */
  get stuck(): Promise<void> {
    return this.#stuck.promise;
  }

  async die(): Promise<void> {
    this.#isDead = true;
    await Promise.allSettled(this.#running);
    await super.close();
  }

  override list(prefix: string): ReturnType<LocalFolder['list']> {
    this.#faults.onList();
    return super.list(prefix);
  }

  override write(path: string, bytes: Uint8Array): Promise<void> {
    if (this.#stuckAt === 'file' && path.startsWith(PRICES_PREFIX)) return this.#hang();
    return this.#alive(() => super.write(path, bytes));
  }

  override append(path: string, offset: number, bytes: Uint8Array): Promise<void> {
    return this.#alive(async () => {
      this.#faults.onAppend(path, offset, bytes);
      await super.append(path, offset, bytes);
    });
  }

  override remove(path: string): Promise<void> {
    return this.#alive(async () => {
      this.#faults.onRemove(path);
      await super.remove(path);
    });
  }

  override removeLog(path: string): Promise<void> {
    if (this.#stuckAt === 'log removal') return this.#hang();
    if (this.#faults.failsToRemove(path))
      return Promise.reject(Object.assign(new Error('503'), { code: 'EIO' }));
    return this.#alive(() => super.removeLog(path));
  }

  #hang(): Promise<void> {
    this.#stuck.resolve();
    return new Promise(() => {});
  }

  #alive(work: () => Promise<void>): Promise<void> {
    // This promise never resolves, so nothing runs after it, as in a thread that died.
    if (this.#isDead) return new Promise(() => {});
    const running = work();
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }
}

/** A fixture of the past in the form of `listed`. */
export function listedText(past: PastFixture): string {
  return `${past.fixture.eventId} ${past.standing.length} ${stateText(past)}`;
}

/** The state of a mark in words. */
export function stateText({ status, score, cards }: Pick<TapeMark, 'status' | 'score' | 'cards'>): string {
  return `status ${status}, score ${score?.join('-')}, cards ${cards?.join('-')}`;
}

type LineName = Pick<Tick, 'eventId' | 'bookmaker' | 'marketType' | 'line'>;

const LINES: readonly Omit<LineName, 'eventId'>[] = [
  { bookmaker: 'pinnacle', marketType: '1x2', line: null },
  { bookmaker: '', marketType: 'asian_handicap', line: -0.75 },
  { bookmaker: 'pinnacle', marketType: 'totals', line: 2.5 },
  { bookmaker: '', marketType: 'totals', line: 1.25 },
];

/** The line of a fixture that one of the quote keys in KEYS means. */
export function lineOf(event: number, key: number): LineName {
  return { eventId: encodeId('event', event), ...LINES[KEYS.indexOf(key)]! };
}

/** A line as one text, which is the same for the model and the tape. */
export function nameOf({ eventId, marketType, line }: Pick<Tick, 'eventId' | 'marketType' | 'line'>): string {
  return `${eventId} ${marketType} ${line}`;
}

/** A tick of the tape as the text that the model has for it. */
export function asModel(tick: Tick): string {
  const { home, draw, away, over, under } = tick.pricesE4;
  const prices = [home, draw, away, over, under].filter((price) => price !== null);
  return `${nameOf(tick)} ${tick.status} ${prices[0] ?? ''} @${tick.receivedAtMs}`;
}

/** A tick of the model as a text. */
export function modelText(tick: ModelTick): string {
  return `${nameOf(tick)} ${tick.status} ${tick.prices.split(',')[0]} @${tick.receivedAtMs}`;
}

function sourceReport(isConnected: boolean) {
  return {
    name: 'test',
    state: 'ok',
    reason: null,
    isConnected,
    heardAtMs: null,
    appliedAtMs: null,
    lostSinceMs: null,
    clockAheadMs: 0,
    nextTryAtMs: null,
    requestsAsked: 0,
    requestsAnswered: 0,
    epochs: 0,
    creditsSpent: 0,
    creditsLeft: null,
    periodEndMs: null,
    failures: {},
    counts: {},
    unmapped: {},
    requests: [],
  };
}
