// Features for clients that support more than tools: the user is asked when several fixtures fit, and calls
// that read the whole slate report progress. The client is the SDK's own; answers are compared with those of
// a call with the chosen id.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PROGRAM_PATH } from '../support/test-program.ts';
import { football } from '../tools/made-up-slate.ts';
import { marketsOf, NAMED_NOW, namedWires } from '../tools/named-slate.ts';
import { type Args, ToolService } from '../tools/tool-service.ts';
import { ERAS, type Mode, makeClient } from './serve.ts';
import { REPOSITORY } from './subprocess.ts';

let service: ToolService;
beforeAll(async () => {
  const other = football('tot-ars', 'Tottenham', 'Arsenal', '2026-03-04T20:00:00Z');
  service = await ToolService.play([...namedWires(), other, ...marketsOf('tot-ars')], NAMED_NOW);
});
afterAll(() => service[Symbol.asyncDispose]());

interface Question {
  readonly message: string;
  readonly options: readonly { readonly const: string; readonly title: string }[];
}
type Reply = { action: 'accept'; content: { event_id: string } } | { action: 'decline' };

/** @param reply how the client's user answers; without it, the client does not offer elicitation */
async function connected(mode: Mode, reply?: (question: Question) => Reply) {
  const headers = { authorization: `Bearer ${await service.keyOf('enterprise')}` };
  const url = new URL(`${service.url}/mcp`);
  return await connectedOver(
    new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
    mode,
    reply,
  );
}

async function connectedOver(transport: Transport, mode: Mode, reply?: (question: Question) => Reply) {
  const client = makeClient(mode);
  const asked: Question[] = [];
  if (reply !== undefined) {
    client.registerCapabilities({ elicitation: {} });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const { message, requestedSchema } = params as unknown as {
        message: string;
        requestedSchema: { properties: { event_id: { oneOf: Question['options'] } } };
      };
      const question = { message, options: requestedSchema.properties.event_id.oneOf };
      asked.push(question);
      return reply(question);
    });
  }
  await client.connect(transport);
  return Object.assign(client, { asked, [Symbol.asyncDispose]: () => client.close() });
}

async function call(client: Client, name: string, args: Args) {
  return await client.callTool({ name, arguments: args });
}

const CALLS: readonly (readonly [tool: string, args: Args, byId: (id: string) => Args])[] = [
  ['get_sharp_line', { query: 'Arsenal' }, (id) => ({ query: id })],
  ['match_info', { query: 'Arsenal', sport: 'football' }, (id) => ({ query: id })],
  [
    'compare_lines',
    { query: 'Arsenal', market_type: 'totals' },
    (id) => ({ event_id: id, market_type: 'totals' }),
  ],
  ['get_sharp_line', { query: 'Arsenal -0.25' }, (id) => ({ query: `${id} Arsenal -0.25` })],
  ['compare_lines', { query: 'over 2.5 Arsenal' }, (id) => ({ query: `${id} over 2.5 Arsenal` })],
  ['get_match_odds', { query: 'Arsenal', markets: ['1x2'] }, (id) => ({ event_id: id, markets: ['1x2'] })],
];

const ASKING = ERAS.filter(({ era }) => era !== '2025');

describe.each([...ASKING])('a $era client that offers elicitation', ({ mode }) => {
  test.each([...CALLS])('%s asks which fixture is meant, then answers', async (tool, args, byId) => {
    await using client = await connected(mode, ({ options }) => ({
      action: 'accept',
      content: { event_id: options.find(({ title }) => title.includes('Tottenham'))!.const },
    }));
    const answered = await call(client, tool, args);
    expect(client.asked.map(({ message }) => message)).toEqual([
      expect.stringContaining('Which match do you mean'),
    ]);
    expect(client.asked[0]!.options.map(({ title }) => title).sort()).toEqual([
      expect.stringContaining('Arsenal vs Chelsea'),
      expect.stringContaining('Tottenham vs Arsenal'),
    ]);
    const id = client.asked[0]!.options.find(({ title }) => title.includes('Tottenham'))!.const;
    expect(answered.structuredContent).toEqual(await service.answer('enterprise', tool, byId(id)));
  });

  test.each<[string, Reply]>([
    ['declines', { action: 'decline' }],
    ['names another fixture', { action: 'accept', content: { event_id: 'evt_0000000000' } }],
  ])('gets the question as an answer when its user %s', async (_what, reply) => {
    await using client = await connected(mode, () => reply);
    const { structuredContent } = await call(client, 'match_info', { query: 'Arsenal' });
    expect(structuredContent).toEqual(await service.answer('enterprise', 'match_info', { query: 'Arsenal' }));
    expect(structuredContent).toMatchObject({ status: 'ambiguous' });
    expect(client.asked.length).toBe(1);
  });

  test('the user is not asked when one fixture fits, or when no fixture fits', async () => {
    await using client = await connected(mode, () => ({ action: 'decline' }));
    await call(client, 'match_info', { query: 'Liverpool' });
    await call(client, 'match_info', { query: 'Zzyzx Rovers' });
    await call(client, 'compare_lines', { query: 'Zzyzx Rovers' });
    expect(client.asked).toEqual([]);
  });
});

describe.each([...ERAS])('a $era client', ({ era, mode }) => {
  test('a client gets the question as an answer if it offers no elicitation, or the connection cannot carry a question', async () => {
    for (const reply of era === '2025' ? [undefined, () => ({ action: 'decline' }) as const] : [undefined]) {
      await using client = await connected(mode, reply);
      const { structuredContent } = await call(client, 'match_info', { query: 'Arsenal' });
      expect(structuredContent).toMatchObject({ status: 'ambiguous' });
      expect(client.asked).toEqual([]);
    }
  });

  test.each(['scan_slate', 'list_movers', 'compare_books'])(
    'is notified of the progress of %s',
    async (name) => {
      await using client = await connected(mode);
      const heard: number[] = [];
      const onprogress = ({ progress, total }: { progress: number; total?: number | undefined }) => {
        expect(total).toBe(1);
        heard.push(progress);
      };
      const answered = await client.callTool({ name, arguments: {} }, { onprogress });
      expect(answered.structuredContent).toEqual(await service.answer('enterprise', name, {}));
      expect(heard).toEqual([0, 1]);
    },
  );
});

// The third client probes, and then uses the protocol of 2026.
test.each(ERAS.slice(0, 2))('over stdio a $era client is asked too', async ({ mode }) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM_PATH, 'mcp'],
    env: { OVERROUND_URL: service.url, OVERROUND_API_KEY: await service.keyOf('enterprise') },
    cwd: REPOSITORY,
    stderr: 'ignore',
  });
  await using client = await connectedOver(transport, mode, ({ options }) => ({
    action: 'accept',
    content: { event_id: options[1]!.const },
  }));
  for (const [tool, args, byId] of CALLS) {
    const { structuredContent } = await call(client, tool, args);
    const id = client.asked.at(-1)!.options[1]!.const;
    expect(structuredContent).toEqual(await service.answer('enterprise', tool, byId(id)));
  }
  expect(client.asked.length).toBe(CALLS.length);
});
