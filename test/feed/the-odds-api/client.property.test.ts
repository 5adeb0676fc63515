// The Odds API for an hour with faults, compared with an independent reading of its answers.

import { afterEach, expect, test } from 'bun:test';
import { HOUR_MS } from '../../../src/clock.ts';
import { Random } from '../../../src/domain/random.ts';
import { book, close, fixture, open, quotes, run, START_MS, standIn } from './odds-api-scene.ts';
import type { OddsFixture } from './stand-in.ts';

afterEach(close);

/** The expected slate after these answers, read with none of the service's code. */
function independentReading(answers: readonly OddsFixture[][]): Record<string, Record<string, string>> {
  let held: Record<string, Record<string, { prices: string; missed: number }>> = {};
  for (const answer of answers) {
    const next: typeof held = {};
    for (const event of answer) {
      const quoted: (typeof held)[string] = {};
      for (const { key, markets } of event.bookmakers) {
        const ours = key === 'pinnacle' ? 'pinnacle' : key === 'matchbook' ? 'sbobet' : null;
        for (const { key: market, outcomes } of ours === null ? [] : markets) {
          const price = (name: string): number =>
            outcomes.find((outcome) => outcome.name === name)?.price as number;
          const point = (name: string): number =>
            outcomes.find((outcome) => outcome.name === name)?.point as number;
          const [name, prices]: [string, number[]] =
            market === 'h2h'
              ? ['1x2|full_time|', [price(event.home_team), price('Draw'), price(event.away_team)]]
              : market === 'spreads'
                ? [
                    `asian_handicap|full_time|${point(event.home_team)}`,
                    [price(event.home_team), price(event.away_team), 0],
                  ]
                : [`totals|full_time|${point('Over')}`, [price('Over'), price('Under'), 0]];
          const given = prices.slice(0, market === 'h2h' ? 3 : 2);
          if (given.every((value) => typeof value === 'number' && value > 1 && value <= 1_000)) {
            quoted[`${ours}|${name}`] = { prices: prices.join(' '), missed: 0 };
          }
        }
      }
      const base = (key: string): string => key.split('|').slice(0, 3).join('|');
      const bases = new Set(Object.keys(quoted).map(base));
      for (const [key, quote] of Object.entries(held[event.id] ?? {})) {
        if (quoted[key] !== undefined || bases.has(base(key)) || quote.missed === 2) continue;
        quoted[key] = { ...quote, missed: quote.missed + 1 };
      }
      next[event.id] = quoted;
    }
    held = next;
  }
  const shown = ({ prices, missed }: { prices: string; missed: number }): string =>
    `${prices} ${missed > 0 ? 'suspended' : 'open'}`;
  return Object.fromEntries(
    Object.entries(held).map(([id, quoted]) => [
      id,
      Object.fromEntries(Object.entries(quoted).map(([key, quote]) => [key, shown(quote)])),
    ]),
  );
}

test.each([1, 2, 3])(
  'after an hour of moving prices and faults, the slate equals an independent reading (seed %p)',
  async (seed) => {
    open({ forcedEveryMs: 20_000 });
    standIn.creditsLeft = 1_000_000;
    const random = new Random(seed);
    const pick = <T>(items: readonly T[]): T => items[random.index(items.length)]!;
    const price = (): unknown =>
      random.unit() < 0.05 ? pick([0, 1, -1, 5_000, 'x']) : (150 + random.index(200)) / 100;
    const publish = (): void => {
      standIn.fixtures = ['a', 'b', 'c', 'd'].flatMap((id) => {
        if (random.unit() < 0.05) return [];
        const books = ['pinnacle', 'matchbook', 'unibet'].flatMap((key) =>
          random.unit() < 0.2
            ? []
            : [
                book(key, [price(), price(), price()], {
                  line: pick([-0.5, -0.25, 0, 0.25]),
                  total: pick([2.5, 2.75]),
                }),
              ],
        );
        return [fixture(id, START_MS + 30 * HOUR_MS, books)];
      });
      const fault = random.unit();
      standIn.fault = (path) => {
        if (!path.endsWith('/odds') || fault > 0.25) return null;
        if (fault < 0.05) return new Response('<html>', { status: 502 });
        if (fault < 0.1) return new Response('[{"id":"a"', { status: 200 });
        if (fault < 0.15) return new Response('{}', { status: 429, headers: { 'retry-after': '30' } });
        return new Response('', { status: 200 });
      };
    };
    publish();
    await run.for(HOUR_MS, publish);
    const answers = standIn.oddsAnswers('soccer_epl');
    expect(answers.length).toBeGreaterThan(80);
    const expected = independentReading(answers);
    const ids = Object.keys(expected);
    expect(Object.fromEntries(ids.map((id) => [id, quotes(id)]))).toEqual(expected);
    expect(run.desk.fixtureCount).toBe(ids.length);
  },
);
