// The attackers of the `*-attacks.ts` files, on a separate thread, so that their work does not delay the
// customer's clock.

import { connect, type Socket } from 'node:net';
import {
  BODY_ATTACKS,
  type BodyAttack,
  type BodyRequest,
  type CrowdAttackName,
  type CrowdOrder,
  type CrowdReport,
} from './body-attacks.ts';
import { CALLER_ATTACKS } from './caller-attacks.ts';
import { QUESTION_ATTACKS } from './question-attacks.ts';
import { REQUEST_ATTACKS } from './request-attacks.ts';
import { strangers } from './strangers.ts';
import { STREAM_ATTACKS } from './stream-attacks.ts';
import { WIRE_ATTACKS } from './wire-attacks.ts';
import { LATE_SECONDS_MAX, type WireAttack } from './wire-text.ts';

declare const self: Worker;

const PIECE = Buffer.alloc(65_536, ' ');
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')]);
/** The most bytes that one request sends in endless chunks. */
const CHUNKS_BYTES_MAX = 64_000_000;
/** How many addresses an attack uses if each of its requests comes from another one. */
const MANY_ADDRESSES = 20_000;

const ALL: Readonly<Record<CrowdAttackName, BodyAttack | WireAttack>> = {
  ...BODY_ATTACKS,
  ...WIRE_ATTACKS,
  ...STREAM_ATTACKS,
  ...REQUEST_ATTACKS,
  ...QUESTION_ATTACKS,
  ...CALLER_ATTACKS,
};

self.onmessage = async ({ data }: MessageEvent<CrowdOrder>) => {
  self.postMessage(await new Crowd(data).run());
};

/** Each client sends one request after the other until the end. */
class Crowd {
  readonly #order: CrowdOrder;
  readonly #attack: BodyAttack | WireAttack;
  readonly #addresses: readonly string[];
  readonly #statuses: Record<string, number> = {};
  readonly #endMs: number;
  #requests = 0;
  #sentBytes = 0;

  constructor(order: CrowdOrder) {
    this.#order = order;
    this.#attack = ALL[order.name];
    this.#addresses = strangers(
      order.block,
      this.#attack.movesOn === true ? MANY_ADDRESSES : order.size.addresses,
    );
    this.#endMs = performance.now() + order.size.seconds * 1_000;
  }

  async run(): Promise<CrowdReport> {
    const { addresses, each } = this.#order.size;
    await Promise.all(
      Array.from({ length: addresses * each }, async (_, client) => {
        while (!this.#isOver) await this.#connect(client % addresses);
      }),
    );
    return {
      strangers: this.#statuses,
      sentKb: Math.round(this.#sentBytes / Math.max(1, this.#requests) / 1_024),
    };
  }

  get #isOver(): boolean {
    if (!this.#isLate) return false;
    const isMissed = (status: string): boolean => status !== 'none' && this.#statuses[status] === undefined;
    return !this.#order.awaited.some(isMissed) || performance.now() > this.#endMs + LATE_SECONDS_MAX * 1_000;
  }

  /**
   * Whether the time is over and the attack continues only to get the statuses that no request has got yet.
   */
  get #isLate(): boolean {
    return performance.now() > this.#endMs;
  }

  #connect(client: number): Promise<void> {
    const index = this.#requests++;
    const address = this.#addresses[this.#attack.movesOn === true ? index % this.#addresses.length : client]!;
    const attack = this.#attack;
    return 'writes' in attack
      ? this.#write(attack, index, address)
      : this.#post(attack.request(index), address);
  }

  #socketFrom(address: string): Socket {
    const { port, trustsHeaders } = this.#order;
    return connect({ host: '127.0.0.1', port, ...(trustsHeaders ? {} : { localAddress: address }) });
  }

  /**
   * Writes the attack's bytes. Resolves when the connection has closed. Without `holdMs`, the client closes
   * it when an answer arrives.
   */
  #write(
    { reads, holdMs, halfCloses, writes, thenWrites }: WireAttack,
    index: number,
    address: string,
  ): Promise<void> {
    const socket = this.#socketFrom(address);
    const startMs = performance.now();
    const facts = { ...this.#order, index, address };
    let isAnswered = false;
    if (!reads && thenWrites === undefined) socket.pause();
    const closed = this.#whenClosed(socket, {
      // After the time of the attack, clients stay until they are answered.
      isOver: () =>
        holdMs !== undefined && (isAnswered || !this.#isLate) && performance.now() - startMs > holdMs,
      onData: () => {
        if (holdMs === undefined) socket.destroy();
        else if (!isAnswered) {
          isAnswered = true;
          if (!reads) socket.pause();
          for (const bytes of thenWrites?.(facts) ?? []) socket.write(bytes);
        }
      },
    });
    for (const bytes of writes(facts)) socket.write(bytes);
    if (halfCloses === true) socket.end();
    return closed;
  }

  #post({ path, method = 'POST', length, sent }: BodyRequest, address: string): Promise<void> {
    const socket = this.#socketFrom(address);
    let left = length === null ? CHUNKS_BYTES_MAX : (sent ?? length);
    const closed = this.#whenClosed(socket, {
      onData: () => {
        if (sent === undefined) socket.end();
      },
    });
    const pump = (): void => {
      while (left > 0 && !socket.destroyed) {
        const piece = length === null ? CHUNK : PIECE.subarray(0, Math.min(left, PIECE.length));
        left -= piece.length;
        if (!socket.write(piece)) break;
      }
    };
    socket.on('drain', pump);
    const framing = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
    const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `X-Forwarded-For: ${address}`, framing];
    socket.write(`${head.join('\r\n')}\r\nContent-Type: application/json\r\n\r\n`);
    pump();
    return closed;
  }

  /** Counts the bytes that a connection sends and the status of its first answer, until it closes. */
  #whenClosed(
    socket: Socket,
    { isOver = () => false, onData }: { readonly isOver?: () => boolean; readonly onData: () => void },
  ): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isAnswered = false;
    const count = (status: string): void => {
      this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    };
    const watch = setInterval(() => {
      if (this.#isOver || isOver()) socket.destroy();
      else if (this.#isLate) socket.resume(); // reads the status of an answer that was left unread
    }, 100);
    socket.on('data', (data) => {
      if (!isAnswered) count(data.toString('latin1').slice(9, 12));
      isAnswered = true;
      onData();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(watch);
      this.#sentBytes += socket.bytesWritten;
      if (!isAnswered) count('none');
      resolve();
    });
    return promise;
  }
}
