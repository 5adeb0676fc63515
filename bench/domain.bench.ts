// The pure domain: odds formats, ids, de-vig and scoreline fits, most of them compared with a simple version.
// The answers are checked first.

import { bench, do_not_optimize, group } from 'mitata';
import { ODDS_FORMATS } from '../src/domain/catalogue.ts';
import { devigPower, devigProportional } from '../src/domain/devig.ts';
import { type GoalRates, topScorelines } from '../src/domain/goal-model.ts';
import { decodeId, encodeId, entityNumber, hash52 } from '../src/domain/ids.ts';
import { convertOdds, priceInFormat } from '../src/domain/odds-format.ts';
import { Random } from '../src/domain/random.ts';
import { fitScoreline, RHO_DEFAULT, type ScorelineMarkets } from '../src/domain/scoreline.ts';
import { assert } from '../src/errors.ts';
import { naiveFormat, naiveHash52, naivePower } from './domain-naive.ts';

const SEED = 20_260_102;
/** One unit of a format's last decimal, by which toFixed may be off at a tie. */
const RESOLUTION = { decimal: 1e-4, hk: 1e-4, malay: 1e-3, american: 1, indonesian: 1e-3, probability: 1e-4 };

export function define(size: 'smoke' | 'full'): void {
  const count = size === 'smoke' ? 64 : 1_024;
  defineOdds(new Random(SEED), count);
  defineIds(count);
  defineDevig(new Random(SEED), count);
  defineScorelines(new Random(SEED), size === 'smoke' ? 8 : 64);
}

/** Prices from 1.06 to 100.01 whose implied probabilities are evenly distributed. */
function pricesE4(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => Math.round(100 / (0.01 + 0.94 * random.unit())) * 100 + 100);
}

function defineOdds(random: Random, count: number): void {
  const prices = pricesE4(random, count);
  for (const priceE4 of prices) {
    for (const format of ODDS_FORMATS) {
      const exact = priceInFormat(priceE4, format, 3);
      const converted = convertOdds({
        value: priceE4 / 10_000,
        from: 'decimal',
        to: [format],
        bookmakerKey: null,
      });
      assert(exact === converted[format], `${priceE4} in ${format}`);
      const off = Math.abs(exact - naiveFormat(priceE4 / 10_000, format));
      assert(off < 1.01 * RESOLUTION[format], `${priceE4} in ${format} is near the plain version`);
    }
  }
  group(`odds: ${count} prices into each of six formats`, () => {
    bench('priceInFormat, integers', () => {
      let sum = 0;
      for (const format of ODDS_FORMATS)
        for (const priceE4 of prices) sum += priceInFormat(priceE4, format, 3);
      do_not_optimize(sum);
    });
    bench('plain: floats and toFixed', () => {
      let sum = 0;
      for (const format of ODDS_FORMATS)
        for (const priceE4 of prices) sum += naiveFormat(priceE4 / 10_000, format);
      do_not_optimize(sum);
    }).baseline(true);
  });
  group('odds: one convertOdds into six formats', () => {
    let next = 0;
    bench('convertOdds, exact fractions', () => {
      next = (next + 1) % prices.length;
      const value = prices[next]! / 10_000;
      do_not_optimize(convertOdds({ value, from: 'decimal', to: ODDS_FORMATS, bookmakerKey: null }));
    });
    bench('plain: floats and toFixed', () => {
      next = (next + 1) % prices.length;
      const value = prices[next]! / 10_000;
      do_not_optimize(Object.fromEntries(ODDS_FORMATS.map((format) => [format, naiveFormat(value, format)])));
    }).baseline(true);
  });
}

function defineIds(count: number): void {
  const keys = Array.from({ length: count }, (_, index) => `bra-${2_159_000 + index}`);
  const numbers = keys.map((key) => entityNumber('event', 0, key));
  const ids = numbers.map((number) => encodeId('event', number));
  keys.forEach((key, index) => {
    const text = `event|football|${key}`;
    assert(hash52(text) === naiveHash52(text), `the hash of ${text}`);
    assert(decodeId('event', ids[index]!) === numbers[index]!, `${ids[index]} decodes`);
  });
  group(`ids: ${count} hashes of feed keys`, () => {
    bench('hash52, 32-bit halves', () => {
      for (const key of keys) do_not_optimize(hash52(key));
    });
    bench('plain: BigInt', () => {
      for (const key of keys) do_not_optimize(naiveHash52(key));
    }).baseline(true);
  });
  group(`ids: ${count} numbers to text`, () => {
    bench('encodeId, Sqids', () => {
      for (const number of numbers) do_not_optimize(encodeId('event', number));
    });
  });
  group(`ids: ${count} texts to numbers`, () => {
    bench('decodeId, Sqids, canonical', () => {
      for (const id of ids) do_not_optimize(decodeId('event', id));
    });
  });
}

function defineDevig(random: Random, count: number): void {
  const markets = Array.from({ length: count }, () => {
    const weights = [random.between(0.2, 1), random.between(0.2, 0.5), random.between(0.2, 1)];
    const sum = weights.reduce((total, weight) => total + weight, 0) / random.between(1.02, 1.08);
    return weights.map((weight) => Math.max(1.01, Math.round((100 * sum) / weight) / 100));
  });
  for (const decimals of markets) {
    const power = devigPower(decimals);
    assert(power.ok, 'the prices carry a margin');
    const plain = naivePower(decimals);
    for (let index = 0; index < 3; index++) {
      assert(Math.abs(power.probabilities[index]! - plain[index]!) < 1e-9, 'Newton agrees with bisection');
    }
  }
  group(`de-vig: ${count} three-way markets`, () => {
    bench('devigPower', () => {
      for (const decimals of markets) do_not_optimize(devigPower(decimals));
    });
    bench('devigProportional', () => {
      for (const decimals of markets) do_not_optimize(devigProportional(decimals));
    });
    bench('plain: power by bisection', () => {
      for (const decimals of markets) do_not_optimize(naivePower(decimals));
    }).baseline(true);
  });
}

/**
 * The probabilities of the full-time result for given goal rates, summed over every score with a relevant
 * probability.
 */
function resultOf(rates: GoalRates): { home: number; draw: number; away: number } {
  const result = { home: 0, draw: 0, away: 0 };
  for (const { home, away, probability } of topScorelines(rates, { home: 0, away: 0 }, 1_000).scorelines) {
    result[home > away ? 'home' : home === away ? 'draw' : 'away'] += probability;
  }
  return result;
}

function defineScorelines(random: Random, count: number): void {
  const markets = Array.from({ length: count }, (): ScorelineMarkets => {
    const rates = {
      lambdaHome: random.between(0.7, 2.2),
      lambdaAway: random.between(0.6, 1.8),
      rho: random.between(-0.12, 0),
    };
    const lineQuarters = Math.round(4 * (rates.lambdaHome + rates.lambdaAway));
    return {
      score: { home: 0, away: 0 },
      result: resultOf(rates),
      totals: { lineQuarters, over: random.between(0.46, 0.54) },
      handicap: { lineQuarters: Math.round(4 * (rates.lambdaAway - rates.lambdaHome)), home: 0.5 },
    };
  });
  const isRhoFitted = ({ rho }: GoalRates) => Math.abs(rho - RHO_DEFAULT) > 1e-9;
  const fits = markets.map((market) => {
    const fit = fitScoreline(market);
    assert(fit.ok, 'coherent prices fit');
    if (isRhoFitted(fit.rates)) {
      const fitted = resultOf(fit.rates);
      const off = Math.abs(fitted.home - market.result!.home) + Math.abs(fitted.draw - market.result!.draw);
      assert(off < 1e-4, `the fitted rates give the probabilities of the market, off by ${off}`);
    }
    return fit;
  });
  assert(
    fits.filter(({ rates }) => isRhoFitted(rates)).length > count / 2,
    'most checks are against a fitted rho',
  );
  let next = 0;
  group('scorelines: one match', () => {
    bench('fitScoreline', () => {
      next = (next + 1) % count;
      do_not_optimize(fitScoreline(markets[next]!));
    });
    bench('topScorelines, 10', () => {
      next = (next + 1) % count;
      do_not_optimize(topScorelines(fits[next]!.rates, markets[next]!.score, 10));
    });
  });
}
