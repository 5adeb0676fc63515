// From feed bytes to a readable slate on one thread: frames as a WebSocket or a file delivers them are
// decoded, validated, numbered, applied and published. Compared with only decoding the same bytes, by the
// platform's JSON and by msgpackr.

import { bench, do_not_optimize, group } from 'mitata';
import { Packr, Unpackr } from 'msgpackr';
import { systemClock } from '../src/clock.ts';
import { BOOKMAKER_KEYS } from '../src/domain/catalogue.ts';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { readBinaryFrame, readTextFrame } from '../src/feed/websocket/frames.ts';
import { MessagePackReader } from '../src/feed/websocket/message-pack.ts';
import { Applier } from '../src/ingest/apply.ts';
import { FeedHandler } from '../src/ingest/feed-handler.ts';
import { FeedHealth } from '../src/ingest/feed-health.ts';
import { FeedQueue } from '../src/ingest/feed-queue.ts';
import { BoundedLog, createLog } from '../src/log.ts';
import { createStore } from '../src/store/layout.ts';
import { SlateReader } from '../src/store/reader.ts';
import { SlateWriter } from '../src/store/writer/writer.ts';

const SEED = 20_260_301;
const START_MS = Date.UTC(2026, 2, 1, 12);
const FIXTURES = 500;
const FRAME_MESSAGES = 256;
const LINES = [-1, -0.75, -0.5, -0.25, 0];
const packr = new Packr({ useRecords: false });
const encoder = new TextEncoder();

type Wire = Record<string, unknown>;

export async function define(size: 'smoke' | 'full'): Promise<void> {
  const messageCount = size === 'smoke' ? 2_000 : 100_000;
  const wires = quotes(messageCount);
  const frames: Wire[][] = [];
  for (let at = 0; at < wires.length; at += FRAME_MESSAGES) frames.push(wires.slice(at, at + FRAME_MESSAGES));
  const texts = frames.map((frame) => encoder.encode(frame.map((wire) => JSON.stringify(wire)).join('\n')));
  const binaries = frames.map((frame) => packr.pack(frame));
  const slate = new BenchSlate();
  for (const [name, read] of [
    ['NDJSON', () => slate.readTexts(texts)],
    ['MessagePack', () => slate.readBinaries(binaries)],
  ] as const) {
    slate.begin();
    const startedMs = systemClock.monotonicMs();
    await read();
    const tookMs = systemClock.monotonicMs() - startedMs;
    slate.check(wires);
    if (size === 'full')
      console.log(`${name}, first run: ${Math.round(messageCount / tookMs)} thousand a second`);
  }
  group(`feed bytes: ${messageCount} quotes over ${FIXTURES} fixtures into the store`, () => {
    bench('NDJSON frames to a readable slate', async () => {
      slate.begin();
      await slate.readTexts(texts);
    });
    bench('MessagePack frames to a readable slate', async () => {
      slate.begin();
      await slate.readBinaries(binaries);
    });
    bench('JSON.parse alone', () => {
      const decoder = new TextDecoder();
      for (const text of texts)
        for (const line of decoder.decode(text).split('\n')) do_not_optimize(JSON.parse(line));
    }).baseline(true);
    bench('our MessagePack reader alone', () => {
      const reader = new MessagePackReader();
      for (const binary of binaries) do_not_optimize(reader.read(binary));
    });
    bench('msgpackr alone', () => {
      const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true });
      for (const binary of binaries) do_not_optimize(unpackr.unpack(binary));
    });
  });
}

/**
 * A store with an ingest pipeline before it. Every run is a snapshot of the fixtures followed by the quotes.
 */
class BenchSlate {
  readonly #buffer = createStore(1);
  readonly #reader = new SlateReader(this.#buffer);
  readonly #writer = new SlateWriter(this.#buffer);
  readonly #queue: FeedQueue;
  #resolve: () => void = () => {};
  #applied = 0;

  constructor() {
    const log = createLog({ clock: systemClock, json: true, level: 'error', write: () => {} });
    const archive = { openingsOf: () => [], recordOpening: () => {}, recordResult: () => {} };
    const applier = new Applier(this.#writer, archive);
    const rejectLog = new BoundedLog(log, systemClock, { countMax: 1, windowMs: 1_000 });
    const health = new FeedHealth(this.#writer, systemClock).add('bench');
    const options = { health, writer: this.#writer, applier, clock: systemClock, log, rejectLog };
    const handler = new FeedHandler({ ...options, helloBeginsSnapshot: false });
    this.#queue = new FeedQueue({
      drain: (entries, depth) => {
        handler.drain(entries, depth);
        this.#applied += entries.length;
        if (depth === 0) this.#resolve();
      },
      schedule: (tick) => setImmediate(tick),
    });
  }

  /** Starts a new epoch: the fixtures as a snapshot. */
  begin(): void {
    for (const wire of snapshotOf(FIXTURES)) assert(this.#queue.offer(wire), 'the snapshot fits');
  }

  async readTexts(frames: readonly Uint8Array[]): Promise<void> {
    const decoder = new TextDecoder();
    for (const [index, frame] of frames.entries()) {
      readTextFrame(decoder.decode(frame), this);
      if (index % 16 === 15) await this.#drained();
    }
    await this.#drained();
  }

  async readBinaries(frames: readonly Uint8Array[]): Promise<void> {
    for (const [index, frame] of frames.entries()) {
      readBinaryFrame(frame, this);
      if (index % 16 === 15) await this.#drained();
    }
    await this.#drained();
  }

  message(wire: unknown): boolean {
    return this.#queue.offer(wire);
  }

  undecodable(): void {
    throw new Error('Cannot bench: a frame did not decode');
  }

  check(wires: readonly Wire[]): void {
    const counters = this.#reader.counters();
    assert(counters.gaps === 0 && counters.rejected_bad_price === 0, 'every quote was applied');
    const last = new Map(wires.map((wire) => [`${wire.event}|${wire.bookmaker}|${wire.line}`, wire]));
    let sum = 0;
    for (const { prices } of last.values()) {
      for (const price of prices as number[]) sum += Math.round(price * 10_000);
    }
    const { columns } = this.#reader;
    let held = 0;
    for (let slot = 0; slot < this.#reader.slotCount(); slot++) {
      this.#reader.read(slot, (page) => {
        const base = page * this.#reader.quotesPerFixture;
        for (let row = base; row < base + columns.quoteCount[page]!; row++) {
          held += columns.priceE4A[row]! + columns.priceE4B[row]!;
        }
      });
    }
    assert(held === sum, 'the store holds the last price of every line');
  }

  #drained(): Promise<void> {
    return this.#queue.depth === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#resolve = resolve;
        });
  }
}

function snapshotOf(fixtureCount: number): Wire[] {
  const at = new Date(START_MS).toISOString();
  const events = Array.from({ length: fixtureCount }, (_, index) => ({
    type: 'event',
    seq: index + 2,
    at,
    event: `bench:fixture:${10_000 + index}`,
    sport: 'football',
    league: { key: `l${index % 20}`, name: `League ${index % 20}` },
    home: { key: `h${index}`, name: `Home ${index}` },
    away: { key: `a${index}`, name: `Away ${index}` },
    scheduled_at: new Date(START_MS + 3_600_000).toISOString(),
  }));
  return [
    { type: 'hello', protocol: 1, source: 'bench', at },
    { type: 'snapshot_begin', seq: 1 },
    ...events,
    { type: 'snapshot_end', seq: fixtureCount + 2 },
  ];
}

function quotes(count: number): Wire[] {
  const random = new Random(SEED);
  return Array.from({ length: count }, (_, index) => ({
    type: 'quote',
    seq: FIXTURES + 3 + index,
    at: new Date(START_MS + Math.floor(index / 8)).toISOString(),
    event: `bench:fixture:${10_000 + random.index(FIXTURES)}`,
    bookmaker: BOOKMAKER_KEYS[random.index(7)],
    market_type: 'asian_handicap',
    period: 'full_time',
    line: LINES[random.index(LINES.length)],
    prices: [1.5 + random.index(100) / 100, 1.5 + random.index(100) / 100],
    status: 'open',
  }));
}
