// Attacks with the parts of a request that identify the caller or control the connection: keys and sessions
// that do not exist, accounts of strangers, bodies in requests that need none, clients that disconnect at
// once, and handshakes that never end. `bun test/faults/run-attacks.ts <name>` runs them in full.

import { randomFillSync } from 'node:crypto';
import { createSessionToken, mintKey } from '../../src/accounts/credentials/secrets.ts';
import { frameOf, get, head, post, type WireAttack } from './wire-text.ts';

const HOLDS_MS = 20_000;
const LISTS = ['/v1/events?limit=200', '/v1/leagues', '/v1/teams?limit=200', '/v1/mcp/tools'];
const JSON_TYPE = 'Content-Type: application/json';
const TOOL = '/v1/mcp/list_movers';
/**
 * The body is larger than PACED_BODY_BYTES_MAX, so the request waits at the pace of strangers only once its
 * body has arrived.
 */
const BODY = ' '.repeat(5_000);
const SOCKET = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

export const CALLER_ATTACKS = {
  /** Reads with a body of some kilobytes. */
  bodiedReads: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      head('GET', LISTS[index % 4]!, address, [`Content-Length: ${BODY.length}`]) + BODY,
    ],
  },
  /** Reads with a body in chunks. */
  chunkedReads: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      `${head('GET', LISTS[index % 4]!, address, ['Transfer-Encoding: chunked'])}1\r\n \r\n0\r\n\r\n`,
    ],
  },
  /** Reads with a body in chunks of one byte. */
  tinyChunkReads: {
    reads: true,
    movesOn: true,
    writes: ({ address }) => [
      head('GET', '/v1/leagues', address, ['Transfer-Encoding: chunked']) + '1\r\n \r\n'.repeat(60_000),
    ],
  },
  /** Requests for a new password for addresses without an account, with a header that is no key. */
  openForms: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      post('/platform/password/forgot', address, JSON.stringify({ email: `eve${index}@example.com` }), [
        'Authorization: x',
      ]),
    ],
  },
  /** Questions to tools in bodies of some kilobytes. */
  paddedBodies: {
    reads: true,
    movesOn: true,
    writes: ({ address }) => [post(TOOL, address, `{${BODY}}`)],
  },
  /** Bodies of some kilobytes to paths without a route, and of the wrong type. */
  astrayBodies: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      head(index % 2 === 0 ? 'POST' : 'DELETE', index % 3 === 0 ? '/v1/nothing' : TOOL, address, [
        `Content-Length: ${BODY.length}`,
        'Content-Type: text/plain',
      ]) + BODY,
    ],
  },
  /** Keys of the right form that do not exist, all different. */
  wrongKeys: {
    reads: true,
    movesOn: true,
    writes: ({ address, index, oddsPaths }) => [
      get(index % 2 === 0 ? oddsPaths[index % oddsPaths.length]! : LISTS[index % 4]!, address, [
        `Authorization: Bearer ${mintKey(randomFillSync).text}`,
      ]),
    ],
  },
  /** Headers that are no keys, long and all different. */
  oddCredentials: {
    reads: true,
    movesOn: true,
    writes: ({ address, index, oddsPaths }) => [
      get(oddsPaths[index % oddsPaths.length]!, address, [
        [
          `Authorization: Basic ${index}${'x'.repeat(8_000)}`,
          `Authorization: Bearer isk_${String(index).padStart(32, '0')}`,
          'Authorization: ',
          `X-Api-Key: isk_${index}`,
        ][index % 4]!,
      ]),
    ],
  },
  /** Sessions that do not exist, as cookies and as headers, to the API and to accounts. */
  wrongSessions: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => {
      const token = createSessionToken(randomFillSync);
      return [
        [
          get('/v1/events?limit=200', address, [`Cookie: overround_session=${token}`]),
          get('/platform/me', address, [`Cookie: overround_session=${token}`]),
          get('/platform/keys', address, [`Authorization: Bearer ${token}`]),
          post('/platform/alerts/preview', address, '{}', [`Authorization: Bearer ${token}`]),
          get('/platform/operator', address, [`Authorization: Bearer ${token}`]),
        ][index % 5]!,
      ];
    },
  },
  /** One account makes and replaces keys without end, stores views, and reads its other lists. */
  keyChurn: {
    reads: true,
    writes: ({ address, index, session, keyId }) => {
      const headers = [`Authorization: Bearer ${session}`];
      return [
        [
          post(`/platform/keys/${keyId}/rotate`, address, '{}', headers),
          post('/platform/keys', address, JSON.stringify({ label: `key ${index}` }), headers),
          post('/platform/views', address, JSON.stringify({ name: `view ${index}`, query: '' }), headers),
          get('/platform/usage', address, headers),
          get('/platform/sessions', address, headers),
          get('/platform/me', address, headers),
        ][index % 6]!,
      ];
    },
  },
  /** Clients that disconnect before they are answered. */
  impatient: {
    reads: false,
    movesOn: true,
    holdMs: 1,
    writes: ({ address, index }) => [
      [
        get(LISTS[index % 4]!, address),
        get('/v1/odds', address),
        get('/v1/stream', address),
        post(TOOL, address, '{}'),
        get('/v1/nothing', address),
      ][index % 5]!,
    ],
  },
  /** Bodies that are announced with `Expect: 100-continue` and never sent. */
  expectations: {
    reads: true,
    holdMs: HOLDS_MS,
    movesOn: true,
    writes: ({ address, index }) => [
      head('POST', TOOL, address, [
        JSON_TYPE,
        `Content-Length: ${index % 2 === 0 ? 60_000 : 2}`,
        'Expect: 100-continue',
      ]),
    ],
  },
  /** Upgrades to other protocols, and handshakes of WebSockets that lack something. */
  oddUpgrades: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      get(
        '/v1/ws',
        address,
        [
          ['Connection: Upgrade', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
          ['Connection: Upgrade', 'Upgrade: websocket'],
          ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 99', 'Sec-WebSocket-Key: x'],
          [],
        ][index % 4]!,
      ),
    ],
  },
  /** WebSockets that follow as much as they may, including signals, and never end a subscription. */
  manySubscriptions: {
    reads: true,
    movesOn: true,
    holdMs: HOLDS_MS,
    writes: ({ address }) => [get('/v1/ws', address, SOCKET)],
    thenWrites: ({ index }) =>
      Array.from({ length: 95 }, (_, turn) => {
        const signals =
          turn % 2 === 0 ? {} : { signals: ['low_hold'], max_hold_pct: 1 + ((index + turn) % 80) / 10 };
        const message = {
          op: 'subscribe',
          id: String(turn),
          bookmakers: ['crown', 'sbobet', 'macau'][turn % 3],
          ...signals,
        };
        return frameOf(0x81, Buffer.from(JSON.stringify(message)));
      }),
  },
} as const satisfies Record<string, WireAttack>;
export type CallerAttackName = keyof typeof CALLER_ATTACKS;
