// Made-up tools for the tests of this room, served by the production code.

import { Type } from '@sinclair/typebox';
import { optional, withDefault } from '../../src/contract/schema.ts';
import { MarketTypeSchema } from '../../src/contract/values.ts';
import { ServiceError } from '../../src/errors.ts';
import { type ServedTool, serveLocalTools } from '../../src/mcp/served-tool.ts';
import { compileTool } from '../../src/tools/kit/call-tool.ts';
import { defineTool } from '../../src/tools/kit/tool.ts';

export const SECRET = 'postgres://admin:hunter2@db';
export const PUBLIC_URL = 'https://odds.test';

const linesTool = defineTool({
  name: 'list_lines',
  title: 'List lines',
  description: 'Numbered lines, for example {"limit": 3}',
  input: Type.Object({
    limit: withDefault(Type.Integer({ minimum: 0, maximum: 100_000 }), 2),
    markets: optional(Type.Array(MarketTypeSchema, { maxItems: 10 })),
    market_type: withDefault(MarketTypeSchema, 'asian_handicap'),
    query: optional(Type.String({ maxLength: 200 })),
  }),
  output: Type.Object({
    summary: Type.String(),
    market_type: Type.String(),
    tier: Type.String(),
    count: Type.Integer(),
    returned: Type.Integer(),
    truncated: Type.Boolean(),
    note: Type.Union([Type.String(), Type.Null()]),
    lines: Type.Array(Type.Object({ number: Type.Integer(), components: Type.Array(Type.Number()) })),
  }),
  run: ({ limit, market_type }, { principal }) => ({
    summary: `There are ${limit} lines.`,
    market_type,
    tier: principal.tier,
    count: limit,
    returned: limit,
    truncated: false,
    note: null,
    lines: Array.from({ length: limit }, (_, number) => ({ number, components: [-0.5, -1] })),
  }),
});

const Nothing = Type.Object({});

const refusingTool = defineTool({
  name: 'refuse',
  title: 'Refuse',
  description: 'Always refuses',
  input: Nothing,
  output: Type.Object({ never: Type.String() }),
  run: () => {
    throw new ServiceError('upstream_unavailable', 'Cannot answer: the slate is loading', {
      fix: 'Wait',
      retryAfterSeconds: 7,
    });
  },
});

const leakyTool = defineTool({
  name: 'leak',
  title: 'Leak',
  description: 'Throws a message that holds a secret',
  input: Nothing,
  output: Type.Object({ never: Type.String() }),
  run: async () => {
    throw new Error(`Cannot connect to ${SECRET}`);
  },
});

const hangingTool = defineTool({
  name: 'hang',
  title: 'Hang',
  description: 'Never answers',
  input: Nothing,
  output: Type.Object({ never: Type.String() }),
  run: () => new Promise<{ never: string }>(() => {}),
});

export interface Reported {
  readonly where: string;
  readonly failure: unknown;
}

export function serveStubs(reported: Reported[] = []): readonly ServedTool[] {
  const tools = [linesTool, refusingTool, leakyTool, hangingTool];
  return serveLocalTools(
    tools.map((tool) => compileTool(tool, { checkOutput: true, deadlineMs: 5_000 })),
    { publicUrl: PUBLIC_URL, report: (where, failure) => reported.push({ where, failure }) },
  );
}
