// The ingest worker's parts without the worker: wire messages in, a published slate out, as plain values.

import type { ArchivedResult } from '../../src/archive/tables.ts';
import type { Clock } from '../../src/clock.ts';
import {
  BOOKMAKER_KEYS,
  EVENT_STATUSES,
  MARKET_TYPES,
  PERIODS,
  QUOTE_STATUSES,
} from '../../src/domain/catalogue.ts';
import { entityNumber } from '../../src/domain/ids.ts';
import { Applier } from '../../src/ingest/apply.ts';
import type { ArchivePort } from '../../src/ingest/archive-recorder.ts';
import { FeedHandler } from '../../src/ingest/feed-handler.ts';
import { FeedHealth } from '../../src/ingest/feed-health.ts';
import type { FeedMark, QueueEntry } from '../../src/ingest/feed-queue.ts';
import { BoundedLog, createLog } from '../../src/log.ts';
import { createStore, DEFAULT_CAPACITY, type StoreCapacity } from '../../src/store/layout.ts';
import { bookmakerOfKey, lineQuartersOfKey, marketOfKey, periodOfKey } from '../../src/store/quote-key.ts';
import { SlateReader } from '../../src/store/reader.ts';
import type { OpeningRow } from '../../src/store/records.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { eventWire, helloWire, markWire } from '../feed/wire.ts';

export const ROOMY: StoreCapacity = {
  ...DEFAULT_CAPACITY,
  fixtures: 16,
  quotesPerFixture: 64,
  openingsPerFixture: 64,
  entities: 256,
  arenaBytes: 8_192,
  gracePublishes: 8,
  departures: 512,
};

export interface SeenQuote {
  readonly pricesE4: readonly number[];
  readonly status: string;
  readonly atMs: number;
}
export interface SeenFixture {
  readonly home: string;
  readonly away: string;
  readonly scheduledAtMs: number;
  readonly status: string;
  readonly clock: string | null;
  readonly score: readonly [number, number] | null;
  readonly cards: readonly [number, number] | null;
  readonly lastMessageAtMs: number;
  /** By "bookmaker|market|period|line". */
  readonly quotes: Readonly<Record<string, SeenQuote>>;
}

/** An archive in memory. */
export class MemoryArchive implements ArchivePort {
  readonly openings = new Map<number, OpeningRow[]>();
  readonly results: ArchivedResult[] = [];

  openingsOf(eventNumber: number): OpeningRow[] {
    return this.openings.get(eventNumber) ?? [];
  }
  recordOpening(eventNumber: number, opening: OpeningRow): void {
    this.openings.set(eventNumber, [...this.openingsOf(eventNumber), opening]);
  }
  recordResult(result: ArchivedResult): void {
    this.results.push(result);
  }
}

interface DeskOptions {
  readonly capacity?: StoreCapacity;
  readonly buffer?: SharedArrayBuffer;
  readonly archive?: ArchivePort;
  readonly helloBeginsSnapshot?: boolean;
}

export class IngestDesk {
  readonly buffer: SharedArrayBuffer;
  readonly reader: SlateReader;
  readonly writer: SlateWriter;
  readonly applier: Applier;
  readonly handler: FeedHandler;
  readonly logged: string[] = [];
  nowMs = Date.UTC(2026, 2, 1, 12);

  constructor(options: DeskOptions = {}) {
    const clock: Clock = { wallMs: () => this.nowMs, monotonicMs: () => this.nowMs };
    const log = createLog({ clock, json: true, level: 'debug', write: (line) => this.logged.push(line) });
    this.buffer = options.buffer ?? createStore(1, options.capacity ?? ROOMY);
    this.reader = new SlateReader(this.buffer);
    this.writer = new SlateWriter(this.buffer);
    this.applier = new Applier(this.writer, options.archive ?? new MemoryArchive());
    this.handler = new FeedHandler({
      writer: this.writer,
      applier: this.applier,
      clock,
      log,
      rejectLog: new BoundedLog(log, clock, { countMax: 5, windowMs: 10_000 }),
      health: new FeedHealth(this.writer, clock).add('made up'),
      helloBeginsSnapshot: options.helloBeginsSnapshot ?? false,
    });
  }

  /** Applies one batch of wire messages. */
  send(...messages: readonly unknown[]): void {
    this.drain(messages.map((message) => ({ message, mark: null })));
  }

  /** Applies one batch of a single mark. */
  mark(mark: FeedMark): void {
    this.drain([{ message: undefined, mark }]);
  }

  drain(entries: readonly QueueEntry[]): void {
    this.handler.drain(entries, 0);
  }

  sweep(): void {
    this.applier.sweep(this.reader, this.nowMs);
    this.handler.publish();
  }

  /** The published fixtures with these keys of the feed, by key. */
  slate(events: readonly string[], sport = 0): Record<string, SeenFixture> {
    const seen: Record<string, SeenFixture> = {};
    for (const event of events) {
      const fixture = this.reader.readEvent(entityNumber('event', sport, event), (page) =>
        seenFixture(this.reader, page),
      );
      if (fixture !== undefined) seen[event] = fixture;
    }
    return seen;
  }

  /** The version of a football fixture, -1 when it is not on the slate. */
  version(event: string): number {
    const slot = this.reader.slotOf(entityNumber('event', 0, event));
    return slot < 0 ? -1 : this.reader.versionOf(slot);
  }

  get fixtureCount(): number {
    let count = 0;
    for (let slot = 0; slot < this.reader.slotCount(); slot++) if (this.reader.versionOf(slot) >= 0) count++;
    return count;
  }
}

/** The fixture in a page as a reader finds it. It may be called only inside `SlateReader.read`. */
export function seenFixture(reader: SlateReader, page: number): SeenFixture {
  const { columns } = reader;
  const facts = reader.matchFacts(page);
  const quotes: Record<string, SeenQuote> = {};
  const base = page * reader.quotesPerFixture;
  for (let row = base; row < base + columns.quoteCount[page]!; row++) {
    quotes[quoteName(columns.quoteKey[row]!)] = {
      pricesE4: [columns.priceE4A[row]!, columns.priceE4B[row]!, columns.priceE4C[row]!],
      status: QUOTE_STATUSES[columns.quoteStatus[row]!]!,
      atMs: columns.quoteAtMs[row]!,
    };
  }
  return {
    home: reader.name(columns.homeEntity[page]!),
    away: reader.name(columns.awayEntity[page]!),
    scheduledAtMs: facts.scheduledAtMs,
    status: EVENT_STATUSES[facts.feedStatus]!,
    clock: facts.clock,
    score: pair(columns.scoreHome[page]!, columns.scoreAway[page]!),
    cards: pair(columns.cardsHome[page]!, columns.cardsAway[page]!),
    lastMessageAtMs: columns.lastMessageAtMs[page]!,
    quotes,
  };
}

function quoteName(key: number): string {
  const market = marketOfKey(key);
  const line = market === 0 ? null : lineQuartersOfKey(key) / 4;
  return [BOOKMAKER_KEYS[bookmakerOfKey(key)], MARKET_TYPES[market], PERIODS[periodOfKey(key)], line].join(
    '|',
  );
}

function pair(home: number, away: number): readonly [number, number] | null {
  return home < 0 ? null : [home, away];
}

/** The number of the fixture `e1`, which every desk of `deskWithFixture` has. */
export const FIRST_EVENT = entityNumber('event', 0, 'e1');

/** A desk that has received a snapshot with e1; `next` returns the sequence number for the next message. */
export function deskWithFixture(options: DeskOptions = {}) {
  const archive = new MemoryArchive();
  const desk = new IngestDesk({ archive, ...options });
  let seq = 1;
  desk.send(helloWire(), markWire('snapshot_begin', seq), eventWire(++seq), markWire('snapshot_end', ++seq));
  return { desk, archive, next: () => ++seq };
}
