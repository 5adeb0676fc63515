// Attacks with what HTTP and MCP allow a client to write: pipelines, headers, parameters, nesting, floods of
// one route, and large answers that are not read. Each client writes, waits, and connects again until the
// end. `bun test/faults/run-attacks.ts <name>` runs them in full.

import { OLD_TAPE } from './old-day.ts';
import { get, head, post, type WireAttack } from './wire-text.ts';

const WAITS_MS = 20_000;
const TOOL = '/v1/mcp/list_movers';
const MCP = ['Accept: application/json, text/event-stream'];
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
};

export const WIRE_ATTACKS = {
  /** Many requests in one write, whose answers are not read. */
  pipelines: {
    reads: false,
    holdMs: 1_000,
    writes: ({ address, index }) => [get(`/v1/events?limit=${1 + (index % 200)}`, address).repeat(500)],
  },
  /** Headers near the size that Bun accepts, and beyond it. */
  largeHeaders: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      get('/v1/leagues', address, [`X-Large: ${'x'.repeat(index % 2 === 0 ? 12_000 : 200_000)}`]),
    ],
  },
  manyHeaders: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      get('/v1/leagues', address, manyOf(index % 2 === 0 ? 100 : 5_000, 'X-', ': y')),
    ],
  },
  manyParameters: {
    reads: true,
    movesOn: true,
    writes: ({ address }) => [get(`/v1/events?${'limit=1&'.repeat(1_500)}`, address)],
  },
  percentBombs: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      get(index % 2 === 0 ? `/v1/events/${'%25'.repeat(4_000)}/odds` : percentPath(index), address),
    ],
  },
  depthBombs: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      post(index % 2 === 0 ? TOOL : '/v1/odds/batch', address, '['.repeat(65_000)),
    ],
  },
  /** Bodies in chunks of one byte. */
  tinyChunks: {
    reads: true,
    movesOn: true,
    writes: ({ address }) => [
      head('POST', TOOL, address, ['Content-Type: application/json', 'Transfer-Encoding: chunked']) +
        '1\r\n \r\n'.repeat(60_000),
    ],
  },
  /** Requests with many entity tags or many ranges, for an answer and for a file. */
  conditions: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      get(index % 2 === 0 ? '/v1/odds' : '/docs', address, [
        `If-None-Match: ${Array.from({ length: 500 }, (_, tag) => `W/"${tag}"`).join(',')}`,
        `Range: bytes=${Array.from({ length: 500 }, (_, at) => `${at}-${at}`).join(',')}`,
      ]),
    ],
  },
  /** Tickets made by a customer and not used, and streams with tickets that do not exist. */
  tickets: {
    reads: true,
    movesOn: true,
    writes: ({ address, index, key }) => [
      index % 2 === 0
        ? post('/v1/tickets', address, '{}', [`Authorization: Bearer ${key}`])
        : get(`/v1/stream?ticket=tkt_${index}${'x'.repeat(40)}`, address),
    ],
  },
  /**
   * Requests to accounts: log-ins for addresses that do not exist, codes that were never sent, and requests
   * for new passwords.
   */
  signUps: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => {
      const email = `eve${index}@example.com`;
      const password = 'of tin and copper';
      return [
        index % 3 === 0
          ? post('/platform/signup', address, JSON.stringify({ email, password }))
          : index % 3 === 1
            ? post('/platform/verify', address, JSON.stringify({ email, code: '123456' }))
            : post('/platform/password/forgot', address, JSON.stringify({ email })),
      ];
    },
  },
  /** MCP sessions that are opened and never used again. */
  leftSessions: {
    reads: true,
    movesOn: true,
    writes: ({ address }) => [post('/mcp', address, JSON.stringify(INITIALIZE), MCP)],
  },
  /** Tools that scan the slate over MCP; the server makes a protocol object for each call. */
  mcpCalls: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => {
      const name = ['scan_slate', 'find_value', 'list_movers', 'find_middles'][index % 4]!;
      const call = { jsonrpc: '2.0', id: index, method: 'tools/call', params: { name, arguments: {} } };
      return [post('/mcp', address, JSON.stringify(call), MCP)];
    },
  },
  /** Polls, queries, streams and pages with one key of the free plan, far beyond its limit. */
  freeKeys: {
    reads: true,
    movesOn: true,
    writes: ({ address, index, freeKeys, oddsPaths }) => {
      const paths = [oddsPaths[index % oddsPaths.length]!, '/v1/events', '/v1/stream', '/docs'];
      return [get(paths[index % 4]!, address, [`Authorization: Bearer ${freeKeys[0]}`])];
    },
  },
  /** Requests for the slate with many keys of the free plan, whose answers are not read. */
  freeSlates: {
    reads: false,
    movesOn: true,
    holdMs: WAITS_MS,
    writes: ({ address, index, freeKeys }) => [get('/v1/odds', address, [nextKey(freeKeys, index)])],
  },
  /** The slate at different instants of the past, with many keys of the free plan. */
  freePasts: {
    reads: true,
    movesOn: true,
    writes: ({ address, index, freeKeys }) => [
      get(`/v1/odds?at=${pastInstant(index)}`, address, [nextKey(freeKeys, index)]),
    ],
  },
  mcpBatches: {
    reads: true,
    movesOn: true,
    writes: ({ address }) => [
      post('/mcp', address, JSON.stringify(Array.from({ length: 300 }, () => INITIALIZE)), MCP),
    ],
  },
  /** Requests for the slate in every form, whose answers are not read. */
  slowForms: {
    reads: false,
    movesOn: true,
    holdMs: WAITS_MS,
    writes: ({ address, index }) => [
      get('/v1/odds', address, [
        `Accept: ${index % 2 === 0 ? 'application/msgpack' : 'application/json'}`,
        `Accept-Encoding: ${['identity', 'gzip', 'zstd'][index % 3]}`,
      ]),
    ],
  },
  /** The slate at different instants of the past, as MessagePack and as JSON. The answers are not read. */
  slowPasts: {
    reads: false,
    movesOn: true,
    holdMs: WAITS_MS,
    writes: ({ address, index }) => [
      get(`/v1/odds?at=${pastInstant(index)}`, address, [
        `Accept: ${index % 2 === 0 ? 'application/msgpack' : 'application/json'}`,
      ]),
    ],
  },
  /** Slates of instants all over a day that is in a file. */
  spreadPasts: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [get(`/v1/odds?at=${instantInFile(index)}`, address)],
  },
  /** Requests for the whole history of fixtures and the record of signals, whose answers are not read. */
  slowHistories: {
    reads: false,
    movesOn: true,
    holdMs: WAITS_MS,
    writes: ({ address, index, oddsPaths }) => [
      get(
        index % 4 === 0
          ? '/v1/signals/record?days=365'
          : `${oddsPaths[index % oddsPaths.length]!.replace(/odds$/, 'history')}?limit=10000`,
        address,
      ),
    ],
  },
  /**
   * Alert rules of one account: created, listed, previewed over the last day and tested, as fast as possible.
   */
  alertRules: {
    reads: true,
    writes: ({ address, index, session, alertId, endpoint }) => {
      const headers = [`Authorization: Bearer ${session}`];
      const again = { closed: true, again_after_s: 0 };
      // The free plan hides the sharp bookmaker, so without this `reference` the preview would have nothing
      // to evaluate.
      const when = { kind: 'value', min_edge_pct: 0, reference: 'consensus', ...again };
      // Nearly every price reaches this bound.
      const price = { kind: 'price', market: 'totals', outcome: 'over', price: 1.01, ...again };
      const to = { url: endpoint, format: 'raw' };
      const rule = { name: `rule ${index}`, when: index % 8 === 0 ? when : price, to };
      return [
        [
          post('/platform/alerts', address, JSON.stringify(rule), headers),
          post('/platform/alerts/preview', address, JSON.stringify({ when }), headers),
          post(`/platform/alerts/${alertId}/test`, address, '{}', headers),
          get('/platform/alerts', address, headers),
        ][index % 4]!,
      ];
    },
  },
  /** Searches of past fixtures by names that are all different. */
  pastNames: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      get(
        `/v1/history/events?limit=200&q=${encodeURIComponent(`Home evt_${'ab'.repeat(index % 30)}`)}`,
        address,
      ),
    ],
  },
} as const satisfies Record<string, WireAttack>;
export type WireAttackName = keyof typeof WIRE_ATTACKS;

function nextKey(keys: readonly string[], index: number): string {
  return `Authorization: Bearer ${keys[index % keys.length]}`;
}

function manyOf(count: number, before: string, after: string): string[] {
  return Array.from({ length: count }, (_, index) => before + index + after);
}

function percentPath(index: number): string {
  return `/v1/resolve?q=${'%F0%9F%8F%80'.repeat(900)}${index}`;
}

/** For each index a different instant of the last seconds. */
export function pastInstant(index: number): string {
  return new Date(Date.now() - 2_000 - 7 * (index % 1_000)).toISOString();
}

/** For each index a different instant of the day in the file of `writeOldTape`. */
function instantInFile(index: number): string {
  const { fromMs, toMs } = OLD_TAPE;
  return new Date(fromMs + Math.floor((toMs - fromMs) * ((index * 0.618_033_988) % 1))).toISOString();
}
