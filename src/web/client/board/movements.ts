// Loads how the lines of the fixtures in sight moved before the page was opened, from the price history, for
// their sparklines. Each fixture costs one unit, so this happens slowly, and only for visitors with a key or
// an account.

import { DAY_MS, MINUTE_MS } from '../../../clock.ts';
import type { EventHistory, HistoryStep } from '../../../contract/history.ts';
import type { EventOpening } from '../../../contract/odds.ts';
import { ApiFailure, callJson, localMsOf, serverNowMs } from '../data/api.ts';
import { hasUnits } from '../data/choices.ts';
import type { Fixture } from '../data/mirror.ts';
import type { StandingPrice } from '../data/opening-steps.ts';
import { pageSettings } from '../data/page-settings.ts';
import { decimalsOf, lineKey } from '../data/quote.ts';
import { quoteFields } from '../data/view.ts';
import { mirror } from './state.ts';

/**
 * Pause between requests. So they use up at most a third of the requests that a free key may send per minute.
 */
const PAUSE_MS = 3_000;
const TICKS_MAX = 5_000;

const openings = new WeakMap<Fixture, EventOpening>();
const requested = new WeakSet<Fixture>();
let inSight: readonly Fixture[] = [];
let isLoading = false;
/**
 * Notes that the openings of a fixture are known, so that its movement is loaded once the fixture is in
 * sight.
 */
export function openingKnown(fixture: Fixture, opening: EventOpening): void {
  openings.set(fixture, opening);
  if (inSight.includes(fixture)) void loadMovements(inSight);
}

/** @param fixtures the ones in sight */
export async function loadMovements(fixtures: readonly Fixture[]): Promise<void> {
  inSight = fixtures;
  if (isLoading || !pageSettings.hasHistory || !hasUnits()) return;
  const next = fixtures.find((fixture) => openings.has(fixture) && !requested.has(fixture));
  if (next === undefined) return;
  requested.add(next);
  isLoading = true;
  await load(next, openings.get(next)!);
  setTimeout(() => {
    isLoading = false;
    void loadMovements(inSight);
  }, PAUSE_MS);
}

async function load({ id }: Fixture, opening: EventOpening): Promise<void> {
  const opened = opening.opening.flatMap(({ opened_at }) =>
    opened_at === null ? [] : Date.parse(opened_at),
  );
  if (opened.length === 0) return;
  const nowMs = serverNowMs();
  const spanMs = Math.min(DAY_MS, nowMs - opened.reduce((first, atMs) => Math.min(first, atMs), nowMs));
  const query = new URLSearchParams({
    ...quoteFields(),
    from: new Date(nowMs - spanMs).toISOString(),
    resolution: resolutionOf(spanMs),
    limit: String(TICKS_MAX),
  });
  try {
    const past = await callJson<EventHistory>(`/v1/events/${id}/history?${query}`);
    mirror.open(opening, past.series.flatMap(standingPrices));
  } catch (error) {
    // The board works without movements.
    if (!(error instanceof ApiFailure)) throw error;
  }
}

/** The shortest step with at most 48 points, which fit a sparkline. For a few minutes, every tick. */
function resolutionOf(spanMs: number): HistoryStep {
  if (spanMs <= 5 * MINUTE_MS) return 'tick';
  if (spanMs <= 48 * MINUTE_MS) return '1m';
  return spanMs <= 240 * MINUTE_MS ? '5m' : '1h';
}

function standingPrices(series: EventHistory['series'][number]): StandingPrice[] {
  const { bookmaker, format } = series;
  const line = lineKey(series);
  return series.ticks.map(({ at, status, prices }) => ({
    ...{ bookmaker, line, atMs: localMsOf(at) },
    decimals: status === 'open' && prices !== null ? decimalsOf({ prices, format }) : null,
  }));
}
