// The routes of the comparison on Fastify, for Node: run.ts bundles this file and starts it with `node
// <bundle> <blocks.json>`. It prints its port.

import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { PlainSlate } from './plain-slate.ts';

const slate = new PlainSlate(JSON.parse(readFileSync(process.argv[2]!, 'utf8')));
const app = Fastify({ logger: false });
app.get<{ Params: { event_id: string }; Querystring: { bookmakers?: string } }>(
  '/v1/events/:event_id/odds',
  async ({ params, query }) => slate.odds(params.event_id, query.bookmakers),
);
app.post<{ Body: { event_ids: string[] } }>('/v1/odds/batch', async ({ body }) =>
  slate.batch(body.event_ids),
);
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
console.log(typeof address === 'object' ? address?.port : '');
