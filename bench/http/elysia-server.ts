// The routes of the comparison on plain Elysia, with objects and JSON.stringify. `bun
// bench/http/elysia-server.ts <blocks.json>` prints its port.

import { Elysia, t } from 'elysia';
import { PlainSlate } from './plain-slate.ts';

const slate = new PlainSlate(await Bun.file(process.argv[2]!).json());
const app = new Elysia()
  .get('/v1/events/:event_id/odds', ({ params, query }) => slate.odds(params.event_id, query.bookmakers), {
    query: t.Object({ bookmakers: t.Optional(t.String()) }),
  })
  .post('/v1/odds/batch', ({ body }) => slate.batch(body.event_ids), {
    body: t.Object({ event_ids: t.Array(t.String(), { maxItems: 20 }) }),
  })
  .listen({ hostname: '127.0.0.1', port: 0 });
console.log(app.server?.port);
