// From feed bytes to a readable slate on one thread: frames as a WebSocket or a file delivers them are
// decoded, validated, numbered, applied and published. Compared with only decoding the same bytes, by the
// platform's JSON and by msgpackr.

import { bench, do_not_optimize, group } from 'mitata';
import { Packr, Unpackr } from 'msgpackr';
import { systemClock } from '../src/clock.ts';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { readBinaryFrame, readTextFrame } from '../src/feed/websocket/frames.ts';
import { MessagePackReader } from '../src/feed/websocket/message-pack.ts';
import { FeedQueue } from '../src/ingest/feed-queue.ts';
import { createStore } from '../src/store/layout.ts';
import { SlateReader } from '../src/store/reader.ts';
import { SlateWriter } from '../src/store/writer/writer.ts';
import { benchHandler, drawnQuote, START_MS, snapshotOf, type Wire } from './feed/bench-feed.ts';

const SEED = 20_260_301;
const FIXTURES = 500;
const FRAME_MESSAGES = 256;
const packr = new Packr({ useRecords: false });
const encoder = new TextEncoder();

export async function define(size: 'smoke' | 'full'): Promise<void> {
  const messageCount = size === 'smoke' ? 2_000 : 100_000;
  const wires = quotes(messageCount);
  const frames: Wire[][] = [];
  for (let at = 0; at < wires.length; at += FRAME_MESSAGES) frames.push(wires.slice(at, at + FRAME_MESSAGES));
  const texts = frames.map((frame) => encoder.encode(frame.map((wire) => JSON.stringify(wire)).join('\n')));
  const binaries = frames.map((frame) => packr.pack(frame));
  const slate = new BenchSlate();
  const decoder = new TextDecoder();
  const readTexts = () => slate.read(texts, (text) => readTextFrame(decoder.decode(text), slate));
  const readBinaries = () => slate.read(binaries, (binary) => readBinaryFrame(binary, slate));
  for (const [name, read] of [
    ['NDJSON', readTexts],
    ['MessagePack', readBinaries],
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
      await readTexts();
    });
    bench('MessagePack frames to a readable slate', async () => {
      slate.begin();
      await readBinaries();
    });
    bench('decoded messages to a readable slate', async () => {
      slate.begin();
      await slate.read(frames, (frame) => {
        for (const wire of frame) slate.message(wire);
      });
    });
    bench('JSON.parse alone', () => {
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
    const handler = benchHandler(this.#writer);
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

  async read<Frame>(frames: readonly Frame[], offer: (frame: Frame) => void): Promise<void> {
    for (const [index, frame] of frames.entries()) {
      offer(frame);
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

function quotes(count: number): Wire[] {
  const random = new Random(SEED);
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(START_MS + Math.floor(index / 8)).toISOString();
    return drawnQuote(random, { seq: FIXTURES + 3 + index, at, fixtureCount: FIXTURES });
  });
}
