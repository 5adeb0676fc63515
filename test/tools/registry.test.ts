// Unknown arguments of a tool are refused. If they were dropped silently, the question would change: without
// "line": 3.5, the tool would answer about another line. test/mcp/served-tool.test.ts tests that MCP refuses
// what REST refuses.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AnswerSchemas, type ManifestTool } from './answer-schemas.ts';
import { type Asked, goodQuestions, NAMED_NOW, namedIds, namedWires } from './named-slate.ts';
import { ToolService } from './tool-service.ts';

let service: ToolService;
let tools: readonly ManifestTool[];
let questions: readonly Asked[];

beforeAll(async () => {
  service = await ToolService.play(namedWires(), NAMED_NOW);
  tools = (await AnswerSchemas.of(service.url)).tools;
  questions = goodQuestions(await namedIds(service));
});
afterAll(() => service[Symbol.asyncDispose]());

test('every output schema of the manifest compiles in the strict mode of Ajv', () => {
  const schemas = new AnswerSchemas(tools);
  for (const { name } of tools) expect([name, schemas.problemsOf(name, null).length]).not.toEqual([name, 0]);
});

/** The name without its last letter, as a misspelling. */
function slipOf(name: string): string {
  return name.slice(0, -1);
}

test('every tool refuses a misspelling of each of its arguments, and names the argument that was meant', async () => {
  for (const { name, input_schema } of tools) {
    const { args } = questions.find(({ tool }) => tool === name)!;
    const { properties, additionalProperties } = input_schema as {
      properties: Readonly<Record<string, unknown>>;
      additionalProperties: unknown;
    };
    expect([name, additionalProperties]).toEqual([name, false]);
    for (const argument of Object.keys(properties)) {
      const { status, body } = await service.ask('enterprise', name, { ...args, [slipOf(argument)]: 1 });
      const { code, message, fix } = (body as { error: Record<string, string> }).error;
      expect([name, argument, status, code]).toEqual([name, argument, 400, 'invalid_request']);
      expect(message).toBe(`Cannot use "${slipOf(argument)}": there is no such argument`);
      expect([name, argument, fix!.startsWith(`Did you mean ${argument}?`)]).toEqual([name, argument, true]);
    }
  }
});

test('the error suggests an argument only if it was probably meant', async () => {
  const refused = await service.ask('enterprise', 'find_value', { limit: 5 });
  const { message, fix } = (refused.body as { error: Record<string, string> }).error;
  expect(message).toBe('Cannot use "limit": there is no such argument');
  expect(fix).toStartWith('The arguments are: query, ');
});

test('a tool without arguments states this in its error, and a null argument is ignored', async () => {
  const refused = await service.ask('enterprise', 'list_bookmakers', { sport: 'football' });
  expect(refused.body).toMatchObject({ error: { code: 'invalid_request', fix: 'Send an empty object' } });
  const { args } = questions.find(({ tool }) => tool === 'find_match')!;
  const plain = await service.answer('enterprise', 'find_match', args);
  expect(await service.answer('enterprise', 'find_match', { ...args, nothing: null })).toEqual(plain);
});

test('score_prob accepts the argument sport, which existing clients send', async () => {
  const asked = { query: 'Liverpool' };
  const plain = await service.answer('enterprise', 'score_prob', asked);
  expect(await service.answer('enterprise', 'score_prob', { ...asked, sport: 'football' })).toEqual(plain);
});

test.each([
  ['find_value', 'event_id', 'query'],
  ['match_info', 'match', 'query'],
  ['score_prob', 'home_team', 'query'],
  ['get_match_odds', 'match_id', 'event_id'],
  ['get_result', 'id', 'event_id'],
  ['compare_lines', 'team', 'query'],
])('%s names the argument for a fixture when %s is sent: %s', async (tool, sent, meant) => {
  const refused = await service.ask('enterprise', tool, { [sent]: 'evt_tb6aCmXS' });
  const { fix } = (refused.body as { error: { fix: string } }).error;
  expect(refused.status).toBe(400);
  expect(fix).toStartWith(`Did you mean ${meant}? It takes an event id (\`evt_...\`)`);
});
