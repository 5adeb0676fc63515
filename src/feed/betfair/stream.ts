// One connection to the Exchange Stream API: JSON objects ended by CRLF over TCP or TLS, each bounded. The
// only state is the line that is being read.

import type { Socket } from 'bun';

/**
 * Maximum bytes of one line; an image of two hundred markets takes about half a megabyte. After a longer one,
 * the connection is given up.
 */
const LINE_BYTES_MAX = 16 * 1024 * 1024;
const LF = 10;

export interface StreamHandlers {
  line(text: string): void;
  /** Called once if the connection ends for another reason than `close`. */
  closed(why: string): void;
}

export interface StreamConnection {
  send(message: object): void;
  close(): void;
}

/** The server has no trusted certificate for its name. */
export class UntrustedError extends Error {}

/**
 * Connects to `tls://host:port` or `tcp://host:port`.
 * @param signal aborts a connection that does not open, because a server may accept it and then send nothing
 * @throws when nobody listens there, or the certificate is not for that host
 */
export async function connectStream(
  address: string,
  handlers: StreamHandlers,
  signal: AbortSignal,
): Promise<StreamConnection> {
  const url = new URL(address);
  const lines = new LineBuffer();
  let isOver = false;
  const end = (why: string): void => {
    if (isOver) return;
    isOver = true;
    handlers.closed(why);
  };
  const opened = Promise.withResolvers<void>();
  opened.promise.catch(() => {}); // the promise is awaited below, unless the connection itself failed
  const giveUp = (): void => opened.reject(new Error('Did not open in time'));
  signal.addEventListener('abort', giveUp, { once: true });
  const isTls = url.protocol === 'tls:';
  const connecting = Bun.connect({
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port),
    tls: isTls ? { serverName: url.hostname, rejectUnauthorized: true } : false,
    socket: {
      ...openHandlers(isTls, opened),
      data: (_socket: Socket, bytes: Uint8Array) => {
        if (isOver) return;
        for (const line of lines.push(bytes)) if (!isOver) handlers.line(line);
        if (lines.isTooLong) {
          end('a line is too long');
          socket.terminate();
        }
      },
      close: () => {
        opened.reject(new Error('Closed before it was open'));
        end('closed by the other side');
      },
      error: () => end('the connection failed'),
    },
  });
  let socket: Socket;
  try {
    [socket] = await Promise.all([connecting, opened.promise]);
  } catch (error) {
    isOver = true;
    terminateLate(connecting);
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
  return {
    send: (message) => void socket.write(`${JSON.stringify(message)}\r\n`),
    close: () => {
      isOver = true;
      socket.terminate();
    },
  };
}

/** A TLS connection is open after its handshake, if the certificate is trusted. */
function openHandlers(isTls: boolean, opened: PromiseWithResolvers<void>) {
  return {
    open: () => {
      if (!isTls) opened.resolve();
    },
    handshake: (_socket: Socket, isAuthorised: boolean, error: Error | null) => {
      if (isAuthorised && error === null) opened.resolve();
      else opened.reject(new UntrustedError('Cannot trust the certificate'));
    },
  };
}

/** Ends a connection that was given up before it was open. */
function terminateLate(connecting: Promise<Socket>): void {
  connecting.then(
    (late) => late.terminate(),
    () => {}, // the failure has been reported
  );
}

/** Splits bytes into whole lines. Chunks of an unfinished line are joined once, when it ends. */
class LineBuffer {
  isTooLong = false;
  readonly #decoder = new TextDecoder();
  #chunks: Uint8Array[] = [];
  #byteCount = 0;

  push(bytes: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      lines.push(this.#take(bytes.subarray(start, end)));
      start = end + 1;
    }
    if (start < bytes.length) {
      this.#chunks.push(bytes.slice(start)); // a copy: the socket may use its buffer again
      this.#byteCount += bytes.length - start;
    }
    this.isTooLong = this.#byteCount > LINE_BYTES_MAX;
    return lines;
  }

  #take(last: Uint8Array): string {
    const text = this.#decoder.decode(Buffer.concat([...this.#chunks, last]));
    this.#chunks = [];
    this.#byteCount = 0;
    return text.trim();
  }
}
