// A seeded slate of wire messages with everything that recordings of real prices lack: both sports, all
// bookmakers on all markets, ties, suspended prices, impossible prices, lines that moved and matches in every
// state.

import { MINUTE_MS } from '../../src/clock.ts';
import { Random } from '../../src/domain/random.ts';
import { BOOKS, isSharp, outcomesOf } from './oracle/odds.ts';
import type { Wire } from './wire-slate.ts';

/**
 * Kickoffs in minutes from now, for finished matches, matches in play, matches today and matches days ahead.
 */
const KICKOFFS_MIN = [-900, -400, -100, -60, -20, 30, 200, 600, 1_500, 4_000];
const LINES = { asian_handicap: [-1, -0.75, -0.5, -0.25, 0, 0.25], totals: [2, 2.25, 2.5, 2.75] } as const;
/**
 * How long before now the first message of each fixture arrives. Its further messages follow one a minute,
 * except those that have their own time.
 */
const QUOTED_FROM_MS = 20 * 60 * MINUTE_MS;
/** Prices in coarse steps, so that bookmakers often tie. */
const STEP = 0.05;

export function randomSlate(seed: number, nowMs: number, fixtureCount: number): Wire[] {
  const random = new Random(seed);
  const wires: { readonly atMs: number; readonly wire: Wire }[] = [];
  for (let index = 0; index < fixtureCount; index++) {
    for (const [place, wire] of fixtureWires(random, index, nowMs).entries()) {
      const atMs =
        typeof wire.at === 'string' ? Date.parse(wire.at) : nowMs - QUOTED_FROM_MS + place * MINUTE_MS;
      wires.push({ atMs, wire });
    }
  }
  // The sort is stable, so the messages of one fixture keep their order.
  wires.sort((left, right) => left.atMs - right.atMs);
  return wires.map(({ atMs, wire }) => ({ ...wire, at: new Date(atMs).toISOString() }));
}

function fixtureWires(random: Random, index: number, nowMs: number): Wire[] {
  const sport = index % 4 === 3 ? 'basketball' : 'football';
  const event = `event-${index}`;
  const kickoffMin = KICKOFFS_MIN[index % KICKOFFS_MIN.length]! + (index % 7);
  const scheduledAt = new Date(nowMs + kickoffMin * MINUTE_MS).toISOString();
  const described = {
    type: 'event',
    event,
    sport,
    league: { key: `${sport}-${index % 3}`, name: `${sport} league ${index % 3}` },
    home: { key: `home-${sport}-${index}`, name: `Home ${index} ${sport}` },
    away: { key: `away-${sport}-${index}`, name: `Away ${index} ${sport}` },
    scheduled_at: scheduledAt,
  };
  const opened = new Set<string>();
  const quotes = [1, 2].flatMap(() => marketWires(random, { event, sport, opened }));
  return [described, ...quotes, ...stateWires(random, event, { kickoffMin, scheduledAt })];
}

/** One round of prices: most bookmakers quote most lines, and some lines are withdrawn again. */
function marketWires(
  random: Random,
  { event, sport, opened }: { event: string; sport: string; opened: Set<string> },
): Wire[] {
  const wires: Wire[] = [];
  for (const market_type of ['1x2', 'asian_handicap', 'totals'] as const) {
    for (const period of ['full_time', 'half_time']) {
      const lines = market_type === '1x2' ? [null] : LINES[market_type];
      for (const line of lines) {
        if (random.unit() < 0.5 && line !== null) continue;
        for (const bookmaker of BOOKS) {
          if (random.unit() < 0.4) continue;
          const name = { event, bookmaker, market_type, period, line };
          const count = outcomesOf(sport, market_type).length;
          const key = JSON.stringify(name);
          const quote = pricesOf(random, { count, bookmaker, isOpened: opened.has(key) });
          if (quote.status === 'open') opened.add(key);
          wires.push({ type: 'quote', ...name, ...quote });
          if (random.unit() < 0.1) wires.push({ type: 'close', ...name });
        }
      }
    }
  }
  return wires;
}

function pricesOf(
  random: Random,
  { count, bookmaker, isOpened }: { count: number; bookmaker: string; isOpened: boolean },
) {
  const kind = random.unit();
  const pulled = Array.from({ length: count }, () => 0);
  if (kind < 0.08) return { prices: pulled, status: 'suspended' };
  const overround = isSharp({ bookmaker }) ? random.between(-0.01, 0.03) : random.between(-0.01, 0.1);
  const prices = pulled.map(() => {
    const price = count / (1 + overround) + random.between(-0.1, 0.1);
    return Math.round(price / STEP) / (1 / STEP);
  });
  if (kind < 0.12) prices[0] = 9; // so high that it is most likely an error
  if (kind > 0.95 && isOpened) prices[1] = 1; // means nothing, although its status is open
  return { prices, status: kind > 0.9 && kind < 0.95 ? 'suspended' : 'open' };
}

function stateWires(
  random: Random,
  event: string,
  { kickoffMin, scheduledAt }: { kickoffMin: number; scheduledAt: string },
): Wire[] {
  if (kickoffMin > 0) return [];
  const score = [Math.floor(random.between(0, 4)), Math.floor(random.between(0, 4))];
  const cards = [0, Math.floor(random.between(0, 2))];
  const played = { type: 'state', event, score, cards };
  if (kickoffMin > -150) return [{ ...played, status: 'live', clock: '1h 20' }];
  const finishedAt = new Date(Date.parse(scheduledAt) + 115 * MINUTE_MS).toISOString();
  return [
    { ...played, at: finishedAt, status: 'finished', clock: null },
    { type: 'result', at: finishedAt, event, score, red_cards: cards, finished_at: finishedAt },
  ];
}
