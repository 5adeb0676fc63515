// Betfair for a test: a football match with three made-up markets, the server that streams them, and the
// pipeline's result for a script of changes.

import { until } from '../../support/condition.ts';
import { dumpSlate } from '../../support/slate-dump.ts';
import { startPipeline, type TestPipeline } from '../websocket-support.ts';
import { BetfairStandIn, type Change, type StandInOptions } from './stand-in.ts';

export const HOME = 10;
export const AWAY = 20;
export const DRAW = 58_805;
export const START_MS = Date.UTC(2026, 10, 21, 15);

export const CATALOGUE = [
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

export function market(marketId: string, runners: readonly (readonly [number, string])[]) {
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
export const odds = (fields: object = {}) =>
  definition('MATCH_ODDS', [{ id: HOME }, { id: AWAY }, { id: DRAW }], fields);
export const handicap = (fields: object = {}) =>
  definition(
    'ASIAN_HANDICAP',
    [{ id: HOME, hc: -0.5 }, { id: AWAY, hc: 0.5 }, { id: HOME }, { id: AWAY }],
    fields,
  );
export const goals = (fields: object = {}) =>
  definition('OVER_UNDER_25', [{ id: 47_972 }, { id: 47_973 }], fields);

export function change(index: number, ...mc: readonly object[]): Change {
  return { pt: START_MS - 60_000 + index * 1_000, clk: `clock-${index}`, mc };
}

export const IMAGE = change(
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

export async function follow(
  standIn: BetfairStandIn,
  environment: Record<string, string> = {},
): Promise<Follower> {
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

export async function play(
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
    liquidity: Object.keys(dumpSlate(follower.buffer)).flatMap((event) =>
      follower.reader.liquidityOf(Number(event)),
    ),
    counters: follower.reader.counters(),
    reports: follower.reader.sourceReports(),
  };
}
