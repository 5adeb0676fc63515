// Many stream readers in a separate process: raw sockets that read as fast as they can and count what
// arrives. The parent controls them by messages: `open` (answered when all are connected), `start` (counts
// from zero), `stop` (reports the counts).

export interface ReaderRequest {
  /** The whole request, or handshake, as bytes on the wire. */
  readonly text: string;
  /** A client frame to send after a handshake; null for server-sent events. */
  readonly subscribe: string | null;
}

export type ToReaders =
  | { readonly type: 'open'; readonly port: number; readonly requests: readonly ReaderRequest[] }
  | { readonly type: 'start' }
  | { readonly type: 'stop' };

export type FromReaders =
  | { readonly type: 'opened' }
  | { readonly type: 'counts'; readonly counts: ReaderCounts }
  | { readonly type: 'failed'; readonly because: string };

export interface ReaderCounts {
  readonly frames: number;
  readonly bytes: number;
  /** Milliseconds from a quote's stamp to its arrival, for some of the readers. */
  readonly latenciesMs: readonly number[];
}

/** One in this many readers checks the stamps of quotes. */
const SAMPLE_EVERY = 25;
const OPENED_AT_ONCE = 50;
const DELTA = Buffer.from('"conflated":');
const QUOTE_STAMP = /"status":"(?:open|suspended)","as_of":"([^"]{24})"/g;

let frames = 0;
let bytes = 0;
let latenciesMs: number[] = [];
let isCounting = false;

/**
 * The newest stamp that a reader has seen. A list that is sent again contains older ones, which are not
 * measured.
 */
interface Sample {
  newestMs: number;
}

function read(data: Buffer, sample: Sample | null): void {
  bytes += data.byteLength;
  for (let at = data.indexOf(DELTA); at >= 0; at = data.indexOf(DELTA, at + DELTA.length)) frames++;
  if (sample === null) return;
  const nowMs = Date.now();
  for (const [, stamp] of data.toString('latin1').matchAll(QUOTE_STAMP)) {
    const stampMs = Date.parse(stamp!);
    if (stampMs <= sample.newestMs) continue;
    sample.newestMs = stampMs;
    if (isCounting) latenciesMs.push(nowMs - stampMs);
  }
}

async function open(port: number, requests: readonly ReaderRequest[]): Promise<void> {
  for (let first = 0; first < requests.length; first += OPENED_AT_ONCE) {
    await Promise.all(
      requests.slice(first, first + OPENED_AT_ONCE).map((request, index) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        let isOpen = false;
        const sample = (first + index) % SAMPLE_EVERY === 0 ? { newestMs: 0 } : null;
        void Bun.connect({
          hostname: '127.0.0.1',
          port,
          socket: {
            open: (socket) => {
              socket.write(request.text);
              if (request.subscribe !== null) socket.write(textFrame(request.subscribe));
            },
            data: (_socket, data) => {
              if (!isOpen) {
                isOpen = true;
                const head = data.toString('latin1', 0, 12);
                if (/ (?:200|101)$/.test(head)) resolve();
                else reject(new Error(data.toString('latin1', 0, 600)));
              }
              read(data, sample);
            },
            close: () => reject(new Error('the server closed the connection without an answer')),
            error: (_socket, error) => reject(error),
          },
        }).catch(reject);
        return promise;
      }),
    );
  }
}

function textFrame(text: string): Uint8Array {
  const { length } = text;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 255];
  return Uint8Array.of(0x81, ...size, 0, 0, 0, 0, ...Buffer.from(text));
}

function answerParent(message: FromReaders): void {
  process.send!(message);
}

process.on('message', (message: ToReaders) => {
  if (message.type === 'open') {
    open(message.port, message.requests).then(
      () => answerParent({ type: 'opened' }),
      (error: unknown) => answerParent({ type: 'failed', because: String(error) }),
    );
  } else if (message.type === 'start') {
    [frames, bytes, latenciesMs, isCounting] = [0, 0, [], true];
  } else {
    isCounting = false;
    const counts: ReaderCounts = { frames, bytes, latenciesMs };
    answerParent({ type: 'counts', counts });
  }
});
