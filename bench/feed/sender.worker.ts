// The upstream of the bench, on its own thread: a WebSocket feed that sends its snapshot to each client that
// connects. On request it then sends bursts, or single messages at a fixed rate.

import type { ServerWebSocket } from 'bun';
import { writeBinaryFrame } from '../../src/feed/websocket/frames.ts';
import { quoteOf, snapshotOf, type Wire } from './wires.ts';

declare const self: Worker;

export type ToSender =
  | { readonly type: 'listen'; readonly encoding: 'json' | 'msgpack'; readonly baseMs: number }
  /** Sends messages as fast as the socket accepts them, in frames of 256. */
  | { readonly type: 'burst'; readonly first: number; readonly count: number }
  /**
   * Sends one message per frame, and writes the time at which it was handed to the socket into `sentAtMs`, a
   * Float64Array.
   */
  | {
      readonly type: 'paced';
      readonly first: number;
      readonly count: number;
      readonly perSecond: number;
      readonly sentAtMs: SharedArrayBuffer;
    };
export type FromSender =
  | { readonly type: 'listening'; readonly port: number }
  /** When the first frame of the burst was handed to the socket, after the whole burst was encoded. */
  | { readonly type: 'begun'; readonly atMs: number };

const FRAME_MESSAGES = 256;
const SOCKET_BYTES_MAX = 1024 * 1024;

let encoding: 'json' | 'msgpack' = 'json';
let baseMs = 0;
let seq = 0;
let socket: ServerWebSocket<undefined> | null = null;
let frames: (string | Uint8Array)[] = [];

self.onmessage = ({ data }: MessageEvent<ToSender>) => {
  if (data.type === 'listen') listen(data);
  else if (data.type === 'burst') burst(data);
  else void pace(data);
};

/** Milliseconds on one scale for all threads. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

function answer(message: FromSender): void {
  self.postMessage(message);
}

function listen(options: ToSender & { type: 'listen' }): void {
  ({ encoding, baseMs } = options);
  const server = Bun.serve<undefined>({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, self) => (self.upgrade(request, { data: undefined }) ? undefined : new Response('no')),
    websocket: {
      open(opened) {
        socket = opened;
        frames = [
          frameOf([{ type: 'hello', protocol: 1, source: 'bench', at: new Date(baseMs).toISOString() }]),
        ];
        frames.push(...framesOf(snapshotOf(baseMs, true).map(numbered)));
        pump();
      },
      message() {},
      drain: pump,
    },
  });
  answer({ type: 'listening', port: server.port! });
}

function burst({ first, count }: ToSender & { type: 'burst' }): void {
  const wires = Array.from({ length: count }, (_, index) =>
    numbered(quoteOf(first + index, timeOf(first + index))),
  );
  frames = framesOf(wires);
  answer({ type: 'begun', atMs: nowMs() });
  pump();
}

async function pace({ first, count, perSecond, sentAtMs }: ToSender & { type: 'paced' }): Promise<void> {
  const sent = new Float64Array(sentAtMs);
  const startMs = nowMs();
  for (let index = 0; index < count; ) {
    const due = Math.min(count, Math.floor(((nowMs() - startMs) / 1_000) * perSecond) + 1);
    for (; index < due; index++) {
      const frame = frameOf([numbered(quoteOf(first + index, timeOf(first + index)))]);
      sent[index] = nowMs();
      send(frame);
    }
    await Bun.sleep(1);
  }
}

function pump(): void {
  while (frames.length > 0 && socket !== null && socket.getBufferedAmount() < SOCKET_BYTES_MAX)
    send(frames.shift()!);
}

function send(frame: string | Uint8Array): void {
  if (typeof frame === 'string') socket!.sendText(frame);
  else socket!.sendBinary(frame);
}

/** 64 consecutive quotes have the same millisecond. */
function timeOf(n: number): string {
  return new Date(baseMs + Math.floor(n / 64)).toISOString();
}

function numbered(wire: Wire): Wire {
  return { ...wire, seq: ++seq };
}

function framesOf(wires: readonly Wire[]): (string | Uint8Array)[] {
  const made: (string | Uint8Array)[] = [];
  for (let at = 0; at < wires.length; at += FRAME_MESSAGES)
    made.push(frameOf(wires.slice(at, at + FRAME_MESSAGES)));
  return made;
}

function frameOf(wires: readonly Wire[]): string | Uint8Array {
  return encoding === 'json' ? wires.map((wire) => JSON.stringify(wire)).join('\n') : writeBinaryFrame(wires);
}
