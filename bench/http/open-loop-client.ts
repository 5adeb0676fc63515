// Polls one URL at a fixed rate, evenly spaced: `bun bench/http/open-loop-client.ts <JSON of
// OpenLoopOptions>` prints every latency in microseconds. A request is sent when it is due, on a free
// connection. If no connection is free, its latency still counts from the time it was due (no coordinated
// omission). h2load is not used, because its --rps makes all connections send at the same moment, which
// measures a burst.

import type { OpenLoopOptions } from './load.ts';

/**
 * Number of connections. At 900 requests a second, a server that stalls for 70 ms has 63 requests in flight,
 * so 64 connections are enough.
 */
const CONNECTIONS = 64;
const ANSWER_WITHIN_MS = 5_000;
const HEADER_END = Buffer.from('\r\n\r\n');

class Connection {
  readonly #onAnswer: (connection: Connection, dueMs: number) => void;
  #socket: Bun.Socket | null = null;
  #sentAtMs = 0;
  /** Bytes of the response still to come; null before its head is complete. */
  #left: number | null = null;
  #head: Buffer = Buffer.alloc(0);

  constructor(onAnswer: (connection: Connection, dueMs: number) => void) {
    this.#onAnswer = onAnswer;
  }

  async open(hostname: string, port: number): Promise<void> {
    this.#socket = await Bun.connect({
      hostname,
      port,
      socket: {
        data: (_socket, data) => this.#read(data),
        close: () => fail('a connection was closed'),
        error: (_socket, error) => fail(String(error)),
      },
    });
  }

  send(request: string, countedFromMs: number): void {
    this.#sentAtMs = countedFromMs;
    this.#socket!.write(request);
  }

  #read(data: Buffer): void {
    let rest = data;
    if (this.#left === null) {
      const head = this.#head.byteLength === 0 ? data : Buffer.concat([this.#head, data]);
      const end = head.indexOf(HEADER_END);
      if (end === -1) {
        this.#head = head;
        return;
      }
      const text = head.toString('latin1', 0, end);
      if (!text.startsWith('HTTP/1.1 200')) fail(text);
      this.#left = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      this.#head = Buffer.alloc(0);
      rest = head.subarray(end + HEADER_END.byteLength);
    }
    this.#left -= rest.byteLength;
    if (this.#left > 0) return;
    this.#left = null;
    this.#onAnswer(this, this.#sentAtMs);
  }
}

function fail(reason: string): never {
  console.error(`Cannot poll: ${reason}`);
  process.exit(1);
}

const { url, headers, perSecond, seconds } = JSON.parse(process.argv[2]!) as OpenLoopOptions;
const { hostname, port, pathname } = new URL(url);
const fields = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}`);
const request = `GET ${pathname} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`;
const total = Math.floor(perSecond * seconds);
const latencies = new Float64Array(total);
const free: Connection[] = [];
let answered = 0;
/** Due times of requests that found no free connection. */
const late: number[] = [];
const { promise: done, resolve } = Promise.withResolvers<void>();

function onAnswer(connection: Connection, countedFromMs: number): void {
  latencies[answered++] = performance.now() - countedFromMs;
  const dueMs = late.shift();
  if (dueMs === undefined) free.push(connection);
  else connection.send(request, dueMs);
  if (answered === total) resolve();
}

for (let index = 0; index < CONNECTIONS; index += 1) {
  const connection = new Connection(onAnswer);
  await connection.open(hostname, Number(port));
  free.push(connection);
}
const startMs = performance.now();
let begun = 0;
const timer = setInterval(() => {
  const nowMs = performance.now();
  for (; begun < total && startMs + (begun * 1000) / perSecond <= nowMs; begun += 1) {
    const connection = free.shift();
    // With a free connection, latency counts from now instead of from the time the request was due: the
    // difference is the delay of this process's timer, not of the server.
    if (connection === undefined) late.push(nowMs);
    else connection.send(request, performance.now());
  }
  if (nowMs - startMs > seconds * 1000 + ANSWER_WITHIN_MS) fail(`${total - answered} answers are missing`);
}, 1);
await done;
clearInterval(timer);
console.log(Array.from(latencies, (ms) => Math.round(ms * 1000)).join('\n'));
process.exit(0);
