import { expect, test } from 'bun:test';
import { VIEWER_FILES, VIEWER_PATH } from '../../../src/http/docs/viewer-files.ts';
import { costsNothing, countOf, isPaced, isPacedWithBody } from '../../../src/http/edge/paced-requests.ts';

test.each([
  ['/v1/odds', true],
  ['/', true],
  ['/platform/login', true],
  ['/v1/odds?ticket=tkt_1', true],
  ['/v1/ws', true],
  ['/v1/ws?ticket=tkt_1', false],
  ['/v1/stream?tick_ms=100&ticket=tkt_1', false],
  ['/health', false],
  ['/ready?probe=1', false],
  ['/metrics', false],
])('without a key, a request to %s waits for its pace: %p', (path, expected) => {
  expect(isPaced(new Request(`http://localhost${path}`))).toBe(expected);
});

test.each([
  ['HEAD', '/health', false],
  ['HEAD', '/v1/stream?ticket=tkt_1', true],
  ['OPTIONS', '/health', true],
  ['OPTIONS', '/v1/stream?ticket=tkt_1', true],
  ['POST', '/ready', true],
  ['PUT', '/v1/ws?ticket=tkt_1', true],
  ['PROPFIND', '/metrics', true],
])('without a key, a request %s %s waits for its pace: %p', (method, path, expected) => {
  expect(isPaced({ method, url: `http://localhost${path}` })).toBe(expected);
});

test.each([
  [{}, false],
  [{ 'content-length': '200' }, false],
  [{ 'content-length': '60000' }, true],
  [{ 'transfer-encoding': 'chunked' }, true],
])(
  'a request with the headers %p waits for its pace only once its body has arrived: %p',
  (headers, expected) => {
    expect(isPacedWithBody(new Request('http://localhost/v1/tickets', { headers }))).toBe(expected);
  },
);

test.each([
  ['/', true],
  ['/docs', true],
  ['/platform/login', true],
  ['/v1/odds', false],
  ['/v1/mcp/find_match', false],
  ['/mcp', false],
])('a request to %s costs a key nothing: %p', (path, expected) => {
  expect(costsNothing(`http://localhost${path}`)).toBe(expected);
});

test.each([
  ['/v1/resolve/team', 4_096, 1],
  ['/v1/resolve/team', 4_097, 2],
  ['/v1/resolve/team', 65_536, 16],
  ['/mcp', 65_536, 64],
])('a request to %s with a body of %s bytes counts as %s requests', (path, bodyBytes, expected) => {
  expect(countOf(new Request(`http://localhost${path}`), bodyBytes)).toBe(expected);
});

test.each([
  ['/mcp', 4],
  ['/v1/ws?ticket=tkt_1', 4],
  ['/openapi.json', 4],
  ['/asyncapi.json', 4],
  ['/v1/mcp/tools', 4],
  ['/assets/board-1a2b.js', 4],
  ['/v1/signals/record?days=30', 4],
  [`${VIEWER_PATH}/${VIEWER_FILES[0].name}`, 16],
  ['/v1/odds', 1],
  ['/mcp/x', 1],
])('%s counts as %p requests', (path, expected) => {
  expect(countOf(new Request(`http://localhost${path}`))).toBe(expected);
});
