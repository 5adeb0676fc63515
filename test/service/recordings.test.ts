// A recording of real prices in, exactly those prices out: every fixture, state, quote and opening over HTTP,
// compared with a plain reading of the file.

import { describe, expect, test } from 'bun:test';
import {
  fixtureKey,
  type Model,
  type ModelFixture,
  modelStatus,
  readModel,
} from '../support/recording-model.ts';
import { recordingPath } from '../support/recordings.ts';
import { type RunningService, runService } from '../support/running-service.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const nowMs = Date.parse(NOW);

interface ServedEvent {
  id: string;
  sport: string;
  league: { name: string };
  home_team: { name: string };
  away_team: { name: string };
  scheduled_at: string;
  status: string;
}
interface ServedQuote {
  bookmaker: string;
  market_type: string;
  period: string;
  line: number | null;
  prices: Record<string, number>;
  status: string;
  as_of: string;
  opened_at: string;
}

for (const name of ['brazil-2022.ndjson', 'premier-league-2024-25.ndjson']) {
  const path = recordingPath(name);
  describe.skipIf(path === null)(
    `replay of ${name} (skipped where the recordings are not beside the checkout)`,
    () => {
      test('serves every fixture, state, quote and opening the file holds at that instant', async () => {
        await using service = await runService({ FEED: `replay:${path}`, FEED_NOW: NOW });
        const model = readModel(path!);
        const events = await allEvents(service);
        expect(events.length).toBe(model.fixtures.size);
        const shiftMs = nowMs - model.helloAtMs;
        let quoteCount = 0;
        for (const event of events) {
          const fixture = fixtureOf(model, event);
          expect(event.sport).toBe(fixture.sport);
          expect(event.league.name).toBe(fixture.league);
          expect(event.status).toBe(modelStatus(fixture, model.helloAtMs));
          await compareState(service, event, fixture, shiftMs);
          quoteCount += await compareQuotes(service, event, fixture, shiftMs);
        }
        expect(quoteCount).toBeGreaterThan(1_000);
      });
    },
  );
}

async function allEvents(service: RunningService): Promise<ServedEvent[]> {
  const events: ServedEvent[] = [];
  let cursor: string | null = null;
  do {
    const suffix: string = cursor === null ? '' : `&cursor=${cursor}`;
    const answer: { data: ServedEvent[]; page: { next_cursor: string | null } } = await service.get(
      `/v1/events?limit=37${suffix}`,
    );
    events.push(...answer.data);
    cursor = answer.page.next_cursor;
  } while (cursor !== null);
  expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  return events;
}

function fixtureOf(model: Model, event: ServedEvent): ModelFixture {
  const kickoffMs = Date.parse(event.scheduled_at) - nowMs;
  const fixture = model.fixtures.get(fixtureKey(event.home_team.name, event.away_team.name, kickoffMs));
  if (fixture === undefined) throw new Error(`the file has no ${event.home_team.name} at that time`);
  return fixture;
}

async function compareState(
  service: RunningService,
  event: ServedEvent,
  fixture: ModelFixture,
  shiftMs: number,
): Promise<void> {
  const state = await service.get<Record<string, unknown>>(`/v1/events/${event.id}/state`);
  expect(state).toEqual({
    event_id: event.id,
    status: event.status,
    score: pair(fixture.score),
    cards: pair(fixture.cards),
    clock: fixture.clock,
    // The replay's heartbeat at the stopped clock confirms every fixture.
    as_of: new Date(Math.max(fixture.lastAtMs + shiftMs, nowMs)).toISOString(),
  });
}

async function compareQuotes(
  service: RunningService,
  event: ServedEvent,
  fixture: ModelFixture,
  shiftMs: number,
): Promise<number> {
  const odds = await service.get<{ odds: ServedQuote[] }>(`/v1/events/${event.id}/odds`);
  const served = odds.odds.map(flat).sort();
  const held = [...fixture.quotes.values()].map((quote) => {
    const at = new Date(quote.atMs + shiftMs).toISOString();
    return [
      quote.bookmaker,
      quote.market_type,
      quote.period,
      quote.line,
      ...quote.prices,
      quote.status,
      at,
    ].join('|');
  });
  expect(served).toEqual(held.sort());
  const opening = await service.get<{ opening: ServedQuote[] }>(`/v1/events/${event.id}/opening`);
  const openings = opening.opening
    .map((quote) => [...Object.values(quote.prices), quote.opened_at].join('|'))
    .sort();
  const heldOpenings = [...fixture.quotes.keys()].flatMap((key) => {
    const first = fixture.openings.get(key);
    if (first === undefined) return [];
    return [[...first.prices, new Date(first.atMs + shiftMs).toISOString()].join('|')];
  });
  expect(openings).toEqual(heldOpenings.sort());
  return served.length;
}

function flat(quote: ServedQuote): string {
  const prices = Object.values(quote.prices);
  return [
    quote.bookmaker,
    quote.market_type,
    quote.period,
    quote.line,
    ...prices,
    quote.status,
    quote.as_of,
  ].join('|');
}

function pair(counts: number[] | null): { home: number; away: number } | null {
  return counts === null ? null : { home: counts[0]!, away: counts[1]! };
}
