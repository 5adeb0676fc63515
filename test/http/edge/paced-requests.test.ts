import { expect, test } from 'bun:test';
import { costsNothing, countOf, isPaced } from '../../../src/http/edge/paced-requests.ts';

test.each([
  ['/v1/odds', undefined, true],
  ['/', undefined, true],
  ['/platform/login', '200', true],
  ['/v1/odds?ticket=tkt_1', undefined, true],
  ['/v1/ws', undefined, true],
  ['/v1/ws?ticket=tkt_1', undefined, false],
  ['/v1/stream?tick_ms=100&ticket=tkt_1', undefined, false],
  ['/health', undefined, false],
  ['/ready?probe=1', undefined, false],
  ['/metrics', undefined, false],
  ['/v1/tickets', '60000', false],
])('without a key, %s with a body of %s bytes waits for its turn: %p', (path, length, expected) => {
  const headers: Record<string, string> = length === undefined ? {} : { 'content-length': length };
  expect(isPaced(new Request(`http://localhost${path}`, { headers }))).toBe(expected);
});

test.each([
  ['/', true],
  ['/docs', true],
  ['/platform/login', true],
  ['/v1/odds', false],
  ['/v1/mcp/find_match', false],
  ['/mcp', false],
])('whether %s costs a key nothing: %p', (path, expected) => {
  expect(costsNothing(`http://localhost${path}`)).toBe(expected);
});

test('an MCP request and a WebSocket count as four requests', () => {
  const counts = ['/mcp', '/v1/ws?ticket=tkt_1', '/v1/odds', '/mcp/x'].map((path) =>
    countOf(new Request(`http://localhost${path}`)),
  );
  expect(counts).toEqual([4, 4, 1, 1]);
});
