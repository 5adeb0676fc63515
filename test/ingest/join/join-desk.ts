// Several sources, the parts that join them, and a store, without sockets or timers: wire messages in by
// source, one published slate out.

import { JoinedIdentities } from '../../../src/archive/joined-identities.ts';
import type { Clock } from '../../../src/clock.ts';
import type { FeedMessage } from '../../../src/feed/protocol.ts';
import { Applier } from '../../../src/ingest/apply.ts';
import { FeedHandler } from '../../../src/ingest/feed-handler.ts';
import { FeedHealth } from '../../../src/ingest/feed-health.ts';
import { type JoinedFeeds, joinFeeds } from '../../../src/ingest/join/join-feeds.ts';
import { JoinRules } from '../../../src/ingest/join/join-rules.ts';
import { SlateOutlet } from '../../../src/ingest/slate-outlet.ts';
import { BoundedLog, createLog } from '../../../src/log.ts';
import { LeaderFixtures } from '../../../src/replication/leader-fixtures.ts';
import { createStore, DEFAULT_CAPACITY } from '../../../src/store/layout.ts';
import { SlateReader } from '../../../src/store/reader.ts';
import { SlateWriter } from '../../../src/store/writer/writer.ts';
import { eventWire, helloWire, markWire, type WireMessage } from '../../feed/wire.ts';
import { MemoryArchive, type SeenFixture, seenFixture } from '../ingest-desk.ts';

export const NOW_MS = Date.UTC(2026, 2, 1, 12);
const CAPACITY = {
  ...DEFAULT_CAPACITY,
  fixtures: 32,
  quotesPerFixture: 64,
  openingsPerFixture: 64,
  entities: 512,
  arenaBytes: 32_768,
  gracePublishes: 8,
  departures: 512,
};

interface JoinDeskOptions {
  /** Bookmakers of each source. */
  readonly bookmakers: readonly (readonly string[])[];
  readonly rules?: (names: readonly string[]) => JoinRules;
  readonly identities?: JoinedIdentities;
  readonly leaderFixtures?: LeaderFixtures;
  readonly buffer?: SharedArrayBuffer;
}

export class JoinDesk {
  readonly buffer: SharedArrayBuffer;
  readonly reader: SlateReader;
  readonly writer: SlateWriter;
  readonly applier: Applier;
  readonly joint: JoinedFeeds;
  readonly outlet: SlateOutlet;
  /** The messages that a follower of the joined slate receives. */
  readonly followed: FeedMessage[] = [];
  readonly scoresSent: (readonly [source: number, event: string, score: readonly [number, number]])[] = [];
  nowMs = NOW_MS;
  readonly #handlers: readonly FeedHandler[];
  readonly #seqs = new Map<number, number>();
  readonly #health: FeedHealth;

  constructor({ bookmakers, rules, identities, leaderFixtures, buffer }: JoinDeskOptions) {
    const clock: Clock = { wallMs: () => this.nowMs, monotonicMs: () => this.nowMs };
    const log = createLog({ clock, json: true, level: 'error', write: () => {} });
    const rejectLog = new BoundedLog(log, clock, { countMax: 5, windowMs: 10_000 });
    const names = bookmakers.map((_, index) => `source-${index}`);
    this.buffer = buffer ?? createStore(1, CAPACITY);
    this.reader = new SlateReader(this.buffer);
    this.writer = new SlateWriter(this.buffer);
    this.applier = new Applier(this.writer, new MemoryArchive());
    const outlet = new SlateOutlet({ reader: this.reader, fixtures: this.applier.fixtures, clock });
    this.outlet = outlet;
    const applied = outlet.applied.bind(outlet);
    outlet.applied = (message) => {
      this.followed.push(message);
      applied(message);
    };
    this.joint = joinFeeds(
      names.map((name, index) => ({
        feed: { kind: 'websocket', url: 'ws://127.0.0.1:1' },
        name,
        bookmakers: new Set(bookmakers[index]),
      })),
      {
        writer: this.writer,
        applier: this.applier,
        outlet,
        clock,
        log,
        rejectLog,
        settings: { feeds: [], liveFreshnessMs: 60_000, prematchFreshnessMs: 300_000 } as never,
        joining: {
          rules: rules?.(names) ?? new JoinRules(),
          identities: identities ?? new JoinedIdentities(),
          leaderFixtures: leaderFixtures ?? new LeaderFixtures(),
        },
        sendScore: (source, event, score) => this.scoresSent.push([source, event, score]),
      },
    );
    this.#health = new FeedHealth(this.writer, clock);
    this.#handlers = this.joint.parts.map(
      ({ target, store }, index) =>
        new FeedHandler({
          writer: this.writer,
          store,
          applier: target,
          clock,
          log,
          rejectLog,
          helloBeginsSnapshot: false,
          health: this.#health.add(names[index]!),
        }),
    );
  }

  /** Applies one batch of wire messages of one source. */
  send(source: number, ...messages: readonly WireMessage[]): void {
    this.#handlers[source]!.drain(
      messages.map((message) => ({ message, mark: null })),
      0,
    );
  }

  /**
   * Applies each message of a source as a batch of its own, with the sequence numbers that follow the
   * source's last one.
   */
  say(source: number, ...messages: readonly WireMessage[]): void {
    for (const message of messages) {
      const seq = (this.#seqs.get(source) ?? 0) + 1;
      this.#seqs.set(source, seq);
      this.send(source, { ...message, seq });
    }
  }

  /** Applies a complete snapshot of a source, with the sequence numbers that follow the source's last one. */
  snapshot(source: number, ...messages: readonly WireMessage[]): void {
    const [begin, end] = [markWire('snapshot_begin', 0), markWire('snapshot_end', 0)];
    this.say(source, helloWire({ epoch: 'e' }), begin, ...messages, end);
  }

  /**
   * The joined fixtures. Each is written as the last parts of its sources' keys, joined by hyphens: `a-b`. A
   * `!` follows the part of a fixture whose sides are exchanged.
   */
  joins(): string[] {
    const nameOf = ({ event, swapped }: { readonly event: string; readonly swapped: boolean }): string =>
      `${event.slice(event.indexOf('-') + 1)}${swapped ? '!' : ''}`;
    return this.joint
      .report()
      .joined.map(({ fixtures }) => fixtures.map(nameOf).join('-'))
      .sort();
  }

  /** Lets time pass, and fires the worker's timer. */
  pass(ms: number): void {
    this.nowMs += ms;
    this.joint.tick(this.nowMs);
    this.joint.publish();
  }

  /** The published slate by the key of each match on it. */
  slate(): Record<string, SeenFixture> {
    const seen: Record<string, SeenFixture> = {};
    for (const record of this.applier.fixtures.records()) {
      const { event } = record.message;
      const match = this.reader.readEvent(record.eventNumber, (page) => seenFixture(this.reader, page));
      if (match !== undefined) seen[event] = match;
    }
    let count = 0;
    for (let slot = 0; slot < this.reader.slotCount(); slot++) if (this.reader.versionOf(slot) >= 0) count++;
    if (count !== Object.keys(seen).length)
      throw new Error(`${count} fixtures are in the store, ${Object.keys(seen).length} known`);
    return seen;
  }
}

/** A match as a source names it, under keys of its own. */
export function matchWire(
  source: number,
  event: string,
  [home, away]: readonly [string, string],
  fields: WireMessage = {},
): WireMessage {
  return eventWire(0, event, {
    league: { key: `league ${source}`, name: 'English Premier League' },
    home: { key: `${source} ${home}`, name: home },
    away: { key: `${source} ${away}`, name: away },
    ...fields,
  });
}
