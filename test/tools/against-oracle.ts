// Tests every tool, called over HTTP as every tier on one slate. Answers are valid by the manifest's own
// schemas, checked with Ajv, which shares no code with the server's validator. They equal what the oracle
// expects: the rules implemented a second time, over plain objects (oracle/).

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AnswerSchemas } from './answer-schemas.ts';
import { differences, Sentence } from './oracle/expected.ts';
import { BOOKS, classOf, FORMATS } from './oracle/odds.ts';
import { fixtureQuestions, type Question } from './oracle/questions.ts';
import { isoOf, type OracleSlate, oracleSlate } from './oracle/slate.ts';
import { listBookmakers, listEvents, listResults, listToday, scan } from './oracle/slate-answers.ts';
import { ASKERS, type Asker, seesSharp, type ToolService } from './tool-service.ts';

/**
 * The fixtures that each caller asks about. Together, standard and enterprise ask about every fixture, and
 * keyless and free about nearly half of them.
 */
const ASKS_ABOUT: Readonly<Record<Asker, (turn: number) => boolean>> = {
  keyless: (turn) => turn % 3 === 0,
  free: (turn) => turn % 7 === 0,
  standard: (turn) => turn % 5 === 0,
  enterprise: (turn) => turn % 5 !== 0,
};
const TIMEOUT_MS = 120_000;

interface Played {
  readonly service: ToolService;
  /** The recording that the service plays. */
  readonly path: string;
  /** The instant at which the recording is stopped. */
  readonly now: string;
}

/**
 * @param facts the cases that must occur on the slate for the tests to be meaningful (see `factsOf`)
 * @param every asks only about every third fixture if it is 3, and so on
 */
export function holdAgainstOracle(start: () => Promise<Played>, facts: readonly string[], every = 1): void {
  let service: ToolService;
  let schemas: AnswerSchemas;
  let slate: OracleSlate;
  /**
   * The cases that occurred in the questions of callers who see the sharp bookmaker, which cover every
   * fixture.
   */
  const met = new Set<string>();
  /** The questions about the slate, for callers with and without the sharp bookmaker. */
  const aboutSlate = new Map<boolean, Question[]>();

  beforeAll(async () => {
    const played = await start();
    service = played.service;
    schemas = await AnswerSchemas.of(service.url);
    slate = oracleSlate(played.path, Date.parse(played.now), await service.events());
    await service.untilResults(slate.results.length);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  async function problemsOf(asker: Asker, question: Question): Promise<string[]> {
    const answer = await service.answer(asker, question.tool, question.args);
    const found = schemas.problemsOf(question.tool, answer);
    // The decisions page has no rule for the caveats of compare_prob; other tests check them.
    const { caveats: _caveats, ...ruled } = answer;
    if (question.expected !== undefined) found.push(...differences(question.expected, ruled));
    return found.map((problem) => `${asker} ${question.tool} ${JSON.stringify(question.args)}: ${problem}`);
  }

  for (const asker of ASKERS) {
    test(
      `${asker}: tools about one fixture answer as the oracle expects`,
      async () => {
        const problems: string[] = [];
        let asked = 0;
        const fixtures = slate.fixtures.filter((_, index) => index % every === 0);
        for (const [turn, fixture] of fixtures.entries()) {
          if (!ASKS_ABOUT[asker](turn)) continue;
          for (const question of fixtureQuestions({ slate, fixture, seesSharp: seesSharp(asker) }, turn)) {
            problems.push(...(await problemsOf(asker, question)));
            asked += 1;
            if (seesSharp(asker)) for (const fact of factsOf(question)) met.add(fact);
          }
        }
        expect(problems.slice(0, 20)).toEqual([]);
        expect(asked).toBeGreaterThan(80);
      },
      TIMEOUT_MS,
    );

    test(
      `${asker}: tools about the slate answer as the oracle expects`,
      async () => {
        const problems: string[] = [];
        const questions = aboutSlate.getOrInsertComputed(seesSharp(asker), (sharp) =>
          slateQuestions(slate, sharp),
        );
        for (const question of questions) {
          problems.push(...(await problemsOf(asker, question)));
        }
        expect(problems.slice(0, 20)).toEqual([]);
      },
      TIMEOUT_MS,
    );
  }

  test(`the slate has ${facts.join(', ')}`, () => {
    for (const { status } of slate.fixtures) met.add(status);
    expect([...met]).toEqual(expect.arrayContaining([...facts]));
  });
}

function slateQuestions(slate: OracleSlate, sharp: boolean): Question[] {
  const [sharps, soft] = [true, false].map((is) =>
    BOOKS.filter((book) => (classOf(book) === 'sharp') === is),
  ) as [string[], string[]];
  const scans = [
    { only_signal: false, limit: 20 },
    { only_signal: true, limit: 100, min_edge_pct: 0 },
    { only_signal: false, limit: 100, min_edge_pct: 0.25, min_margin_pct: 0.5, status: 'scheduled' },
    { only_signal: false, limit: 3, status: 'live' },
    { only_signal: true, limit: 1, status: 'finished', min_edge_pct: 0 },
    { only_signal: true, limit: 7, markets: ['1x2'], period: 'full_time' },
    { only_signal: false, limit: 100, markets: ['totals', 'asian_handicap'], min_edge_pct: 3 },
    { only_signal: false, limit: 100, bookmakers: soft.slice(0, 1), min_edge_pct: 0 },
    { only_signal: true, limit: 100, bookmakers: soft.slice(1, 4), min_edge_pct: 0 },
    { only_signal: false, limit: 100, bookmakers: sharp ? [...soft.slice(0, 1), ...sharps] : soft.slice(-2) },
  ];
  const date = isoOf(slate.nowMs).slice(0, 10);
  const first = isoOf(slate.fixtures[0]!.kickoffMs).slice(0, 10);
  const team = slate.results[0]!.fixture.model.home.slice(0, 4);
  return [
    ...scans.map((args, index): Question => {
      const format = FORMATS[index % FORMATS.length]!;
      const { min_edge_pct: minEdgePct = 1, min_margin_pct: minMarginPct = 0, ...rest } = args;
      const expected = scan(slate, sharp, { ...rest, minEdgePct, minMarginPct, format });
      return { tool: 'scan_slate', args: { ...args, format }, expected };
    }),
    ...[{ limit: 50 }, { limit: 2 }, { limit: 200, status: 'live' }].map(
      (args): Question => ({ tool: 'list_today_matches', args, expected: listToday(slate, args) }),
    ),
    ...[
      { date, limit: 50 },
      { date: first, date_to: date, limit: 200 },
      { date, limit: 1 },
    ].map((args): Question => ({ tool: 'list_events', args, expected: listEvents(slate, args) })),
    ...[{ limit: 200 }, { limit: 3 }, { team, limit: 200 }, { date: first, limit: 200 }].map(
      (args): Question => ({
        tool: 'list_results',
        args,
        expected: { ...listResults(slate, args), note: null },
      }),
    ),
    { tool: 'list_bookmakers', args: {}, expected: listBookmakers(sharp) },
    { tool: 'explain_handicap', args: { line: -0.75 }, expected: HANDICAP },
  ];
}

const HANDICAP = {
  handicap_raw: '-0.75',
  handicap_decimal: -0.75,
  handicap_components: [-0.5, -1],
  explanation: new Sentence('-0.5', '-1'),
  win_conditions: {
    full_win: 'a > 0.25',
    half_win: 'a == 0.25',
    push: null,
    half_loss: null,
    full_loss: 'a < 0',
  },
};

function factsOf({ tool, expected }: Question): string[] {
  const answer = (expected ?? {}) as Record<string, unknown>;
  switch (tool) {
    case 'find_value': {
      const note = answer.note instanceof Sentence ? answer.note.words.join(' ') : '';
      const bets = answer.value_bets as unknown[];
      return [...bets.map(() => 'value'), ...(note.includes('implausibly') ? ['implausible value'] : [])];
    }
    case 'find_arbitrage':
      return (answer.opportunities as unknown[]).map(() => 'arbitrage');
    case 'get_opening_line': {
      const lines = answer.lines as { line: number | null; current_line: number | null }[];
      return lines.filter((line) => line.line !== line.current_line).map(() => 'moved lines');
    }
    case 'get_match_odds': {
      const quotes = answer.odds as { status: string }[];
      return quotes.map(({ status }) => `${status} quotes`);
    }
    case 'get_result':
      return [`result ${answer.status}`];
    default:
      return [];
  }
}
