// An hour of iSports with faults, compared with an independent reading of its answers.

import { afterEach, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { Random } from '../../../src/domain/random.ts';
import { runs } from '../../support/runs.ts';
import { close, match, open, place, quotes, run, START_MS, START_S, standIn } from './isports-scene.ts';

afterEach(close);

/** The expected quotes by event, derived from the stand-in's lines without any code of the service. */
function independentReading(): Record<string, Record<string, string>> {
  const companies: Record<string, string> = { 1: 'macau', 3: 'crown', 31: 'sbobet' };
  const seen: Record<string, Record<string, { at: number; text: string }>> = {};
  for (const { match: id, company, array, now, maintenance, close, type, changedAt } of standIn.places) {
    const game = standIn.matches.find((candidate) => candidate.id === id)!;
    if (game.status < 0) continue;
    if (game.status > 0 ? type !== 3 : type === 3) continue;
    const half = array.endsWith('Half');
    if (half && game.status >= 2) continue;
    const numbers = now.map(Number);
    const is1x2 = array === 'europeOdds';
    const name = is1x2
      ? '1x2|full_time|'
      : array.startsWith('handicap')
        ? `asian_handicap|${half ? 'half_time' : 'full_time'}|${-numbers[0]! || 0}`
        : `totals|${half ? 'half_time' : 'full_time'}|${numbers[0]}`;
    const prices = is1x2 ? numbers : [numbers[1]! + 1, numbers[2]! + 1, 0];
    const text = `${prices.map((price) => Math.round(price * 1e4) / 1e4).join(' ')} ${maintenance || close ? 'suspended' : 'open'}`;
    const key = `${companies[company]}|${name}`;
    const event = `football-${id}`;
    seen[event] ??= {};
    const held = seen[event][key];
    if (held === undefined || changedAt > held.at) seen[event][key] = { at: changedAt, text };
  }
  return Object.fromEntries(
    Object.entries(seen).map(([event, held]) => [
      event,
      Object.fromEntries(Object.entries(held).map(([key, { text }]) => [key, text])),
    ]),
  );
}

test.each(Array.from({ length: runs(1) }, (_, seed) => seed + 1))(
  'after an hour of play with faults, the slate equals an independent reading (seed %p)',
  async (seed) => {
    open(['football']);
    const random = new Random(seed);
    const hk = (): number => Math.round(random.between(0.6, 1.3) * 100) / 100;
    for (const id of ['11', '12', '13', '14']) {
      const kickoff = START_S + 60 * random.index(50);
      match(id, { kickoff });
      for (const company of [1, 3, 31]) {
        place(id, 'europeOdds', [2.1, 3.3, 3.5], { company });
        for (const index of [1, 2, 3]) {
          // Three slots at three distinct lines, because slots of one company never share a line.
          place(id, 'handicap', [index / 4, hk(), hk()], { company, index });
          place(id, 'overUnder', [2 + index / 4, hk(), hk()], { company, index });
        }
        place(id, 'handicapHalf', [0.25, hk(), hk()], { company });
        place(id, 'overUnderHalf', [1, hk(), hk()], { company });
      }
    }
    let steppedAt = 0;
    const play = (nowMs: number): void => {
      const now = Math.floor(nowMs / 1_000);
      if (now - steppedAt < 5 || nowMs > START_MS + HOUR_MS - 3 * MINUTE_MS) {
        if (nowMs > START_MS + HOUR_MS - 3 * MINUTE_MS) standIn.fault = () => null;
        return;
      }
      steppedAt = now;
      for (const game of standIn.matches) {
        const status =
          now < game.kickoff ? 0 : now < game.kickoff + 1_200 ? 1 : now < game.kickoff + 1_500 ? 2 : 3;
        if (status !== game.status) Object.assign(game, { status, halfStart: now, changedAt: now });
        if (status > 0 && random.unit() < 0.01) {
          game.score[random.index(2)]!++;
          game.changedAt = now;
        }
      }
      for (const quote of standIn.places) {
        const game = standIn.matches.find(({ id }) => id === quote.match)!;
        const type = game.status > 0 ? 3 : 2;
        if (type === quote.type && random.unit() > 0.05) continue;
        quote.type = type;
        quote.now =
          quote.array === 'europeOdds'
            ? [hk() + 1, hk() + 2.4, hk() + 2]
            : [Number(quote.now[0]), hk(), hk()];
        quote.maintenance = quote.array === 'handicap' && random.unit() < 0.1;
        quote.close = !quote.array.endsWith('Half') && random.unit() < 0.1;
        quote.changedAt = now;
      }
      const fault = random.unit();
      const length = random.unit();
      standIn.fault = (path) => {
        if (fault > 0.1) return null;
        if (length < 0.3 && !path.endsWith('/changes')) return null;
        if (fault < 0.03) return new Response('<html>', { status: 502 });
        if (fault < 0.06) return new Response('{"code":0,"data":{"handicap":["', { status: 200 });
        if (fault < 0.08) return Response.json({ code: 9, message: 'busy' });
        return new Response('', { status: 200 });
      };
    };
    await run.for(HOUR_MS, play);
    const expected = independentReading();
    const events = Object.keys(expected);
    expect(events.length).toBe(4);
    expect(Object.fromEntries(events.map((event) => [event, quotes(event)]))).toEqual(expected);
    for (const game of standIn.matches) {
      expect(run.slate([`football-${game.id}`])[`football-${game.id}`]).toMatchObject({
        score: game.status > 0 ? game.score : null,
      });
    }
  },
  120_000,
);
