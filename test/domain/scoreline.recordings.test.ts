// Scoreline fits on recorded prices. The fit does not use the handicap. Before kickoff, the handicap's prices
// agree with the fit. In play they agree if the handicap is settled on the goals still to come, and not if it
// is settled on the full-time score. The test needs the shared recordings next to the repository.

import { describe, expect, test } from 'bun:test';
import { devigPower, devigProportional } from '../../src/domain/devig.ts';
import { quartersFromLine } from '../../src/domain/handicap.ts';
import { fitScoreline, type ScorelineFit, type ScorelineMarkets } from '../../src/domain/scoreline.ts';
import { recordingPath } from '../support/recordings.ts';

const ENGLISH = recordingPath('premier-league-2024-25.ndjson');
const BRAZILIAN = recordingPath('brazil-2022.ndjson');
const reason = ENGLISH === null || BRAZILIAN === null ? ' (skipped without the recordings)' : '';

interface Message {
  readonly type: string;
  readonly event: string;
  readonly bookmaker: string;
  readonly market_type: string;
  readonly period: string;
  readonly line: number;
  readonly prices: number[];
  readonly status: string;
  readonly score: [number, number] | null;
}

interface Observation {
  readonly isLive: boolean;
  readonly markets: ScorelineMarkets;
  readonly fit: ReturnType<typeof fitScoreline>;
}

/** One fit each time `book` quotes a full-time handicap while its 1x2 and totals are open. */
async function observe(path: string, book: string): Promise<Observation[]> {
  const states = new Map<string, Message>();
  const held = new Map<string, Map<string, Message>>();
  const observations: Observation[] = [];
  for (const text of (await Bun.file(path).text()).split('\n')) {
    if (text === '') continue;
    const message = JSON.parse(text) as Message;
    if (message.type === 'state') states.set(message.event, message);
    if (message.bookmaker !== book || message.period !== 'full_time') continue;
    const quotes = held.get(message.event) ?? new Map<string, Message>();
    held.set(message.event, quotes);
    if (message.type === 'close') quotes.delete(message.market_type);
    if (message.type !== 'quote') continue;
    quotes.set(message.market_type, message);
    if (message.market_type !== 'asian_handicap') continue;
    const state = states.get(message.event);
    const isLive = state?.status === 'live';
    const [home, away] = (isLive ? state.score : null) ?? [0, 0];
    const markets = marketsFrom(quotes, { home, away });
    if (markets !== null) observations.push({ isLive, markets, fit: fitScoreline(markets) });
  }
  return observations;
}

function marketsFrom(
  quotes: Map<string, Message>,
  score: { home: number; away: number },
): ScorelineMarkets | null {
  const [result, totals, handicap] = ['1x2', 'totals', 'asian_handicap'].map((market) => quotes.get(market));
  if (!result || !totals || !handicap) return null;
  if ([result, totals, handicap].some((quote) => quote.status !== 'open')) return null;
  const three = devigPower(result.prices);
  const over = devigProportional(totals.prices);
  const home = devigProportional(handicap.prices);
  if (!three.ok || !over.ok || !home.ok) return null;
  return {
    score,
    result: { home: three.probabilities[0]!, draw: three.probabilities[1]!, away: three.probabilities[2]! },
    totals: { lineQuarters: quartersFromLine(totals.line)!, over: over.probabilities[0]! },
    handicap: { lineQuarters: quartersFromLine(handicap.line)!, home: home.probabilities[0]! },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
}

function fits(observations: readonly Observation[]): { markets: ScorelineMarkets; fit: ScorelineFit }[] {
  return observations.flatMap(({ markets, fit }) => (fit.ok ? [{ markets, fit }] : []));
}

describe(`fitScoreline on recordings${reason}`, () => {
  test.skipIf(reason !== '')(
    'pre-match: every fixture fits, its 1x2 comes back and the handicap agrees',
    async () => {
      const observations = await observe(ENGLISH!, 'pinnacle');
      expect(observations.length).toBeGreaterThan(300);
      const fitted = fits(observations);
      expect(fitted).toHaveLength(observations.length);
      for (const { markets, fit } of fitted) {
        expect(Math.abs(fit.implied.home - markets.result!.home)).toBeLessThan(1e-6);
        expect(Math.abs(fit.implied.draw - markets.result!.draw)).toBeLessThan(1e-6);
      }
      expect(median(fitted.map(({ fit }) => Math.abs(fit.handicapExpectedValue!)))).toBeLessThan(0.015);
    },
  );

  test.skipIf(reason !== '')(
    'in play: the handicap agrees on the goals still to come, not on the full-time score',
    async () => {
      const observations = [
        ...(await observe(BRAZILIAN!, 'sbobet')),
        ...(await observe(BRAZILIAN!, 'crown')),
      ];
      const live = observations.filter(
        ({ isLive, markets }) => isLive && markets.score.home !== markets.score.away,
      );
      expect(live.length).toBeGreaterThan(700);
      const fitted = fits(live);
      expect(fitted.length).toBeGreaterThan(0.85 * live.length);
      const remaining = fitted.map(({ fit }) => Math.abs(fit.handicapExpectedValue!));
      const fullTime = fitted.map(({ markets }) => {
        const lead = markets.score.home - markets.score.away;
        const handicap = {
          lineQuarters: markets.handicap!.lineQuarters + 4 * lead,
          home: markets.handicap!.home,
        };
        // The fit does not use the handicap, so this compares the same fit with another settlement rule.
        const fit = fitScoreline({ ...markets, handicap });
        return fit.ok ? Math.abs(fit.handicapExpectedValue!) : 0;
      });
      expect(median(remaining)).toBeLessThan(0.08);
      expect(median(fullTime)).toBeGreaterThan(0.5);
    },
  );
});
