// What benches of one thread send through ingest, and the handler that applies it.

import { systemClock } from '../../src/clock.ts';
import { BOOKMAKER_KEYS } from '../../src/domain/catalogue.ts';
import type { Random } from '../../src/domain/random.ts';
import { Applier } from '../../src/ingest/apply.ts';
import { FeedHandler } from '../../src/ingest/feed-handler.ts';
import { FeedHealth } from '../../src/ingest/feed-health.ts';
import { BoundedLog, createLog } from '../../src/log.ts';
import type { SlateWriter } from '../../src/store/writer/writer.ts';

export const START_MS = Date.UTC(2026, 2, 1, 12);
const LINES = [-1, -0.75, -0.5, -0.25, 0];

export type Wire = Record<string, unknown>;

/** A handler that writes into a store, with an archive that keeps nothing and a log that is thrown away. */
export function benchHandler(writer: SlateWriter, helloBeginsSnapshot = false): FeedHandler {
  const log = createLog({ clock: systemClock, json: true, level: 'error', write: () => {} });
  const archive = { openingsOf: () => [], recordOpening: () => {}, recordResult: () => {} };
  return new FeedHandler({
    ...{ writer, clock: systemClock, log, helloBeginsSnapshot },
    applier: new Applier(writer, archive),
    rejectLog: new BoundedLog(log, systemClock, { countMax: 1, windowMs: 1_000 }),
    health: new FeedHealth(writer, systemClock).add('bench'),
  });
}

function eventOf(fixture: number): string {
  return `bench:fixture:${10_000 + fixture}`;
}

/** A hello, then a snapshot of fixtures without quotes. Its last `seq` is `fixtureCount + 2`. */
export function snapshotOf(fixtureCount: number): Wire[] {
  const at = new Date(START_MS).toISOString();
  const events = Array.from({ length: fixtureCount }, (_, index) => ({
    ...{ type: 'event', seq: index + 2, at, event: eventOf(index), sport: 'football' },
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

interface DrawnQuote {
  readonly seq: number;
  readonly at: string;
  readonly fixtureCount: number;
}

/** A quote of a drawn fixture, bookmaker and line, with drawn prices. */
export function drawnQuote(random: Random, { seq, at, fixtureCount }: DrawnQuote): Wire {
  return {
    ...{ type: 'quote', seq, at, event: eventOf(random.index(fixtureCount)) },
    ...{ bookmaker: BOOKMAKER_KEYS[random.index(7)], market_type: 'asian_handicap', period: 'full_time' },
    line: LINES[random.index(LINES.length)],
    prices: [1.5 + random.index(100) / 100, 1.5 + random.index(100) / 100],
    status: 'open',
  };
}
