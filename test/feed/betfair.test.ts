// Betfair as a source, against a stand-in server: made-up markets of the documented shapes with every state and fault, and
// the real samples where they are beside the checkout.

import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { Random } from '../../src/domain/random.ts';
import { type ChangeMessage, catalogueOf, streamMessageOf } from '../../src/feed/betfair/messages.ts';
import { BetfairBooks } from '../../src/feed/betfair/parse.ts';
import { connectStream } from '../../src/feed/betfair/stream.ts';
import type { Draft } from '../../src/feed/poll/drafts.ts';
import { until } from '../support/condition.ts';
import { dumpSlate } from '../support/slate-dump.ts';
import { BetfairStandIn, type Change, type StandInOptions } from './betfair-stand-in.ts';
import { startPipeline, type TestPipeline } from './websocket-support.ts';

const SAMPLES = new URL('../../../shared/data/upstreams/betfair-stream/', import.meta.url).pathname;
const HOME = 10;
const AWAY = 20;
const DRAW = 58_805;
const START_MS = Date.UTC(2026, 10, 21, 15);

const CATALOGUE = [
  market('1.1', [
    [HOME, 'Red'],
    [AWAY, 'Blue'],
    [DRAW, 'The Draw'],
  ]),
  market('1.2', [
    [HOME, 'Red'],
    [AWAY, 'Blue'],
  ]),
  market('1.3', [
    [47_972, 'Under 2.5 Goals'],
    [47_973, 'Over 2.5 Goals'],
  ]),
];

function market(marketId: string, runners: readonly (readonly [number, string])[]) {
  return {
    marketId,
    event: { id: '900', name: 'Red v Blue' },
    competition: { id: '7', name: 'Made-up League' },
    runners: runners.map(([selectionId, runnerName]) => ({ selectionId, runnerName, handicap: 0 })),
  };
}

function definition(marketType: string, runners: readonly object[], fields: object = {}) {
  return {
    status: 'OPEN',
    inPlay: false,
    marketType,
    eventId: '900',
    eventTypeId: '1',
    marketTime: new Date(START_MS).toISOString(),
    runners: runners.map((runner, index) => ({ status: 'ACTIVE', sortPriority: index + 1, ...runner })),
    ...fields,
  };
}
const odds = (fields: object = {}) =>
  definition('MATCH_ODDS', [{ id: HOME }, { id: AWAY }, { id: DRAW }], fields);
const handicap = (fields: object = {}) =>
  definition(
    'ASIAN_HANDICAP',
    [{ id: HOME, hc: -0.5 }, { id: AWAY, hc: 0.5 }, { id: HOME }, { id: AWAY }],
    fields,
  );
const goals = (fields: object = {}) => definition('OVER_UNDER_25', [{ id: 47_972 }, { id: 47_973 }], fields);

function change(index: number, ...mc: readonly object[]): Change {
  return { pt: START_MS - 60_000 + index * 1_000, clk: `clock-${index}`, mc };
}

const IMAGE = change(
  0,
  {
    id: '1.1',
    img: true,
    marketDefinition: odds(),
    rc: [
      {
        id: HOME,
        batb: [
          [0, 2, 50],
          [1, 1.98, 9],
        ],
      },
      { id: DRAW, batb: [[0, 3.5, 9]] },
      { id: AWAY, batb: [[0, 4, 9]] },
    ],
  },
  {
    id: '1.2',
    img: true,
    marketDefinition: handicap(),
    rc: [
      { id: HOME, hc: -0.5, batb: [[0, 2, 5]] },
      { id: AWAY, hc: 0.5, batb: [[0, 1.96, 5]] },
      { id: HOME, batb: [[0, 1.5, 5]] },
    ],
  },
  {
    id: '1.3',
    img: true,
    marketDefinition: goals(),
    rc: [
      { id: 47_972, batb: [[0, 2.1, 5]] },
      { id: 47_973, batb: [[0, 1.8, 5]] },
    ],
  },
);

interface Follower extends TestPipeline {
  /** Quotes as "market line: prices status", sorted. */
  quotes(): string[];
}

async function follow(standIn: BetfairStandIn, environment: Record<string, string> = {}): Promise<Follower> {
  const pipeline = await startPipeline(
    { kind: 'betfair' },
    { environment: { ...standIn.environment, ...environment } },
  );
  return { ...pipeline, quotes: () => quotesOf(pipeline) };
}

function quotesOf({ pipeline: { outlet } }: TestPipeline): string[] {
  const last = new Map<string, string>();
  for (const wire of outlet.eventKeys().flatMap((key) => outlet.fixture(key))) {
    const line = `${wire.market_type} ${wire.line}`;
    if (wire.type === 'quote') last.set(line, `${(wire.prices as number[]).join('/')} ${wire.status}`);
    else if (wire.type === 'close') last.delete(line);
  }
  return Array.from(last, ([line, prices]) => `${line}: ${prices}`).sort();
}

async function play(
  script: readonly Change[],
  options: Partial<StandInOptions> = {},
  environment: Record<string, string> = {},
) {
  await using standIn = new BetfairStandIn({ catalogue: CATALOGUE, script, ...options });
  await using follower = await follow(standIn, environment);
  const endMs = script.at(-1)!.pt + 5_000;
  await until('the script is through', () => follower.reader.feed().heartbeatAtMs === endMs);
  return {
    standIn,
    quotes: follower.quotes(),
    dump: dumpSlate(follower.buffer),
    counters: follower.reader.counters(),
    reports: follower.reader.sourceReports(),
  };
}

describe('FEED=betfair', () => {
  test('shows the best price to back of each outcome, lines by the home side, over before under', async () => {
    const { quotes, standIn } = await play([IMAGE]);
    expect(quotes).toEqual([
      '1x2 null: 2/3.5/4 open',
      'asian_handicap -0.5: 2/1.96 open',
      'asian_handicap 0: 1.5/0 suspended', // nobody lays the away side
      'totals 2.5: 1.8/2.1 open',
    ]);
    expect(standIn.subscriptions[0]).toMatchObject({ marketFilter: { marketIds: ['1.1', '1.2', '1.3'] } });
    expect(standIn.catalogueRequests.map(({ headers }) => headers.get('x-application'))).toEqual([
      'key',
      'key',
    ]);
  });

  test('takes the commission off the winnings', async () => {
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
    // In play the score is not known, so what a handicap counts from is not either.
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

  test('applies the segments of a change together, and ignores a tail without its beginning', async () => {
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

  test('ends as without faults after cuts, resumed by clock, garbage, and bytes in small pieces', async () => {
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
  }, 60_000);

  test('leaves out prices that cannot be, and counts them', async () => {
    const bad = [[0, -1, 5], [0, 1, 5], [0, 5_000, 5], [0, 'x', 5], [0, 2, -1], [0.5, 2, 5], null];
    const { quotes, reports } = await play([
      IMAGE,
      change(1, { id: '1.1', rc: [{ id: HOME, batb: bad }, { hc: 1 }, 7] }, null as unknown as object),
    ]);
    expect(quotes).toContain('1x2 null: 2/3.5/4 open');
    expect(reports).toMatchObject([{ counts: { bad_price: 7, bad_row: 3 } }]);
  });

  test('a session that is refused is final: looked at again in fifteen minutes, and never logged', async () => {
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

test('connectStream gives up a peer that takes the connection and never answers the handshake', async () => {
  const giveUp = new AbortController();
  using silent = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: () => giveUp.abort() }, // the first bytes of the handshake
  });
  const handlers = { line: () => {}, closed: () => {} };
  const address = `tls://127.0.0.1:${silent.port}`;
  await expect(connectStream(address, handlers, giveUp.signal)).rejects.toThrow('Did not open in time');
});

test.each([
  [503, '<html>busy</html>', 'failing', 'server_error', 120_000],
  [429, '', 'failing', 'throttled', 120_000],
  [400, '{"detail":{"APINGException":{"errorCode":"TOO_MANY_REQUESTS"}}}', 'failing', 'throttled', 120_000],
  [400, '{"detail":{"APINGException":{"errorCode":"UNEXPECTED_ERROR"}}}', 'failing', 'server_error', 0],
  [400, '{"detail":{"APINGException":{"errorCode":"INVALID_APP_KEY"}}}', 'stopped', 'bad_key', 900_000],
  [403, '<html>no</html>', 'stopped', 'forbidden', 900_000],
  [302, '', 'failing', 'redirected', 0],
  [200, '<html>hello</html>', 'failing', 'not_json', 0],
  [200, '', 'failing', 'empty', 0],
  [200, '[]', 'failing', 'empty', 0],
  [200, '{"markets":[]}', 'failing', 'wrong_shape', 0],
])(
  'a catalogue that answers %p %p: %s for %s, counted, and Retry-After is kept',
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

describe('BetfairBooks', () => {
  test('in play sends handicaps of football from the present score, once that is known', () => {
    const books = new BetfairBooks({ bookmaker: 'sbobet', commission: 0 });
    books.learn(catalogueOf(CATALOGUE)!);
    const apply = (message: Change) =>
      books.apply(streamMessageOf({ op: 'mcm', ...message }) as ChangeMessage);
    const lines = (drafts: readonly Draft[]) =>
      drafts.flatMap((draft) => ('quote' in draft ? [`${draft.type} ${draft.quote.line}`] : [])).sort();
    expect(lines(apply(IMAGE))).toContain('quote -0.5');
    const kickOff = change(1, { id: '1.2', marketDefinition: handicap({ inPlay: true }) });
    expect(lines(apply(kickOff))).toEqual(['close -0.5', 'close 0']);
    // Two goals up, -0.5 on the whole match is +1.5 on what is still to come.
    expect(lines(books.setScore('betfair-900', [2, 0], START_MS))).toEqual(['quote 1.5', 'quote 2']);
    expect(lines(books.setScore('betfair-900', [2, 3], START_MS))).toEqual([
      'close 1.5',
      'close 2',
      'quote -1',
      'quote -1.5',
    ]);
  });
});

describe.skipIf(!existsSync(SAMPLES))(
  "Betfair's own stream (skipped where the samples are not beside the checkout)",
  () => {
    const football = linesOf('football-one-event-filtered.ndjson');
    const catalogue = [
      sampleMarket('1.242971262', '34258228', 'Home FC v Away FC'),
      sampleMarket('1.242971311', '34258228', 'Home FC v Away FC'),
    ];

    test('the order book and the best prices of a football match equal an independent reading, at full speed', async () => {
      const { quotes } = await play(football, { catalogue });
      expect(quotes).toEqual(readIndependently(football));
      expect(quotes.length).toBeGreaterThan(15);
    }, 60_000);

    test('and its densest seconds at real pace', async () => {
      const windowMs = 2_000;
      let [from, to] = [1, 1];
      for (let start = 1, end = 1; start < football.length; start++) {
        while (end < football.length && football[end]!.pt < football[start]!.pt + windowMs) end++;
        if (end - start > to - from) [from, to] = [start, end];
      }
      const script = football.slice(0, to);
      const { quotes } = await play(script, {
        catalogue,
        after: async (index) => {
          if (index >= from && index + 1 < to) await Bun.sleep(script[index + 1]!.pt - script[index]!.pt);
        },
      });
      expect(to - from).toBeGreaterThan(5);
      expect(quotes).toEqual(readIndependently(script));
    }, 60_000);

    test('a basketball match through kick-off to its end: the home side is named second', async () => {
      const script = linesOf('nba-match-odds-2019-12-29-excerpt.ndjson');
      const nba = [sampleMarket('1.166811431', '29635049', 'Cleveland Cavaliers @ Minnesota Timberwolves')];
      const closedAt = script.findIndex(({ mc }) => JSON.stringify(mc).includes('"status":"CLOSED"'));
      const before = script.slice(0, closedAt);
      const open = await play(before, { catalogue: nba });
      expect(open.quotes).toEqual(readIndependently(before));
      expect(Object.values(open.dump)[0]).toMatchObject({
        names: ['Made-up League', 'Minnesota Timberwolves', 'Cleveland Cavaliers'],
      });
      const closed = await play(script, { catalogue: nba });
      expect(closed.quotes).toEqual([]);
      expect(Object.values(closed.dump)[0]).toMatchObject({ facts: { feedStatus: 2 } });
    }, 60_000);
  },
);

function sampleMarket(marketId: string, id: string, name: string) {
  return { ...market(marketId, []), event: { id, name } };
}

function linesOf(name: string): Change[] {
  if (!existsSync(SAMPLES + name)) return [];
  const lines = readFileSync(SAMPLES + name, 'utf8')
    .trim()
    .split('\n');
  // Clocks are made distinct: resuming looks for them.
  return lines.map((line, index) => ({ ...(JSON.parse(line) as Change), clk: `clk-${index}` }));
}

/** The file read in the plainest way: sizes by price in nested objects, and the highest price with money on it. */
function readIndependently(script: readonly Change[]): string[] {
  type Runner = { id: number; hc?: number; sortPriority: number; status: string };
  const books: Record<string, Record<string, Record<string, number>>> = {};
  const definitions: Record<
    string,
    { status: string; marketType: string; eventTypeId: string; runners: Runner[] }
  > = {};
  for (const { mc = [] } of script) {
    for (const item of mc as {
      id: string;
      img?: boolean;
      marketDefinition?: (typeof definitions)[string];
      rc?: { id: number; hc?: number; atb?: number[][] }[];
    }[]) {
      if (item.img || books[item.id] === undefined) books[item.id] = {};
      if (item.marketDefinition !== undefined) definitions[item.id] = item.marketDefinition;
      for (const { id, hc = 0, atb = [] } of item.rc ?? []) {
        const book = books[item.id]!;
        const ladder = book[`${id} ${hc}`] ?? {};
        book[`${id} ${hc}`] = ladder;
        for (const [price, size] of atb) ladder[String(price)] = size!;
      }
    }
  }
  const quotes: string[] = [];
  for (const [id, { status, marketType, eventTypeId, runners }] of Object.entries(definitions)) {
    const best = (runner: number, hc: number) => {
      const ladder = books[id]![`${runner} ${hc}`] ?? {};
      return Math.max(
        0,
        ...Object.keys(ladder)
          .filter((price) => ladder[price]! > 0)
          .map(Number),
      );
    };
    const add = (line: string, prices: number[]) => {
      if (Math.max(...prices) === 0) return;
      quotes.push(
        `${line}: ${prices.join('/')} ${status === 'OPEN' && Math.min(...prices) > 0 ? 'open' : 'suspended'}`,
      );
    };
    const [first, second, third] = runners
      .toSorted((a, b) => a.sortPriority - b.sortPriority)
      .map((runner) => runner.id);
    if (marketType === 'MATCH_ODDS' && eventTypeId === '1')
      add('1x2 null', [best(first!, 0), best(third!, 0), best(second!, 0)]);
    else if (marketType === 'MATCH_ODDS') add('1x2 null', [best(second!, 0), best(first!, 0)]);
    else {
      for (let quarters = -16; quarters <= 16; quarters++) {
        const line = quarters / 4;
        add(`asian_handicap ${line}`, [best(first!, line), best(second!, line === 0 ? 0 : -line)]);
      }
    }
  }
  return quotes.sort();
}
