// Fifteen tasks that people give an agent, with the calls for each task and the expected answer, which is
// computed from the prices below by the tests' own arithmetic (tools/oracle/odds.ts).

import { DAY_MS } from '../../src/clock.ts';
import { football, quoteOf, state, T0 } from '../tools/made-up-slate.ts';
import { marketsOf } from '../tools/named-slate.ts';
import { fairOf, inverseSum } from '../tools/oracle/odds.ts';
import type { Args } from '../tools/tool-service.ts';
import type { Wire } from '../tools/wire-slate.ts';

const SERIE_A = { key: 'serie-a', name: 'Italy Serie A' };
const PREMIER = { key: 'premier', name: 'England Premier League' };

function inLeague(league: { key: string; name: string }, wire: Wire): Wire {
  return { ...wire, league };
}

function earlier(wire: Wire, ms: number): Wire {
  return { ...wire, at: new Date(T0 - ms).toISOString() };
}

/** 1x2 prices of the sharp book and another book for tonight's match in Italy, with their openings. */
const INTER = { opened: [1.9, 3.5, 4.4], sharp: [2.1, 3.4, 3.7], crown: [2.2, 3.3, 3.6] } as const;
/** Totals of tonight's match. The prices of two books together are an arbitrage. */
const GOALS = { crown: [2.1, 1.78], sbobet: [1.8, 2.02], sharp: [1.98, 1.92] } as const;
const OVER_3_5 = [3.4, 1.32] as const;

export function taskWires(): Wire[] {
  return [
    inLeague(PREMIER, football('ars-che', 'Arsenal', 'Chelsea')),
    inLeague(PREMIER, football('liv-eve', 'Liverpool', 'Everton', '2026-03-01T11:20:00Z')),
    inLeague(SERIE_A, football('int-nap', 'Inter', 'Napoli', '2026-03-01T19:45:00Z')),
    inLeague(SERIE_A, football('mil-laz', 'Milan', 'Lazio', '2026-03-02T19:45:00Z')),
    inLeague(SERIE_A, football('juv-rom', 'Juventus', 'Roma', '2026-02-28T19:45:00Z')),
    ...marketsOf('ars-che'),
    quoteOf('ars-che', 'pinnacle', 'totals', 3.5, OVER_3_5),
    ...marketsOf('liv-eve'),
    state('liv-eve', 'live', [1, 0], '1h 38'),
    earlier(quoteOf('int-nap', 'pinnacle', '1x2', null, INTER.opened), 3_000_000),
    quoteOf('int-nap', 'pinnacle', '1x2', null, INTER.sharp),
    quoteOf('int-nap', 'crown', '1x2', null, INTER.crown),
    quoteOf('int-nap', 'pinnacle', 'totals', 2.5, GOALS.sharp),
    quoteOf('int-nap', 'crown', 'totals', 2.5, GOALS.crown),
    quoteOf('int-nap', 'sbobet', 'totals', 2.5, GOALS.sbobet),
    state('juv-rom', 'finished', [3, 0], '2h 90'),
    {
      type: 'result',
      at: new Date(T0 - DAY_MS / 2).toISOString(),
      event: 'juv-rom',
      score: [3, 0],
      red_cards: [0, 0],
      finished_at: '2026-02-28T21:40:00Z',
    },
  ];
}

type Answers = readonly Record<string, never>[];

interface AgentTask {
  readonly asked: string;
  readonly calls: readonly (readonly [tool: string, args: Args])[];
  /** Returns only the values of the answers that `expected` lists. */
  readonly read: (answers: Answers) => unknown;
  readonly expected: unknown;
}

const round = (value: number, decimals: number) => Number(value.toFixed(decimals));
/** The fair probability of the first outcome of a total. */
const fairFirst = (prices: readonly number[]) => fairOf('totals', prices)![0]!;
/** The fair probabilities of a 1x2. */
const winnerFair = (prices: readonly number[]) => fairOf('1x2', prices)!;

const valueEdge = (GOALS.crown[0] * fairFirst(GOALS.sharp) - 1) * 100;
const interFair = winnerFair(INTER.sharp)[0]!;

export const AGENT_TASKS: readonly AgentTask[] = [
  {
    asked: 'Is 2.10 on over 2.5 in Inter against Napoli a good price?',
    calls: [
      [
        'compare_prob',
        { query: 'Inter vs Napoli', market_type: 'totals', outcome: 'over', line: 2.5, price: 2.1 },
      ],
    ],
    read: ([answer]) => [answer!.verdict, answer!.edge_pp],
    expected: ['marginal', round((fairFirst(GOALS.sharp) - 1 / 2.1) * 100, 2)],
  },
  {
    asked: 'And 3.60 on over 3.5 in Arsenal against Chelsea?',
    calls: [
      [
        'compare_prob',
        { query: 'Arsenal v Chelsea', market_type: 'totals', outcome: 'over', line: 3.5, price: 3.6 },
      ],
    ],
    read: ([answer]) => [answer!.line, answer!.fair_prob],
    expected: [3.5, round(fairFirst(OVER_3_5), 4)],
  },
  {
    asked: 'What is the best value tonight in Serie A?',
    calls: [
      [
        'scan_slate',
        { league: 'Serie A', date: 'tonight', signal: 'value', only_signal: true, markets: ['totals'] },
      ],
    ],
    read: ([answer]) => {
      const [entry] = answer!.entries as { home_team: string; best_value: Record<string, unknown> }[];
      return [
        entry!.home_team,
        entry!.best_value.outcome,
        entry!.best_value.bookmaker,
        entry!.best_value.edge_pct,
      ];
    },
    expected: ['Inter', 'over', 'crown', round(valueEdge, 2)],
  },
  {
    asked: 'Any arbitrage on the slate?',
    calls: [['scan_slate', { signal: 'arbitrage', only_signal: true }]],
    read: ([answer]) =>
      (answer!.entries as { home_team: string; best_arb: { margin_pct: number } }[])
        .filter(({ home_team }) => home_team === 'Inter')
        .map(({ best_arb }) => best_arb.margin_pct),
    expected: [round((1 / inverseSum([GOALS.crown[0], GOALS.sbobet[1]]) - 1) * 100, 2)],
  },
  {
    asked: "Who won yesterday's Juventus match?",
    calls: [['list_results', { team: 'Juventus', date: 'yesterday' }]],
    read: ([answer]) =>
      (answer!.results as { home_team: string; score: unknown }[]).map(({ home_team, score }) => [
        home_team,
        score,
      ]),
    expected: [['Juventus', { home: 3, away: 0 }]],
  },
  {
    asked: 'Which fixture has moved most since it opened?',
    calls: [['list_movers', { limit: 1 }]],
    read: ([answer]) => {
      const [mover] = answer!.movers as { home_team: string; prob_from: number; prob_to: number }[];
      return [mover!.home_team, mover!.prob_from, mover!.prob_to];
    },
    expected: ['Inter', round(winnerFair(INTER.opened)[0]!, 4), round(interFair, 4)],
  },
  {
    asked: 'Which bookmaker is tightest on the 1x2 in Serie A?',
    calls: [['compare_books', { league: 'Serie A' }]],
    read: ([answer]) =>
      (answer!.books as { bookmaker: string; overround: number }[]).map(({ bookmaker, overround }) => [
        bookmaker,
        overround,
      ]),
    expected: [
      ['pinnacle', round(inverseSum(INTER.sharp) - 1, 4)],
      ['crown', round(inverseSum(INTER.crown) - 1, 4)],
    ].sort((left, right) => (left[1] as number) - (right[1] as number)),
  },
  {
    asked: 'What is the total in the Inter match, and the best price on each side?',
    calls: [['get_sharp_line', { query: 'Inter', market_type: 'totals', verbosity: 'terse' }]],
    read: ([answer]) => {
      const comparison = answer!.comparison as { line: number; best_prices: { decimal: number }[] };
      return [comparison.line, comparison.best_prices.map(({ decimal }) => decimal)];
    },
    expected: [2.5, [GOALS.crown[0], GOALS.sbobet[1]]],
  },
  {
    asked: 'When is Inter on in Tokyo time, and who is favourite?',
    calls: [['match_info', { query: 'Inter', timezone: 'Asia/Tokyo' }]],
    read: ([answer]) => {
      const { team, win_probability } = answer!.favorite as { team: string; win_probability: number };
      return [answer!.scheduled_at_local, team, win_probability];
    },
    // Crown's overround is lower than the other book's, so fair prices come from Crown.
    expected: ['2026-03-02T04:45:00+09:00', 'Inter', round(winnerFair(INTER.crown)[0]!, 4)],
  },
  {
    asked: 'What is on live?',
    calls: [['list_today_matches', { status: 'live', verbosity: 'terse' }]],
    read: ([answer]) =>
      (answer!.by_league as { league: string; rows: string[] }[]).map(({ league, rows }) => [
        league,
        rows.map((row) => row.replace(/ \w+$/, '')),
      ]),
    expected: [['England Premier League', ['live 1-0 1h 38 Liverpool v Everton']]],
  },
  {
    asked: "Show Crown's 1x2 on Inter.",
    calls: [['get_match_odds', { query: 'Inter v Napoli', bookmakers: ['crown'], markets: ['1x2'] }]],
    read: ([answer]) => (answer!.odds as { prices: Record<string, number> }[]).map(({ prices }) => prices),
    expected: [{ home: INTER.crown[0], draw: INTER.crown[1], away: INTER.crown[2] }],
  },
  {
    asked: 'Where did Inter open, and is there value on them now?',
    calls: [
      ['get_opening_line', { query: 'Inter', markets: ['1x2'], bookmakers: ['pinnacle'] }],
      ['find_value', { query: 'Inter', markets: ['1x2'] }],
    ],
    read: ([opening, value]) => [
      (opening!.lines as { opening: { home: number } }[])[0]!.opening.home,
      (value!.value_bets as { outcome: string; edge_pct: number }[]).map(({ outcome, edge_pct }) => [
        outcome,
        edge_pct,
      ]),
    ],
    expected: [INTER.opened[0], [['home', round((INTER.crown[0] * interFair - 1) * 100, 2)]]],
  },
  {
    asked: 'What does a handicap of -0.75 mean?',
    calls: [['explain_handicap', { line: -0.75 }]],
    read: ([answer]) => answer!.handicap_components,
    expected: [-0.5, -1],
  },
  {
    asked: 'Which leagues play tomorrow?',
    calls: [['list_leagues', { date: 'tomorrow' }]],
    read: ([answer]) =>
      (answer!.leagues as { name: string; matches: number }[]).map(({ name, matches }) => [name, matches]),
    expected: [['Italy Serie A', 1]],
  },
  {
    asked: 'How will Liverpool against Everton end, from 1-0?',
    calls: [['score_prob', { query: 'Liverpool', top: 10 }]],
    read: ([answer]) =>
      (answer!.scores as { score: string }[]).every(({ score }) => Number(score.split('-')[0]) >= 1),
    expected: true,
  },
];
