// The fifteen tasks of agent-tasks.ts over MCP: each takes at most two calls, gets the answer that follows
// from the prices, and costs at most the tokens that docs/guide/agents.md states.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { tokenCount } from '../support/token-count.ts';
import { NAMED_NOW } from '../tools/named-slate.ts';
import { ToolService } from '../tools/tool-service.ts';
import { AGENT_TASKS, taskWires } from './agent-tasks.ts';
import { connect, textParts } from './serve.ts';

const CALLS_MAX = 2;
const PAGE = new URL('../../docs/guide/agents.md', import.meta.url);

let service: ToolService;
let client: Client & AsyncDisposable;

beforeAll(async () => {
  service = await ToolService.play(taskWires(), NAMED_NOW);
  client = await connect(`${service.url}/mcp`, 'auto', await service.keyOf('enterprise'));
  await service.untilResults(1);
});
afterAll(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

/**
 * Rows of the page by question: the number of calls, and the maximum number of tokens in all of their answers
 * together.
 */
async function stated(): Promise<ReadonlyMap<string, { readonly calls: number; readonly tokens: number }>> {
  const rows = (await Bun.file(PAGE).text()).matchAll(/^\| (.+?) \| .+? \| (\d+) \| ([\d,]+) \|$/gm);
  return new Map(
    [...rows].map(([, asked, calls, tokens]) => [
      asked!,
      { calls: Number(calls), tokens: Number(tokens!.replaceAll(',', '')) },
    ]),
  );
}

test('there are fifteen tasks, and the page states each of them', async () => {
  expect(AGENT_TASKS).toHaveLength(15);
  expect([...(await stated()).keys()].sort()).toEqual(AGENT_TASKS.map(({ asked }) => asked).sort());
});

test.each([...AGENT_TASKS])('$asked', async ({ asked, calls, read, expected }) => {
  const answers: Record<string, never>[] = [];
  let tokens = 0;
  for (const [tool, args] of calls) {
    const result = await client.callTool({ name: tool, arguments: { ...args } });
    const [{ text }] = result.content as unknown as [{ text: string }];
    expect([tool, result.isError ?? false, text]).toEqual([tool, false, expect.any(String)]);
    tokens += tokenCount(text);
    // The text alone must be enough, because some clients read only the text.
    answers.push(textParts(text).data as Record<string, never>);
  }
  expect(read(answers)).toEqual(expected as never);
  expect(calls.length).toBeLessThanOrEqual(CALLS_MAX);
  const row = (await stated()).get(asked)!;
  expect(row.calls).toBe(calls.length);
  // The page must not state far more than the real cost either.
  expect(tokens).toBeLessThanOrEqual(row.tokens);
  expect(tokens).toBeGreaterThan(row.tokens / 3);
});
