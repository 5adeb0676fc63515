// The table of routes that HTTP threads use must find what Elysia finds on the query thread.

import { expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import fc from 'fast-check';
import { RouteTable } from '../../../src/http/kit/route-table.ts';

const PATHS = [
  ...['/health', '/v1/odds', '/v1/odds/batch', '/v1/events', '/v1/events/live', '/v1/events/:event_id'],
  ...['/v1/events/:event_id/odds', '/v1/events/:event_id/odds/:market_type', '/v1/results/:event_id'],
  ...['/platform/keys/:key_id/rotate'],
];
const SEGMENTS = ['v1', 'odds', 'batch', 'events', 'live', 'eve_1', 'od', 'platform', 'keys', 'rotate', ''];

test('RouteTable.at: finds the path that Elysia routes to, with the same parameters', async () => {
  const table = new RouteTable(PATHS.map((path) => ({ path })));
  const app = new Elysia();
  for (const path of PATHS) app.get(path, ({ params }) => ({ path, params: params ?? {} }));
  const segments = fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(segments, async (parts) => {
      const path = `/${parts.join('/')}`;
      // Elysia also accepts a trailing slash. Only the query thread answers such paths.
      if (path.endsWith('/')) return;
      const response = await app.handle(new Request(`http://localhost${path}`));
      const found = table.at(path);
      const expected: unknown = response.status === 404 ? null : await response.json();
      const seen: unknown = found === null ? null : { path: found.store[0]?.path, params: found.params };
      expect(seen).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
