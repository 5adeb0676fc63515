// The sentence in front of an answer may state a count. That is the number of elements in the answer, whether
// the answer is full or terse.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { listOf } from '../support/list-of.ts';
import { TOOL_NAMES } from '../support/tool-names.ts';
import { AnswerSchemas } from '../tools/answer-schemas.ts';
import { type Asked, goodQuestions, NAMED_NOW, namedIds, namedWires } from '../tools/named-slate.ts';
import { ToolService } from '../tools/tool-service.ts';
import { connect } from './serve.ts';

let service: ToolService;
let client: Client & AsyncDisposable;
let questions: Asked[];

beforeAll(async () => {
  service = await ToolService.play(namedWires(), NAMED_NOW);
  client = await connect(`${service.url}/mcp`, 'auto', await service.keyOf('enterprise'));
  const { tools } = await AnswerSchemas.of(service.url);
  questions = goodQuestions(await namedIds(service)).flatMap((question) => {
    const { properties } = tools.find(({ name }) => name === question.tool)!.input_schema as {
      properties: Readonly<Record<string, unknown>>;
    };
    const isTerse = 'verbosity' in properties;
    const terse = { ...question, args: { ...question.args, verbosity: 'terse' } };
    return isTerse ? [question, terse] : [question];
  });
});
afterAll(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

/** The number of elements in the lists of an answer; for groups, the elements inside them. */
function elementsIn(answer: Readonly<Record<string, unknown>>): number {
  return Object.values(answer)
    .filter((field) => Array.isArray(field))
    .flat()
    .reduce<number>((sum, element: unknown) => {
      const { rows } = element as { rows?: readonly unknown[] };
      return sum + (rows?.length ?? 1);
    }, 0);
}

test('the first number in the sentence before a list is the number of elements in the list', async () => {
  const counted = new Set<string>();
  for (const { tool, args } of questions) {
    const result = await client.callTool({ name: tool, arguments: args });
    const [{ text }] = result.content as unknown as [{ text: string }];
    const answer = result.structuredContent as Readonly<Record<string, unknown>>;
    const said = /(?:: |, )(\d+) (?:match|quote|bookmaker|league|result|entr)/.exec(text.split('\n')[0]!);
    if (said === null || 'summary' in answer) continue;
    counted.add(`${tool}${args.verbosity === 'terse' ? ' terse' : ''}`);
    expect([tool, args, Number(said[1])]).toEqual([tool, args, elementsIn(answer)]);
    if ('count' in answer)
      expect([tool, args, Number(said[1])]).toEqual([tool, args, answer.count as number]);
  }
  expect([...counted].sort()).toEqual(
    listOf(`
    get_match_odds, list_bookmakers, list_events, list_events terse, list_leagues, list_results
    list_today_matches, list_today_matches terse
  `),
  );
  expect(new Set(questions.map(({ tool }) => tool)).size).toBe(TOOL_NAMES.length);
});
