// How many tokens the tools cost a model: the list of tools in each conversation, and answers with long
// lists. The listed schemas are shorter than the full ones, but they allow every call that the full ones
// allow.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SimulatorEngine } from '../../src/feed/simulator/engine.ts';
import { tokenCount } from '../support/token-count.ts';
import { TOOL_NAMES } from '../support/tool-names.ts';
import { goodQuestions, NAMED_NOW, namedIds, namedWires } from '../tools/named-slate.ts';
import { ToolService } from '../tools/tool-service.ts';
import type { Wire } from '../tools/wire-slate.ts';
import { connect } from './serve.ts';

const LISTING_TOKENS_MAX = 9_900;
const FIXTURES = 200;
const TERSE_TOKENS_MAX = 5_000;

let service: ToolService;
let client: Client & AsyncDisposable;

beforeAll(async () => {
  service = await ToolService.play(namedWires(), NAMED_NOW);
  client = await connect(`${service.url}/mcp`, 'auto', await service.keyOf('enterprise'));
});
afterAll(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

test(`tools/list takes at most ${LISTING_TOKENS_MAX} tokens with every tool`, async () => {
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(TOOL_NAMES.length);
  expect(tokenCount(tools)).toBeLessThanOrEqual(LISTING_TOKENS_MAX);
});

test('the listed schema accepts the sample calls of every tool', async () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const { tools } = await client.listTools();
  for (const { tool, args } of goodQuestions(await namedIds(service))) {
    const { inputSchema } = tools.find(({ name }) => name === tool)!;
    expect([tool, ajv.validate(inputSchema as object, args), ajv.errors]).toEqual([tool, true, null]);
  }
});

test(`${FIXTURES} fixtures in short form take at most ${TERSE_TOKENS_MAX} tokens, and each fixture of the full list is there`, async () => {
  await using simulated = await ToolService.play(simulatedFixtures(), NAMED_NOW);
  const asked = { date: 'yesterday', date_to: 'tomorrow', limit: FIXTURES };
  const terse = await simulated.answer('enterprise', 'list_events', { ...asked, verbosity: 'terse' });
  const full = await simulated.answer('enterprise', 'list_events', asked);
  expect(terse.count).toBe(FIXTURES);
  expect(tokenCount(terse)).toBeLessThanOrEqual(TERSE_TOKENS_MAX);
  const leagues = terse.by_league as { league: string; rows: string[] }[];
  const rows = leagues.flatMap(({ league, rows }) => rows.map((row) => ({ league, row })));
  const matches = full.matches as {
    event_id: string;
    home_team: string;
    away_team: string;
    league: string;
  }[];
  expect(rows).toHaveLength(matches.length);
  for (const { event_id, home_team, away_team, league } of matches) {
    const ending = `${home_team} v ${away_team} ${event_id.replace('evt_', '')}`;
    expect(rows.some((each) => each.league === league && each.row.endsWith(ending))).toBe(true);
  }
});

/** The fixtures of a simulated slate, without prices. */
function simulatedFixtures(): Wire[] {
  const wires: Wire[] = [];
  const slate = { footballFixtures: 300, basketballFixtures: 10, ratePerSecond: null, speed: 1 };
  new SimulatorEngine({ seed: 1, ...slate }).start(Date.parse(NAMED_NOW), (wire) => {
    if (wire.type === 'event' || wire.type === 'state') wires.push(wire);
  });
  return wires;
}
