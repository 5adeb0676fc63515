// Betfair as a source, with a stand-in server: made-up markets of the documented shapes with every state and
// fault.

import { describe, expect, test } from 'bun:test';
import { Random } from '../../../src/domain/random.ts';
import { until } from '../../support/condition.ts';
import {
  AWAY,
  CATALOGUE,
  change,
  DRAW,
  follow,
  goals,
  HOME,
  handicap,
  IMAGE,
  odds,
  play,
} from './betfair-scene.ts';
import { BetfairStandIn } from './stand-in.ts';

describe('FEED=betfair', () => {
  test('the source shows the best price to back of each outcome, lines by the home side, over before under', async () => {
    const { quotes, standIn } = await play([IMAGE]);
    expect(quotes).toEqual([
      '1x2 null: 2/3.5/4 open',
      'asian_handicap -0.5: 2/1.96 open',
      'asian_handicap 0: 1.5/0 suspended', // nobody has laid the away side
      'totals 2.5: 1.8/2.1 open',
    ]);
    expect(standIn.subscriptions[0]).toMatchObject({ marketFilter: { marketIds: ['1.1', '1.2', '1.3'] } });
    expect(standIn.catalogueRequests.map(({ headers }) => headers.get('x-application'))).toEqual([
      'key',
      'key',
    ]);
  });

  test('reports how much can be staked in pounds, every few seconds at most', async () => {
    const volume = (index: number, tv: number, size: number) =>
      change(index, { id: '1.1', tv, rc: [{ id: HOME, batb: [[0, 2, size]] }] });
    const before = await play([IMAGE, volume(1, 70, 40)]);
    const [exchange] = before.liquidity;
    expect([exchange!.currency, exchange!.rows[0]!.matched]).toEqual(['GBP', null]);
    expect(exchange!.rows.map(({ sizes }) => sizes)).toEqual([
      [50, 9, 9],
      [5, 5],
      [5, 0],
      [5, 5],
    ]);
    const after = await play([IMAGE, volume(1, 70, 40), volume(6, 80, 30)]);
    expect(after.liquidity[0]!.rows[0]).toMatchObject({ sizes: [30, 9, 9], matched: 80 });
  });

  test('subtracts the commission from the winnings', async () => {
    const { quotes } = await play([IMAGE], {}, { BETFAIR_COMMISSION_PCT: '5' });
    expect(quotes).toContain('1x2 null: 1.95/3.375/3.85 open');
  });

  test('follows changes: levels that move and empty, suspension, kick-off and the end', async () => {
    const changes = [
      IMAGE,
      change(1, {
        id: '1.1',
        rc: [
          {
            id: HOME,
            batb: [
              [0, 2.2, 5],
              [1, 0, 0],
            ],
          },
        ],
      }),
      change(2, { id: '1.1', marketDefinition: odds({ status: 'SUSPENDED' }), rc: [] }),
    ];
    expect((await play(changes)).quotes).toContain('1x2 null: 2.2/3.5/4 suspended');
    const kickOff = [
      ...changes,
      change(
        3,
        { id: '1.1', marketDefinition: odds({ inPlay: true }) },
        { id: '1.3', marketDefinition: goals({ inPlay: true }) },
      ),
      change(4, {
        id: '1.2',
        marketDefinition: handicap({ inPlay: true }),
        rc: [{ id: HOME, hc: -0.5, batb: [[0, 2.4, 5]] }],
      }),
    ];
    // In play without a score, the score at which a handicap begins to count is not known, so none is shown.
    const live = await play(kickOff);
    expect(live.quotes).toEqual(['1x2 null: 2.2/3.5/4 open', 'totals 2.5: 1.8/2.1 open']);
    expect(Object.values(live.dump)[0]).toMatchObject({ facts: { feedStatus: 1 } });
    const ended = await play([
      ...kickOff,
      change(5, { id: '1.1', marketDefinition: odds({ status: 'CLOSED', inPlay: true }) }),
    ]);
    expect(ended.quotes).toEqual(['totals 2.5: 1.8/2.1 open']);
    expect(Object.values(ended.dump)[0]).toMatchObject({ facts: { feedStatus: 2 } });
  });

  test('applies the segments of a change together, and ignores a last segment without its first one', async () => {
    const split = change(2, { id: '1.1', rc: [{ id: HOME, batb: [[0, 2.5, 5]] }] });
    const { quotes } = await play([
      IMAGE,
      { ...change(1, { id: '1.1', rc: [{ id: HOME, batb: [[0, 9, 5]] }] }), segmentType: 'SEG_END' },
      { ...split, segmentType: 'SEG_START' },
      { ...change(3, { id: '1.1', rc: [{ id: DRAW, batb: [[0, 3.6, 5]] }] }), segmentType: 'SEG' },
      { ...change(4, { id: '1.1', rc: [{ id: AWAY, batb: [[0, 4.1, 5]] }] }), segmentType: 'SEG_END' },
    ]);
    expect(quotes).toContain('1x2 null: 2.5/3.6/4.1 open');
  });

  test('the source has the same slate after cuts, garbage and bytes in small pieces as without faults', async () => {
    const random = new Random(11);
    const script = [IMAGE];
    for (let index = 1; index < 200; index++) {
      const id = [HOME, AWAY, DRAW][random.index(3)]!;
      const price = Math.round(100 * random.between(1.5, 8)) / 100;
      script.push(
        change(index, { id: '1.1', rc: [{ id, batb: [[random.index(3), price, 1 + random.index(3)]] }] }),
      );
    }
    const calm = await play(script);
    const cuts = new Set<number>();
    const faulty = await play(script, {
      pieceBytes: 97,
      after: (index, wire) => {
        if (random.index(8) === 0)
          wire.raw(
            ['<html>\r\n', '{"op":\r\n', '[]\r\n', '\r\n', '{"op":"mcm","pt":"x"}\r\n'][random.index(5)]!,
          );
        if (index % 25 !== 24 || cuts.has(index)) return;
        cuts.add(index);
        wire.cut();
      },
    });
    expect(faulty.quotes).toEqual(calm.quotes);
    expect(faulty.dump).toEqual(calm.dump);
    expect(cuts.size).toBe(8);
    expect(faulty.counters.snapshots).toBe(1); // every cut was resumed
    expect(faulty.counters.gaps).toBe(0);
    expect(faulty.counters.rejected_bad_json).toBeGreaterThan(5);
    expect(faulty.standIn.subscriptions.at(-1)).toMatchObject({ initialClk: 'initial' });
  }, 120_000);

  test('leaves out impossible prices, and counts them', async () => {
    const bad = [[0, -1, 5], [0, 1, 5], [0, 5_000, 5], [0, 'x', 5], [0, 2, -1], [0.5, 2, 5], null];
    const { quotes, reports } = await play([
      IMAGE,
      change(1, { id: '1.1', rc: [{ id: HOME, batb: bad }, { hc: 1 }, 7] }, null as unknown as object),
    ]);
    expect(quotes).toContain('1x2 null: 2/3.5/4 open');
    expect(reports).toMatchObject([{ counts: { bad_price: 7, bad_row: 3 } }]);
  });

  test('retries a refused session only after fifteen minutes, and never logs the session', async () => {
    await using standIn = new BetfairStandIn({ catalogue: CATALOGUE, script: [IMAGE], session: 'another' });
    await using follower = await follow(standIn);
    await until('the refusal is logged', () => follower.logged.some((line) => line.includes('feed_refused')));
    const log = follower.logged.join('\n');
    expect(log).toContain('"retry_ms":900000');
    expect(follower.reader.sourceReports()).toMatchObject([
      { name: 'betfair', state: 'stopped', reason: 'bad_key' },
    ]);
    expect(log).not.toMatch(/"session"|127\.0\.0\.1/);
  });
});

test.each([
  [503, '<html>busy</html>', 'failing', 'server_error', 120_000],
  [429, '', 'failing', 'throttled', 120_000],
  [400, '{"detail":{"APINGException":{"errorCode":"TOO_MANY_REQUESTS"}}}', 'failing', 'throttled', 120_000],
  [400, '{"detail":{"APINGException":{"errorCode":"UNEXPECTED_ERROR"}}}', 'failing', 'server_error', 0],
  [400, '{"detail":{"APINGException":{"errorCode":"INVALID_APP_KEY"}}}', 'stopped', 'bad_key', 900_000],
  [403, '<html>no</html>', 'failing', 'forbidden', 0],
  [302, '', 'failing', 'redirected', 0],
  [200, '<html>hello</html>', 'failing', 'not_json', 0],
  [200, '', 'failing', 'empty', 0],
  [200, '[]', 'failing', 'empty', 0],
  [200, '{"markets":[]}', 'failing', 'wrong_shape', 0],
])(
  'an answer %p %p of the catalogue makes the source %s for %s, which is counted, and Retry-After is respected',
  async (status, body, state, reason, leastMs) => {
    const headers = { 'retry-after': '120', location: 'http://127.0.0.1:1/' };
    await using standIn = new BetfairStandIn({
      catalogue: CATALOGUE,
      script: [IMAGE],
      refusal: () => new Response(body, { status, headers }),
    });
    await using follower = await follow(standIn);
    await until('the failure is logged', () => follower.logged.some((line) => line.includes('retry_ms')));
    const [report] = follower.reader.sourceReports();
    expect(report).toMatchObject({ name: 'betfair', state, reason });
    expect(Object.keys(report!.failures)).toEqual([reason]);
    const retryMs = Number(/"retry_ms":(\d+)/.exec(follower.logged.join(''))?.[1]);
    expect(retryMs).toBeGreaterThanOrEqual(leastMs);
  },
);
