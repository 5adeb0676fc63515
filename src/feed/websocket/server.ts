// Serves a slate as a feed over WebSocket: each follower gets a hello, a snapshot and then the applied
// messages, with its own epoch and numbers. It can request a snapshot with `{"type":"snapshot"}`. A follower
// that reads too slowly is closed with 1013 and reconnects for a snapshot; nothing is kept for it meanwhile.

import { timingSafeEqual } from 'node:crypto';
import type { ServerWebSocket } from 'bun';
import { FEED_FOLLOWERS_MAX, FEED_QUEUE_MAX } from '../../limits.ts';
import { isObject, jsonOrUndefined } from '../../parse-json.ts';
import type { FeedOutlet } from '../outlet.ts';
import { FEED_PROTOCOL_VERSION } from '../protocol.ts';
import type { Wire } from '../wire-values.ts';
import { writeBinaryFrame } from './frames.ts';

export interface FeedServerOptions {
  readonly outlet: FeedOutlet;
  /** Where to listen: a TCP address, or the path of a Unix socket. */
  readonly listen: { readonly hostname: string; readonly port: number } | { readonly unix: string };
  /** The bearer token that followers must send; null accepts everybody. */
  readonly token: string | null;
  /** Makes the epochs of this run differ from those of the previous run. */
  readonly epoch: string;
  /**
   * The answer at JOIN_REPORT_PATH: which fixtures of several sources are the same match. Null or absent with
   * one source.
   */
  readonly joinReport?: (() => unknown) | null;
}

export const JOIN_REPORT_PATH = '/match';

export interface FeedServer {
  /** The TCP port, or undefined on a Unix socket. */
  readonly port: number | undefined;
  readonly followerCount: number;
  /** Closes every follower, as a broken network would. */
  cut(): void;
  stop(): Promise<void>;
}

/** Most messages in one frame. */
const FRAME_MESSAGES_MAX = 256;
/** Maximum bytes handed to the socket and not yet sent. The rest waits in the follower's queue. */
const SOCKET_BYTES_MAX = 1024 * 1024;
/** The longest message of a follower: a request of a few bytes. */
const REQUEST_BYTES_MAX = 1_024;
const CLOSE_TRY_AGAIN = 1_013;

interface FollowerData {
  readonly encoding: 'json' | 'msgpack';
  follower: Follower | null;
}

/** Starts to listen. @throws when the address is taken */
export function serveFeed({ outlet, listen, token, epoch, joinReport }: FeedServerOptions): FeedServer {
  const followers = new Set<Follower>();
  let opened = 0;
  const server = Bun.serve<FollowerData>({
    ...listen,
    fetch(request, self) {
      if (!isBearer(request.headers.get('authorization'), token)) {
        return new Response('Cannot follow: send "Authorization: Bearer <FEED_TOKEN>"\n', { status: 401 });
      }
      if (new URL(request.url, 'http://feed').pathname === JOIN_REPORT_PATH) {
        return Response.json(joinReport?.() ?? null);
      }
      if (followers.size >= FEED_FOLLOWERS_MAX) {
        return new Response('Cannot follow: too many followers\n', { status: 503 });
      }
      const encoding = new URL(request.url, 'http://feed').searchParams.get('encoding');
      if (encoding !== null && encoding !== 'json' && encoding !== 'msgpack') {
        return new Response('Cannot follow: encoding is json or msgpack\n', { status: 400 });
      }
      if (self.upgrade(request, { data: { encoding: encoding ?? 'json', follower: null } })) return;
      return new Response('Cannot follow: this address speaks WebSocket\n', { status: 426 });
    },
    websocket: {
      maxPayloadLength: REQUEST_BYTES_MAX,
      idleTimeout: 120,
      open(socket) {
        const follower = new Follower({ socket, outlet, epoch: `${epoch}-${++opened}` });
        socket.data.follower = follower;
        followers.add(follower);
        follower.start();
      },
      message(socket, data) {
        if (isSnapshotRequest(data)) socket.data.follower?.replaced();
      },
      drain: (socket) => socket.data.follower?.pump(),
      close(socket) {
        const { follower } = socket.data;
        if (follower === null) return;
        follower.stop();
        followers.delete(follower);
      },
    },
  });
  return {
    port: server.port,
    get followerCount() {
      return followers.size;
    },
    cut: () => {
      for (const follower of [...followers]) follower.cut();
    },
    stop: () => server.stop(true),
  };
}

interface FollowerOptions {
  readonly socket: ServerWebSocket<FollowerData>;
  readonly outlet: FeedOutlet;
  readonly epoch: string;
}

/** One connection: the messages not yet sent on it, and the sequence numbers it has reached. */
class Follower {
  readonly #socket: ServerWebSocket<FollowerData>;
  readonly #outlet: FeedOutlet;
  readonly #epoch: string;
  #stopFollowing: () => void = () => {};
  #seq = 0;
  /** Fixtures that the current snapshot still has to send; null without one. */
  #unsent: Set<string> | null = null;
  #queue: Wire[] = [];
  #isClosed = false;

  constructor({ socket, outlet, epoch }: FollowerOptions) {
    this.#socket = socket;
    this.#outlet = outlet;
    this.#epoch = epoch;
  }

  start(): void {
    this.#stopFollowing = this.#outlet.follow({
      applied: (messages) => this.#applied(messages),
      replaced: () => this.replaced(),
    });
    const hello = { type: 'hello', protocol: FEED_PROTOCOL_VERSION, ...this.#outlet.hello() };
    this.#send([{ ...hello, epoch: this.#epoch }]);
    if (this.#outlet.isComplete) this.replaced();
  }

  stop(): void {
    this.#isClosed = true;
    this.#stopFollowing();
    this.#queue = [];
  }

  cut(): void {
    this.#socket.terminate();
  }

  /** Begins a snapshot, in place of an unfinished one. */
  replaced(): void {
    if (this.#isClosed || !this.#outlet.isComplete) return;
    this.#queue = [{ type: 'snapshot_begin' }]; // the waiting messages are in the snapshot
    this.#unsent = new Set(this.#outlet.eventKeys());
    this.pump();
  }

  /** Sends as long as the socket accepts data. */
  pump(): void {
    while (!this.#isClosed && this.#socket.getBufferedAmount() < SOCKET_BYTES_MAX) {
      if (this.#queue.length < FRAME_MESSAGES_MAX && this.#unsent !== null) this.#nextFixture(this.#unsent);
      else if (this.#queue.length > 0) this.#send(this.#queue.splice(0, FRAME_MESSAGES_MAX));
      else return;
    }
  }

  #nextFixture(unsent: Set<string>): void {
    const next = unsent.values().next();
    if (next.done === true) {
      this.#unsent = null;
      this.#queue.push(...this.#outlet.confirmations(), { type: 'snapshot_end' });
      return;
    }
    unsent.delete(next.value);
    for (const wire of this.#outlet.fixture(next.value)) this.#queue.push(wire);
  }

  #applied(messages: readonly Wire[]): void {
    if (this.#isClosed || (this.#unsent === null && !this.#outlet.isComplete)) return;
    for (const wire of messages) {
      // If the snapshot still has to send a fixture, it will include this message then, so the message is not
      // sent now.
      if (this.#unsent === null || !this.#unsent.has(wire.event as string)) this.#queue.push(wire);
    }
    if (this.#queue.length > FEED_QUEUE_MAX) this.#socket.close(CLOSE_TRY_AGAIN, 'Reads too slowly');
    else this.pump();
  }

  #send(wires: readonly Wire[]): void {
    const numbered = wires.map((wire) => (wire.type === 'hello' ? wire : { ...wire, seq: ++this.#seq }));
    if (this.#socket.data.encoding === 'msgpack') this.#socket.sendBinary(writeBinaryFrame(numbered));
    else this.#socket.sendText(numbered.map((wire) => JSON.stringify(wire)).join('\n'));
  }
}

function isSnapshotRequest(data: string | Uint8Array): boolean {
  const value = typeof data === 'string' ? jsonOrUndefined(data) : undefined;
  return isObject(value) && value.type === 'snapshot';
}

/**
 * Whether a header has the token, or no token is required. The comparison takes constant time, so that the
 * time does not reveal how much of it was right.
 */
function isBearer(header: string | null, token: string | null): boolean {
  if (token === null) return true;
  const sent = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}
