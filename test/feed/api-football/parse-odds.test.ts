// The provider's own samples, if they are beside the checkout, compared with the adapter's results.

import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS } from '../../../src/clock.ts';
import { readLiveOdds } from '../../../src/feed/api-football/parse-odds.ts';
import type { PicturedFixture } from '../../../src/feed/poll/picture.ts';
import { close, fixture, odds, open, quotes, run, START_MS, standIn } from './api-football-scene.ts';
import type { StandInOdds } from './stand-in.ts';

const SAMPLES = join(import.meta.dir, '../../../../shared/data/upstreams/api-football');

afterEach(close);

describe.skipIf(!existsSync(SAMPLES))(
  "API-Football's samples (skipped where they are not beside the checkout)",
  () => {
    function sample(name: string): { response: unknown[] } {
      return JSON.parse(readFileSync(join(SAMPLES, name), 'utf8')) as { response: unknown[] };
    }

    test('the adapter gives every line of the handicaps and totals of a real bookmaker', async () => {
      const whole = JSON.parse(
        readFileSync(join(SAMPLES, 'odds-prematch-marathonbet-ah-ou.transcribed.json'), 'utf8'),
      ) as { bookmakers: StandInOdds['bookmakers'] };
      open();
      fixture(1);
      standIn.odds = [odds(1, whole.bookmakers)];
      await run.for(MINUTE_MS);
      // The two values with the same text after the side are one line.
      const expected: Record<string, string> = {};
      for (const { id, values } of whole.bookmakers[0]!.bets) {
        const lines = new Map<string, unknown[]>();
        for (const { value, odd } of values) {
          const line = value.split(' ')[1] ?? '';
          lines.set(line, [...(lines.get(line) ?? []), Number(odd)]);
        }
        for (const [line, prices] of lines) {
          if (prices.some((price) => (price as number) <= 1)) continue;
          const name = {
            1: '1x2|full_time',
            4: 'asian_handicap|full_time',
            5: 'totals|full_time',
            6: 'totals|half_time',
          }[id];
          const shown = prices.length === 3 ? prices : [...prices, 0];
          if (name !== undefined)
            expected[`crown|${name}|${line === '' ? '' : Number(line)}`] = `${shown.join(' ')} open`;
        }
      }
      expect(Object.keys(expected).length).toBeGreaterThan(20);
      expect(quotes('1')).toEqual(expected);
    });

    test('if rounded lines repeat in live odds, only the main line has a price', () => {
      const { response } = sample('odds-live-official-doc-2022-fixture-721238.excerpt.transcribed.json');
      // The excerpt is truncated: it lacks the status that every answer has.
      const status = { stopped: false, blocked: false, finished: false };
      const [update] = readLive([{ status, ...(response[0] as object) }], '721238');
      expect([...update!.quotes!.keys()].sort()).toEqual(
        ['macau|asian_handicap|full_time|0', 'macau|totals|full_time|2'].sort(),
      );
      expect(update!.quotes!.get('macau|asian_handicap|full_time|0')!.prices).toEqual([2.05, 1.8]);
    });

    test('live odds of the first half are read', () => {
      const { response } = sample('odds-live-fixture-1206332.transcribed.json');
      const [update] = readLive(response, '1206332');
      expect(update!.quotes!.get('macau|asian_handicap|half_time|0')!.prices).toEqual([1.45, 2.675]);
      expect(update!.quotes!.get('macau|asian_handicap|half_time|-0.5')!.prices).toEqual([6.6, 1.1]);
      expect(update!.quotes!.get('macau|1x2|half_time|')!.prices).toEqual([6.5, 1.166, 9.5]);
    });
  },
);

function readLive(response: unknown[], event: string): ReturnType<typeof readLiveOdds> {
  const held: PicturedFixture = {
    fixture: {
      sport: 'football',
      league: { key: 'l', name: 'l' },
      home: { key: 'h', name: 'h' },
      away: { key: 'a', name: 'a' },
      scheduledAtMs: START_MS,
    },
    state: { status: 'live', clock: null, score: null, cards: null },
    quotes: new Map(),
    result: null,
    confirmedAtMs: null,
    seenAtMs: START_MS,
    key: event,
  };
  const context = {
    picture: new Map([[event, held]]),
    nowMs: START_MS,
    count: () => {},
    unmapped: () => {},
  };
  return readLiveOdds(response, { bookmaker: 'macau', context });
}
