// The tools about alert rules, through the SDK's own client: only callers with a key of an account have them,
// and each sees its own rules.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from '../../mcp/serve.ts';
import { AccountClient } from '../../support/account-client.ts';
import { tokenCount } from '../../support/token-count.ts';
import { NAMED_NOW, namedWires } from '../named-slate.ts';
import { ToolService } from '../tool-service.ts';

const LEAGUE = 'football league';
const NAMES = ['create_alert', 'list_alerts'];
const ADDED_TOKENS_MAX = 2_000;
const RULE = {
  name: 'Value',
  when: { kind: 'value', min_edge_pct: 3 },
  where: { sport: 'football', league: LEAGUE, in_play: false },
  to: { url: 'https://hooks.example.com/secret-token', format: 'raw' },
};

let service: ToolService;
let addresses = 0;

beforeAll(async () => {
  service = await ToolService.serve(namedWires(), NAMED_NOW, { NODE_ENV: 'development' });
});
afterAll(() => service[Symbol.asyncDispose]());

async function keyOfAccount(email: string): Promise<string> {
  const person = new AccountClient(service.running, { email, address: `203.0.113.${++addresses}` });
  await person.enter();
  await person.send('POST', '/platform/account/plan', { plan: 'standard' });
  const { body } = await person.send('POST', '/platform/keys', { label: 'agent', tier: 'standard' });
  return (body as { readonly key: string }).key;
}

test('a caller with a key of an account has the tools; other callers do not', async () => {
  const ada = await keyOfAccount('ada@example.com');
  await using owner = await connect(`${service.url}/mcp`, 'auto', ada);
  await using operator = await connect(`${service.url}/mcp`, 'auto', await service.keyOf('standard'));
  await using stranger = await connect(`${service.url}/mcp`, 'auto');
  const { tools } = await owner.listTools();
  const { tools: fewer } = await operator.listTools();
  const added = tools.filter(({ name }) => NAMES.includes(name));
  expect(added.map(({ name, annotations }) => [name, annotations])).toEqual([
    [
      'create_alert',
      { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    ],
    ['list_alerts', { readOnlyHint: true, openWorldHint: false }],
  ]);
  expect(tools.filter((tool) => !added.includes(tool))).toEqual(fewer);
  expect((await stranger.listTools()).tools).toEqual(fewer);
  expect(tokenCount(added)).toBeLessThanOrEqual(ADDED_TOKENS_MAX);
  for (const client of [operator, stranger]) {
    const called = await client.callTool({ name: 'list_alerts', arguments: {} }).catch(String);
    expect(JSON.stringify(called)).toContain('not found');
  }
});

test('a rule is created only once, is the same over REST, and is listed only for its owner, without its URL', async () => {
  await using bea = await connect(`${service.url}/mcp`, 'auto', await keyOfAccount('bea@example.com'));
  await using cy = await connect(`${service.url}/mcp`, 'auto', await keyOfAccount('cy@example.com'));
  const first = await bea.callTool({ name: 'create_alert', arguments: RULE });
  const made = first.structuredContent as {
    readonly alert: { readonly id: string };
    readonly secret: string;
  };
  expect(made).toMatchObject({
    alert: {
      sentence: `Value of 3 % or more in ${LEAGUE}, before kickoff, to hooks.example.com`,
      where: { league: expect.stringMatching(/^lg_/) },
    },
    secret: expect.stringMatching(/^whsec_/),
  });
  const again = await bea.callTool({ name: 'create_alert', arguments: RULE });
  expect(again.structuredContent).toMatchObject({ alert: { id: made.alert.id }, secret: null });
  const [own, other] = await Promise.all(
    [bea, cy].map(async (client) => client.callTool({ name: 'list_alerts', arguments: {} })),
  );
  expect(own!.structuredContent).toMatchObject({ count: 1, limit: 50, alerts: [{ id: made.alert.id }] });
  expect(JSON.stringify(own)).not.toContain('secret-token');
  expect(other!.structuredContent).toMatchObject({ count: 0, alerts: [] });
});

test('the tool refuses what REST refuses, with the same error', async () => {
  await using dan = await connect(`${service.url}/mcp`, 'auto', await keyOfAccount('dan@example.com'));
  const refused = async (change: object): Promise<string> => {
    const result = await dan.callTool({ name: 'create_alert', arguments: { ...RULE, ...change } });
    expect(result.isError).toBe(true);
    return JSON.stringify(result.content);
  };
  expect(await refused({ to: { url: 'https://169.254.169.254/', format: 'raw' } })).toContain('operator');
  expect(await refused({ when: { kind: 'value', pct: 3 } })).toContain('when.pct');
  expect(await refused({ when: { kind: 'source' }, where: {} })).toContain('operator');
  expect(await refused({ where: { league: 'No Such League' } })).toContain('league');
});
