// Attacks with small requests of every kind, sent again as soon as they are answered, and with parts of HTTP
// that few clients use. `bun test/faults/run-attacks.ts <name>` runs them in full.

import { TOOL_NAMES } from '../support/tool-names.ts';
import { get, head, post, type WireAttack } from './wire-text.ts';

const CHUNKED = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
const LISTS = ['/v1/events?limit=200', '/v1/teams?limit=200', '/v1/leagues', '/v1/bookmakers'];

export const REQUEST_ATTACKS = {
  /** Clients that close their sending side as soon as they have sent their request. */
  halfClosed: {
    reads: true,
    movesOn: true,
    halfCloses: true,
    writes: ({ address, index }) => [get(`/v1/events?limit=${1 + (index % 200)}`, address)],
  },
  /** Lists over HTTP/1.0, whose connections end with each answer. */
  oldLists: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      get(LISTS[index % LISTS.length]!, address).replace('HTTP/1.1', 'HTTP/1.0'),
    ],
  },
  /** Every tool, with the arguments of a question about a match. Some refuse them. */
  everyTool: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      post(
        `/v1/mcp/${TOOL_NAMES[index % TOOL_NAMES.length]!}`,
        address,
        index % 3 === 0 ? '{}' : '{"query":"Arsenal"}',
      ),
    ],
  },
  /** First prices of matches. */
  openings: {
    reads: true,
    movesOn: true,
    writes: ({ address, index, oddsPaths }) => [
      get(oddsPaths[index % oddsPaths.length]!.replace(/odds$/, 'opening'), address),
    ],
  },
  /** Event streams that resume from identifiers which mean nothing. */
  lastEventIds: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      get('/v1/stream', address, [`Last-Event-ID: ${index}-${'x'.repeat(index % 500)}`]),
    ],
  },
  /** Chunks with long extensions, which the server ignores. */
  chunkExtensions: {
    reads: true,
    movesOn: true,
    writes: ({ address }) => [
      head('POST', '/v1/mcp/list_movers', address, CHUNKED) +
        `1;${'x'.repeat(16_000)}\r\n \r\n`.repeat(20) +
        '0\r\n\r\n',
    ],
  },
  /** Fields after the last chunk. */
  trailers: {
    reads: true,
    movesOn: true,
    writes: ({ address }) => [
      `${head('POST', '/v1/mcp/list_movers', address, CHUNKED)}2\r\n{}\r\n0\r\n${'X-A: y\r\n'.repeat(2_000)}\r\n`,
    ],
  },
} as const satisfies Record<string, WireAttack>;
export type RequestAttackName = keyof typeof REQUEST_ATTACKS;
