// The largest answers of the real tools over MCP. They are shortened to a size that a model can read, still
// satisfy their schemas, and have a note that explains how to request less. REST returns them completely.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { RESULT_CHARS_MAX } from '../../src/limits.ts';
import { AnswerSchemas } from '../tools/answer-schemas.ts';
import { football, quoteOf, T0 } from '../tools/made-up-slate.ts';
import { BOOKS } from '../tools/oracle/odds.ts';
import { type Args, ToolService } from '../tools/tool-service.ts';
import type { Wire } from '../tools/wire-slate.ts';
import { connect, textParts } from './serve.ts';

const NOW = new Date(T0).toISOString();
/** The lowest number of characters of JSON per token: odds are mostly digits and quotation marks. */
const CHARS_PER_TOKEN_MIN = 3;
const TOKENS_MAX = 25_000;
const QUOTES = 512;
const FIXTURES = 210;
const LONG_NAME = 'Borussia Verein für Leibesübungen 1900 Mönchengladbach';

function hugeFixture(): Wire[] {
  const wires: Wire[] = [football('huge', 'Huge United', 'Vast City')];
  for (let step = 0; wires.length <= QUOTES; step++) {
    for (const market of ['asian_handicap', 'totals']) {
      for (const period of ['full_time', 'half_time']) {
        for (const book of BOOKS) {
          if (wires.length > QUOTES) continue;
          const line = market === 'totals' ? 0.5 + step / 4 : -4 + step / 4;
          wires.push(quoteOf('huge', book, market, line, [1.9 + step / 100, 1.95], { period }));
        }
      }
    }
  }
  return wires;
}

function manyFixtures(): Wire[] {
  return Array.from({ length: FIXTURES }, (_, index) => {
    const event = `f${index}`;
    return [
      football(event, `${LONG_NAME} ${index}`, `FC Twente Enschede ${index}`),
      quoteOf(event, 'crown', 'totals', 2.5, [2.06, 1.9]),
      quoteOf(event, 'pinnacle', 'totals', 2.5, [1.99, 2.02]),
    ];
  }).flat();
}

let service: ToolService;
let schemas: AnswerSchemas;
let client: Client & AsyncDisposable;

beforeAll(async () => {
  service = await ToolService.play([...hugeFixture(), ...manyFixtures()], NOW);
  schemas = await AnswerSchemas.of(service.url);
  client = await connect(`${service.url}/mcp`, 'auto', await service.keyOf('enterprise'));
});
afterAll(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

interface Cut {
  readonly kept: number;
  readonly whole: number;
  readonly text: string;
}

/**
 * Calls a tool over REST and over MCP, and checks that the answer over MCP is a shortened form of the other.
 * @param list the field with the most elements
 */
async function ask(tool: string, args: Args, list: string): Promise<Cut> {
  const whole = await service.answer('enterprise', tool, args);
  const result = await client.callTool({ name: tool, arguments: { ...args } });
  const { structuredContent, content } = result as unknown as {
    structuredContent: Record<string, unknown>;
    content: { text: string }[];
  };
  expect(schemas.problemsOf(tool, structuredContent)).toEqual([]);
  const text = content[0]!.text;
  for (const chars of [JSON.stringify(structuredContent).length, text.length]) {
    expect(chars).toBeLessThanOrEqual(RESULT_CHARS_MAX);
    expect(chars / CHARS_PER_TOKEN_MIN).toBeLessThanOrEqual(TOKENS_MAX);
  }
  const { sentence, data } = textParts(text);
  expect(data).toEqual(structuredContent);
  const kept = structuredContent[list] as unknown[];
  const all = whole[list] as unknown[];
  expect(kept).toEqual(all.slice(0, kept.length));
  return { kept: kept.length, whole: all.length, text: sentence };
}

test('get_match_odds of 512 quotes is cut to fit', async () => {
  const [huge] = (await service.events()).filter((event) => event.home_team.name === 'Huge United');
  const { kept, whole, text } = await ask('get_match_odds', { event_id: huge!.id }, 'odds');
  expect(whole).toBe(QUOTES);
  expect(kept).toBeGreaterThan(250);
  expect(kept).toBeLessThan(QUOTES);
  expect(text).toBe(
    `Get match odds: Huge United vs Vast City, ${kept} quotes. Cut to fit: odds holds the first ${kept} of ${QUOTES}; narrow with markets, period, bookmakers.`,
  );
});

test('compare_lines of a market with every line of every book is cut to fit', async () => {
  const [huge] = (await service.events()).filter((event) => event.home_team.name === 'Huge United');
  const { whole } = await ask('compare_lines', { event_id: huge!.id }, 'books');
  expect(whole).toBeGreaterThan(100);
});

test.each([
  ['list_today_matches', { limit: 200 }],
  ['list_events', { date: '2026-03-01', limit: 200 }],
])('%s of 200 matches is cut to fit', async (tool, args) => {
  const { kept, whole, text } = await ask(tool, args, 'matches');
  expect(whole).toBe(200);
  expect(kept).toBeGreaterThan(100);
  if (kept < whole)
    expect(text).toMatch(
      /Cut to fit: matches holds the first \d+ of 200; narrow with limit, verbosity, status, league/,
    );
});

test('scan_slate of 100 entries with a signal each is cut to fit', async () => {
  const { kept, whole, text } = await ask('scan_slate', { limit: 100, min_edge_pct: 0 }, 'entries');
  expect(whole).toBe(100);
  expect(kept).toBeGreaterThan(50);
  if (kept < whole) expect(text).toMatch(/narrow with limit, markets, period, bookmakers, only_signal/);
});
