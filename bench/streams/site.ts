// The reader process of a measurement, and the requests that its readers send.

import { join } from 'node:path';
import type { FromReaders, ReaderCounts, ReaderRequest, ToReaders } from './readers.ts';

export class Readers implements Disposable {
  readonly #child: Bun.Subprocess;
  #answer = Promise.withResolvers<unknown>();

  constructor() {
    this.#child = Bun.spawn([process.execPath, join(import.meta.dir, 'readers.ts')], {
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: (message: FromReaders) => {
        if (message.type !== 'failed') this.#answer.resolve(message);
        else this.#answer.reject(new Error(`Cannot bench: a reader failed: ${message.because}`));
      },
      onExit: (_child, code, signal) => {
        const end = signal === null ? `code ${code}` : `signal ${signal}`;
        if (code !== 0)
          this.#answer.reject(new Error(`Cannot bench: the readers' process ended with ${end}`));
      },
    });
  }

  async open(url: string, requests: readonly ReaderRequest[]): Promise<void> {
    await this.#ask({ type: 'open', port: Number(new URL(url).port), requests });
  }

  /** Counts what arrives in a number of seconds. */
  async count(seconds: number): Promise<ReaderCounts> {
    this.#child.send({ type: 'start' } satisfies ToReaders);
    await Bun.sleep(seconds * 1_000);
    return ((await this.#ask({ type: 'stop' })) as { readonly counts: ReaderCounts }).counts;
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }

  #ask(message: ToReaders): Promise<unknown> {
    this.#answer = Promise.withResolvers<unknown>();
    this.#child.send(message);
    return this.#answer.promise;
  }
}

/** A request for server-sent events as bytes on the wire. */
export function streamRequest(path: string, key: string | null): ReaderRequest {
  const authorization = key === null ? [] : [`Authorization: Bearer ${key}`];
  return {
    text: [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...authorization, '', ''].join('\r\n'),
    subscribe: null,
  };
}

/** A handshake, followed by the subscription. */
export function socketRequest(key: string | null, subscribe: object): ReaderRequest {
  const headers = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  const authorization = key === null ? [] : [`Authorization: Bearer ${key}`];
  return {
    text: ['GET /v1/ws HTTP/1.1', 'Host: 127.0.0.1', ...authorization, ...headers, '', ''].join('\r\n'),
    subscribe: JSON.stringify({ op: 'subscribe', id: 'a', ...subscribe }),
  };
}
