// Random ticks for fast-check: every column has every kind of value that it may hold.

import fc from 'fast-check';
import { MARKET_TYPES, OUTCOMES, PERIODS, SPORT_KEYS } from '../../src/domain/catalogue.ts';
import { NO_PRICES, TICK_STATUSES, type Tick } from '../../src/history/tick.ts';

const name = fc.constantFrom('Arsenal', 'Łódź', '浦和レッズ', 'Bodø/Glimt', 'O’Higgins "B"');
const instantMs = fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 });
const priceE4 = fc.option(fc.integer({ min: 10_001, max: 10_000_000 }), { nil: null });
const goals = fc.option(fc.integer({ min: 0, max: 200 }), { nil: null });

export const tickArbitrary: fc.Arbitrary<Tick> = fc.record({
  eventId: fc.constantFrom('evt_aaaaaaaa', 'evt_bbbbbbbb', 'evt_cccccccc'),
  sport: fc.constantFrom(...SPORT_KEYS),
  league: name,
  home: name,
  away: name,
  kickoffMs: fc.option(instantMs, { nil: null }),
  bookmaker: fc.constantFrom('pinnacle', 'crown', 'gone_from_the_roster'),
  marketType: fc.constantFrom(...MARKET_TYPES),
  period: fc.constantFrom(...PERIODS),
  line: fc.option(
    fc.integer({ min: -40, max: 900 }).map((quarters) => quarters / 4),
    { nil: null },
  ),
  status: fc.constantFrom(...TICK_STATUSES),
  pricesE4: fc
    .tuple(...OUTCOMES.map(() => priceE4))
    .map(([home = null, draw = null, away = null, over = null, under = null]) => ({
      ...NO_PRICES,
      home,
      draw,
      away,
      over,
      under,
    })),
  atMs: instantMs,
  receivedAtMs: instantMs,
  inPlay: fc.boolean(),
  scoreHome: goals,
  scoreAway: goals,
  standing: fc.boolean(),
});
