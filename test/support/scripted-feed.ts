// An upstream that speaks the feed protocol over WebSocket and does what a test requests: sends messages,
// skips numbers, falls silent, and answers or ignores requests for a snapshot. It has one follower at a time.

import type { ServerWebSocket } from 'bun';
import { eventWire, helloWire, markWire, quoteWire, stateWire, type WireMessage } from '../feed/wire.ts';

const HEARTBEAT_MS = 100;

interface ScriptedSlate {
  /** The messages of a snapshot; each has its own `at`. */
  readonly slate: () => readonly WireMessage[];
  readonly at: () => string;
}

export class ScriptedFeed {
  /** Whether requests for a snapshot are answered, and whether each new connection begins with one. */
  answersSnapshots = true;
  /** Whether heartbeats are sent. */
  beats = true;
  snapshotRequests = 0;
  connections = 0;
  readonly #server: Bun.Server<undefined>;
  readonly #heartbeat: Timer;
  #socket: ServerWebSocket<undefined> | null = null;
  #seq = 0;
  readonly #slate: () => readonly WireMessage[];
  readonly #at: () => string;

  /** @param options.at the source's clock, which stamps messages that have no stamp */
  constructor({ slate = twoFixtures, at = nowText }: Partial<ScriptedSlate> = {}) {
    this.#slate = slate;
    this.#at = at;
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request, server) =>
        server.upgrade(request) ? undefined : new Response('WebSocket only', { status: 426 }),
      websocket: {
        open: (socket) => {
          this.connections += 1;
          this.#socket = socket;
          this.#seq = 0;
          this.#raw(helloWire({ at: this.#at(), epoch: `c${this.connections}` }));
          if (this.answersSnapshots) this.snapshot();
        },
        message: () => {
          this.snapshotRequests += 1;
          if (this.answersSnapshots) this.snapshot();
        },
        close: (socket) => {
          if (this.#socket === socket) this.#socket = null;
        },
      },
    });
    this.#heartbeat = setInterval(() => {
      if (this.beats) this.send({ type: 'heartbeat' });
    }, HEARTBEAT_MS);
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#server.port}`;
  }

  /** Sends the whole slate. */
  snapshot(): void {
    this.send(markWire('snapshot_begin', 0));
    for (const message of this.#slate()) this.send(message, message.at as string);
    this.send(markWire('snapshot_end', 0));
  }

  /** Sends one message, in sequence, stamped with the present time unless it has a stamp. */
  send(message: WireMessage, at: string = this.#at()): void {
    this.#seq += 1;
    this.#raw({ ...message, at, seq: this.#seq });
  }

  /** Loses messages: the number of the next message is higher by `count`. */
  skip(count = 3): void {
    this.#seq += count;
  }

  /** Cuts the connection. The follower may reconnect. */
  cut(): void {
    this.#socket?.terminate();
  }

  stop(): void {
    clearInterval(this.#heartbeat);
    this.#server.stop(true);
  }

  [Symbol.dispose](): void {
    this.stop();
  }

  #raw(message: WireMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }
}

/** One match in play and one scheduled, each with a line of one bookmaker. */
function twoFixtures(): WireMessage[] {
  const at = nowText();
  return [
    eventWire(0, 'e1', { at, scheduled_at: nowText(-600_000) }),
    stateWire(0, 'e1', { at }),
    quoteWire(0, 'e1', { at }),
    eventWire(0, 'e2', { at, scheduled_at: nowText(3_600_000) }),
    quoteWire(0, 'e2', { at }),
  ];
}

/** The present time as text, or the time after this many milliseconds. */
export function nowText(laterMs = 0): string {
  return new Date(Date.now() + laterMs).toISOString();
}
