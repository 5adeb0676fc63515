// Attacks with WebSockets and streams: frames that never end or that inflate to a large size, floods of
// messages, clients that reconnect as soon as they are answered, and clients that resume. Each client writes,
// waits, and connects again until the end. `bun test/faults/run-attacks.ts <name>` runs them in full.

import { deflateRawSync } from 'node:zlib';
import { someBookmakers } from './strangers.ts';
import { frameOf, get, head, type WireAttack } from './wire-text.ts';

const WAITS_MS = 20_000;
const SOCKET = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Extensions: permessage-deflate',
];
/** A message that is 4 KB on the wire and 4 MB once it is inflated. */
const BOMB = frameOf(0xc1, deflateRawSync(Buffer.alloc(4_000_000)).subarray(0, -1));
const PACKED_SOCKET = [...SOCKET, 'Sec-WebSocket-Protocol: overround.v1.msgpack'];
/** The bytes of msgpackr's extensions that define a value, point to a defined value, and define a record. */
const [DEFINE, POINT, RECORD] = [
  [0xd6, 0x69],
  [0xd6, 0x70],
  [0xd4, 0x72],
] as const;
const PACKED_BOMB = frameOf(0x82, Uint8Array.from([...nestedValues(8), 0]));
const RECORDS = frameOf(0x82, Uint8Array.from(manyRecords()));
const FRAGMENT = frameOf(0x00, Buffer.from('['));

const PING = messageOf({ op: 'ping' });

export const STREAM_ATTACKS = {
  /** Messages in fragments that never end. */
  socketFragments: {
    reads: false,
    holdMs: WAITS_MS,
    writes: ({ address }) => [get('/v1/ws', address, SOCKET)],
    thenWrites: () => [frameOf(0x01, Buffer.from('[')), ...Array<Uint8Array>(2_000).fill(FRAGMENT)],
  },
  socketBombs: {
    reads: true,
    holdMs: 2_000,
    writes: ({ address }) => [get('/v1/ws', address, SOCKET)],
    thenWrites: () => [BOMB],
  },
  /** A few hundred bytes of MessagePack that decode to millions of values, or make a reader compile code. */
  packedBombs: {
    reads: true,
    holdMs: 500,
    writes: ({ address }) => [get('/v1/ws', address, PACKED_SOCKET)],
    thenWrites: () => Array.from({ length: 10 }, (_, turn) => (turn % 2 === 0 ? PACKED_BOMB : RECORDS)),
  },
  /** Pings whose pongs are not read. */
  socketPings: {
    reads: false,
    holdMs: WAITS_MS,
    writes: ({ address }) => [get('/v1/ws', address, SOCKET)],
    thenWrites: () =>
      Array<Uint8Array>(200).fill(Buffer.concat(Array(100).fill(frameOf(0x89, Buffer.alloc(120))))),
  },
  /** Subscriptions that are ended at once, each with another filter and tick interval. */
  subscriptionChurn: {
    reads: true,
    movesOn: true,
    holdMs: 500,
    writes: ({ address }) => [get('/v1/ws', address, SOCKET)],
    thenWrites: ({ index }) =>
      Array.from({ length: 90 }, (_, turn) => {
        const view = {
          bookmakers: ['crown', 'sbobet', 'macau'][turn % 3],
          tick_ms: 5_000 + ((index + turn) % 1_000),
        };
        const subscribe = JSON.stringify({ op: 'subscribe', id: 'x', ...view });
        return Buffer.concat(
          [subscribe, '{"op":"unsubscribe","id":"x"}'].map((text) => frameOf(0x81, Buffer.from(text))),
        );
      }),
  },
  /**
   * Streams of signals, each with another threshold, so that the server cannot reuse one encoded message for
   * two streams.
   */
  signalThresholds: {
    reads: true,
    movesOn: true,
    holdMs: 2_500,
    writes: ({ address, index }) => {
      const kinds = [
        'low_hold&max_hold_pct',
        'middle&min_ev_pct',
        'move&move_pct',
        'arbitrage&min_margin_pct',
      ];
      const threshold = 1 + (index % 500) / 100;
      return [get(`/v1/stream?signals=${kinds[index % kinds.length]}=${threshold}`, address)];
    },
  },
  /**
   * Streams that are read, each with another filter, so that the server cannot reuse one encoded message for
   * two streams.
   */
  readViews: {
    reads: true,
    movesOn: true,
    holdMs: 60_000,
    writes: ({ address, index }) => [get(`/v1/stream?bookmakers=${someBookmakers(index)}`, address)],
  },
  /** Requests for all changes since an old cursor. The client does not read the answers and streams. */
  oldCursors: {
    reads: false,
    movesOn: true,
    holdMs: WAITS_MS,
    writes: ({ address, index, cursor }) => [
      get(`${index % 2 === 0 ? '/v1/odds' : '/v1/stream'}?since=${encodeURIComponent(cursor)}`, address),
    ],
  },
  /** Requests for all changes since the first versions of the slate, each since another version. */
  firstCursors: {
    reads: true,
    movesOn: true,
    writes: ({ address, index, cursor }) => {
      const [epoch, , view] = cursor.split('-');
      const since = `${epoch}-${index % 500}-${view}`;
      const path = `${index % 3 === 0 ? '/v1/stream' : '/v1/odds'}?since=${since}`;
      return [head(index % 3 === 1 ? 'HEAD' : 'GET', path, address, [`If-None-Match: W/"${since}"`])];
    },
  },
  /** Connections that clients close as soon as they are open. */
  socketReturns: {
    reads: true,
    movesOn: true,
    writes: ({ address }) => [get('/v1/ws', address, SOCKET)],
  },
  /** Messages that come before the handshake has ended. Bun ends such a connection with a 400. */
  earlyMessages: {
    reads: true,
    movesOn: true,
    writes: ({ address }) => [get('/v1/ws', address, SOCKET), ...Array<Uint8Array>(5).fill(PING)],
  },
  /** Far more messages at once than a connection may send. */
  socketOps: {
    reads: true,
    movesOn: true,
    holdMs: 300,
    writes: ({ address }) => [get('/v1/ws', address, SOCKET)],
    thenWrites: () => [Buffer.concat(Array<Uint8Array>(2_000).fill(PING))],
  },
  /** Messages without a meaning, as long and as many as a connection may send. */
  socketGarbage: {
    reads: true,
    movesOn: true,
    holdMs: 1_000,
    writes: ({ address }) => [get('/v1/ws', address, SOCKET)],
    thenWrites: () => Array<Uint8Array>(20).fill(frameOf(0x81, Buffer.from('['.repeat(8_000)))),
  },
  /**
   * Streams that resume from different cursors, by clients that reconnect as soon as the first bytes arrive.
   */
  resumptions: {
    reads: true,
    movesOn: true,
    writes: ({ address, index, cursor }) => [
      get(`/v1/stream?since=${encodeURIComponent(earlierCursor(cursor, index))}`, address),
    ],
  },
  /** The same streams over WebSockets, as often as a connection may subscribe. */
  socketResumptions: {
    reads: true,
    movesOn: true,
    holdMs: 500,
    writes: ({ address }) => [get('/v1/ws', address, SOCKET)],
    thenWrites: ({ cursor, index }) =>
      Array.from({ length: 10 }, (_, turn) => {
        const since = earlierCursor(cursor, 10 * index + turn);
        return messageOf({ op: 'subscribe', id: String(turn), since });
      }),
  },
} as const satisfies Record<string, WireAttack>;
export type StreamAttackName = keyof typeof STREAM_ATTACKS;

function messageOf(message: object): Uint8Array {
  return frameOf(0x81, Buffer.from(JSON.stringify(message)));
}

/** A cursor up to five hundred versions before this one. Each index gives another. */
function earlierCursor(cursor: string, index: number): string {
  const [epoch, version, view] = cursor.split('-');
  return [epoch, Math.max(1, Number(version) - (index % 500)), view].join('-');
}

/** An array of fifteen entries. Each entry is the same array, one level less deep. */
function nestedValues(levels: number): number[] {
  if (levels === 0) return [0x9f, ...new Array<number>(15).fill(1)];
  const id = [0, 0, 0, levels];
  const pointers = Array.from({ length: 14 }, () => [...POINT, ...id]).flat();
  return [0x9f, ...DEFINE, ...id, ...nestedValues(levels - 1), ...pointers];
}

/**
 * An array of records, each with a different field. Each kind of record occurs often enough for the reader to
 * compile code for it.
 */
function manyRecords(): number[] {
  const records = Array.from({ length: 570 }, (_, index) => [
    ...[...RECORD, 0x40, 0x91, 0xa2, 0x61 + (index % 26), 0x61 + Math.floor(index / 26), 1],
    ...[0x40, 1, 0x40, 1, 0x40, 1],
  ]);
  const count = 4 * records.length;
  return [0xdc, count >> 8, count & 0xff, ...records.flat()];
}
