// The race, as data and as the code of both sides. One writer publishes batches in which all data of a
// fixture follow from the batch's number. Readers check that everything they see belongs to one batch. It
// runs in race-worker.ts.

import { attachStore, createStore, type StoreCapacity } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { fixtureOf } from './small-store.ts';

/** Outcomes that no reader may ever see, each with its meaning. */
export const FORBIDDEN = {
  torn_quote: "a quote's price from one batch with a stamp from another",
  score_without_clock: 'a score from one batch with the clock of another',
  half_batch: 'some of a fixture from one batch and some from another, or a row of its batch missing',
  mixed_identity: 'the teams of one fixture on the page of another',
  version_back: 'a version of a fixture below one this reader has seen, or one version with two contents',
  slate_version_back: 'a version of the slate below one this reader has seen',
  mixed_instant: 'an instant at which one fixture is of one batch and another of another',
  foreign_opening: 'an opening that was recorded for the fixture which had the slot before',
  torn_liquidity: 'liquidity of two batches, or of another fixture, or less than was written',
} as const;
export type Forbidden = keyof typeof FORBIDDEN;
type Sightings = Record<Forbidden, number>;

/** The ways in which a writer can be broken. `none` is the real writer. */
export const BREAKAGES = {
  none: 'the writer as it is',
  edits_in_place: 'writes the next batch of a fixture into its published page',
  writes_resting_pages: 'writes into the page it has just replaced, without a change of generation',
  publishes_in_two: 'publishes the first fixture of a batch before the others',
  repeats_versions: 'publishes every batch under the version of the one before',
  edits_liquidity: 'writes the next liquidity of a fixture into the half that readers copy',
} as const;
export type Breakage = keyof typeof BREAKAGES;

/** There are few pages, so that a page is reused while slow readers still read it. */
const CAPACITY: StoreCapacity = {
  fixtures: 3,
  quotesPerFixture: 16,
  openingsPerFixture: 8,
  entities: 64,
  arenaBytes: 2_048,
  gracePublishes: 8,
  departures: 64,
};
const EVENTS = 8;
const SEATED = 3;
const QUOTES_MAX = 12;
const NUMBER_LIMIT = 30_000;
/** After this many batches, one fixture leaves and another arrives. */
const TURNOVER = 5;

export function raceStore(): SharedArrayBuffer {
  return createStore(0, CAPACITY);
}

function quoteCountOf(batch: number): number {
  return 1 + ((batch * 7) % QUOTES_MAX);
}

/** Publishes `batches` batches, each of which changes all data of every fixture on the slate. */
export function writeRace(buffer: SharedArrayBuffer, batches: number, breakage: Breakage): void {
  const writer = new SlateWriter(buffer);
  const views = attachStore(buffer);
  const seated: number[] = [];
  for (let batch = 1; batch <= batches; batch++) {
    const old = Int32Array.from(views.slotPage);
    if (batch % TURNOVER === 0 && seated.length === SEATED) {
      const gone = seated.shift();
      if (gone !== undefined) writer.removeFixture(writer.slotOf(gone));
      if (gone !== undefined) writer.facts.liquidity.remove(gone);
    }
    if (seated.length < SEATED) {
      const event = 1 + (((batch / TURNOVER) | 0) % EVENTS);
      if (!seated.includes(event)) seated.push(event);
    }
    if (batch % 33 === 0 && writer.slotOf(seated[0]!) >= 0) writer.removeFixture(writer.slotOf(seated[0]!));
    for (const event of seated) {
      putBatch(writer, event, batch);
      putLiquidity(writer, event, batch);
      if (breakage === 'edits_liquidity') scribbleLiquidity(views, batch);
      if (breakage === 'publishes_in_two') writer.publish(0);
    }
    writer.publish(0);
    for (const event of seated) {
      const slot = writer.slotOf(event);
      const page = Atomics.load(views.slotPage, slot);
      const target = breakage === 'writes_resting_pages' ? old[slot]! : page;
      if (breakage === 'edits_in_place' || (breakage === 'writes_resting_pages' && target >= 0)) {
        scribble(views, target, batch + 1);
      }
      if (breakage === 'repeats_versions') views.version[page] = 1;
    }
  }
}

function putBatch(writer: SlateWriter, event: number, batch: number): void {
  const isNew = writer.slotOf(event) < 0;
  const slot = writer.putFixture(fixtureOf(event, batch));
  if (isNew) {
    for (let key = 0; key < CAPACITY.openingsPerFixture; key++) {
      writer.putOpening(slot, { key, a: event, b: event, c: event, openedAtMs: event, upstream: false });
    }
  }
  const score = batch % NUMBER_LIMIT;
  writer.putState(slot, {
    status: 1,
    clock: `${batch}`,
    score: [score, score],
    cards: [score, score],
    atMs: batch,
  });
  const count = quoteCountOf(batch);
  for (let key = 0; key < QUOTES_MAX; key++) {
    if (key < count) writer.quotes.putQuote(slot, key, batch, batch, batch, batch & 1, batch);
    else writer.quotes.closeQuote(slot, key, batch);
  }
}

/** Each size is the number of the batch; the matched amount is the number of the fixture. */
function putLiquidity(writer: SlateWriter, event: number, batch: number): void {
  const rows = Array.from({ length: quoteCountOf(batch) }, (_, quoteKey) => {
    return { quoteKey, sizes: [batch, batch, batch], matched: event };
  });
  writer.facts.liquidity.put(event, { bookmaker: 0, currency: 'USD', atMs: batch, rows });
}

function scribbleLiquidity(views: ReturnType<typeof attachStore>, batch: number): void {
  const half = views.liquidityHalves.length / (2 * views.liquidityKey.length);
  for (let entry = 0; entry < SEATED; entry++) {
    const start = (2 * entry + (Atomics.load(views.liquidityWritten, entry) & 1)) * half;
    views.liquidityHalves[start] = batch + 1;
  }
}

/** Changes a page as the next batch would, although readers may be reading it. */
function scribble(views: ReturnType<typeof attachStore>, page: number, batch: number): void {
  const start = page * CAPACITY.quotesPerFixture;
  views.scoreHome[page] = batch % NUMBER_LIMIT;
  for (let row = start; row < start + views.quoteCount[page]!; row++) {
    views.priceE4A[row] = batch;
    views.quoteAtMs[row] = batch;
  }
  views.stateAtMs[page] = batch;
}

export interface RaceReport {
  readonly sightings: Sightings;
  readonly readCount: number;
  /** How many reads had to start again, because their page was replaced. */
  readonly turnCount: number;
}

/** Reads the store in passes, and counts each forbidden outcome that it sees. */
export class RaceReader {
  readonly sightings = Object.fromEntries(Object.keys(FORBIDDEN).map((name) => [name, 0])) as Sightings;
  readonly #reader: SlateReader;
  readonly #seen = new Map<number, { version: number; batch: number }>();
  #slateVersion = 0;
  #readCount = 0;
  #turnCount = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.#reader = new SlateReader(buffer);
  }

  report(): RaceReport {
    return { sightings: this.sightings, readCount: this.#readCount, turnCount: this.#turnCount };
  }

  /** Reads all slots once, alternating between SlateReader.read and the way in which the kernels read. */
  pass(): void {
    const reader = this.#reader;
    const slateVersion = reader.slateVersion();
    if (slateVersion < this.#slateVersion) this.sightings.slate_version_back++;
    this.#slateVersion = slateVersion;
    this.#judgeInstant();
    for (let event = 1; event <= EVENTS; event++) this.#judgeLiquidity(event);
    for (let slot = 0; slot < reader.slotCount(); slot++) {
      const isSlow = this.#readCount % 4 === 0;
      let calls = 0;
      const seen =
        this.#readCount % 2 === 0
          ? reader.read(slot, (page) => {
              calls++;
              return this.#look(page, slot, isSlow && calls === 1);
            })
          : this.#scan(slot, this.#readCount % 16 === 1);
      this.#turnCount += Math.max(0, calls - 1);
      this.#readCount++;
      if (seen !== undefined) this.#judge(seen);
    }
  }

  #judgeLiquidity(event: number): void {
    for (const { atMs, rows } of this.#reader.liquidityOf(event)) {
      const isRight = rows.every(
        ({ sizes, matched }) =>
          matched === event && sizes.length === 3 && sizes.every((size) => size === atMs),
      );
      if (!isRight || rows.length !== quoteCountOf(atMs)) this.sightings.torn_liquidity++;
    }
  }

  /** Copies all fixtures of one instant, and then checks them: each batch changes all of them. */
  #judgeInstant(): void {
    const instant = this.#reader.instant(-1);
    if (instant === null) return;
    const { stateAtMs } = this.#reader.columns;
    const batches = instant.pages.map((page) => stateAtMs[page]!);
    const isWhole = instant.pages.every((page, index) =>
      this.#reader.isIntact(page, instant.generations[index]!),
    );
    if (isWhole && new Set(batches).size > 1) this.sightings.mixed_instant++;
  }

  /**
   * Reads as the kernels do: first the page and its generation, then the columns, then whether the page is
   * still intact.
   */
  #scan(slot: number, isSlow: boolean): Look | undefined {
    for (;;) {
      const page = this.#reader.pageOf(slot);
      if (page < 0) return undefined;
      if (isSlow) spin();
      const generation = this.#reader.generationOf(page);
      if (this.#reader.pageOf(slot) !== page) continue;
      const look = this.#look(page, slot, false);
      if (this.#reader.isIntact(page, generation)) return { ...look, openings: undefined };
      this.#turnCount++;
    }
  }

  /** Everything in one page, read without a check. It may be torn; the read is then repeated. */
  #look(page: number, slot: number, isSlow: boolean): Look {
    const { columns } = this.#reader;
    const start = page * this.#reader.quotesPerFixture;
    const prices: number[] = [];
    const stamps: number[] = [];
    const score = columns.scoreHome[page]!;
    const event = columns.eventNumber[page]!;
    const count = columns.quoteCount[page]!;
    for (let row = start; row < start + count; row++) {
      prices.push(columns.priceE4A[row]!, columns.priceE4C[row]!);
      if (isSlow) spin();
      stamps.push(columns.quoteAtMs[row]!);
    }
    const openings: number[] = [];
    const firstOpening = slot * this.#reader.openingsPerFixture;
    const openingCount = this.#reader.openingCount(slot);
    for (let index = 0; index < openingCount; index++) {
      if (isSlow) spin();
      openings.push(columns.openingE4A[firstOpening + index]!);
    }
    return {
      event,
      score,
      prices,
      stamps,
      openings,
      home: this.#reader.name(columns.homeEntity[page]!),
      clock: this.#reader.clock(page),
      cards: columns.cardsAway[page]!,
      stateAtMs: columns.stateAtMs[page]!,
      version: columns.version[page]!,
    };
  }

  #judge(look: Look): void {
    const batch = look.stateAtMs;
    const { sightings } = this;
    for (let index = 0; index < look.stamps.length; index++) {
      const stamp = look.stamps[index]!;
      if (look.prices[2 * index] !== stamp || look.prices[2 * index + 1] !== stamp) sightings.torn_quote++;
      if (stamp !== batch) sightings.half_batch++;
    }
    if (look.stamps.length !== quoteCountOf(batch)) sightings.half_batch++;
    if (look.clock !== `${batch}` || look.score !== batch % NUMBER_LIMIT) sightings.score_without_clock++;
    if (look.cards !== look.score) sightings.half_batch++;
    if (look.home !== `Home ${look.event}`) sightings.mixed_identity++;
    if (look.openings !== undefined) {
      const isWhole = look.openings.length === CAPACITY.openingsPerFixture;
      if (!isWhole || look.openings.some((event) => event !== look.event)) sightings.foreign_opening++;
    }
    const seen = this.#seen.get(look.event);
    if (seen !== undefined) {
      const isBack = look.version < seen.version || batch < seen.batch;
      if (isBack || (look.version === seen.version) !== (batch === seen.batch)) sightings.version_back++;
    }
    this.#seen.set(look.event, { version: look.version, batch });
  }
}

interface Look {
  readonly event: number;
  readonly score: number;
  readonly prices: readonly number[];
  readonly stamps: readonly number[];
  readonly openings: readonly number[] | undefined;
  readonly home: string;
  readonly clock: string | null;
  readonly cards: number;
  readonly stateAtMs: number;
  readonly version: number;
}

const SPIN = new Int32Array(new SharedArrayBuffer(4));

/**
 * Waits at each row for so long that the writer can reuse every page meanwhile. The wait consists of atomic
 * loads, because no compiler may remove those.
 */
function spin(): void {
  for (let turn = 0; turn < 1_000; turn++) Atomics.load(SPIN, 0);
}
