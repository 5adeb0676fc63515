// A text that is decoded or looked up (an id, a cursor, a time zone) is 400 when it is too long or empty,
// like any other invalid one.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { call } from '../support/surface.ts';
import { ToolService } from '../tools/tool-service.ts';

let service: ToolService;
beforeAll(async () => {
  service = await ToolService.start({});
});
afterAll(() => service[Symbol.asyncDispose]());

const LENGTHS = [1, 64, 65, 128, 129, 400, 512, 513, 2_000];

test.each([
  ['/v1/odds?since=', LENGTHS],
  ['/v1/stream?since=', LENGTHS],
  ['/v1/events?cursor=', LENGTHS],
  ['/v1/teams?cursor=', LENGTHS],
  ['/v1/events?timezone=', LENGTHS],
  ['/v1/events/', LENGTHS],
] as const)('%s followed by nines is 400 at every length', async (path, lengths) => {
  for (const length of lengths) {
    const { status, body } = await call(`${service.url}${path}${'9'.repeat(length)}`, {
      headers: await service.headersOf('keyless'),
    });
    const { code } = (body as { error: { code: string } }).error ?? {};
    expect([length, status, code]).toEqual([length, 400, 'invalid_request']);
  }
});
