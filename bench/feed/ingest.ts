// The ingest worker as the service runs it, an upstream that feeds it, and a function that waits until quotes
// can be read. For benches that measure the time from bytes to readable quotes.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../src/errors.ts';
import type { FromIngest, ToIngest } from '../../src/ingest/worker.ts';
import { HISTORY_RING_RECORDS } from '../../src/limits.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { createStore } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { createTapeRing, TapeRingReader } from '../../src/store/tape-ring.ts';
import { createMetricsMemory } from '../../src/telemetry/metrics-memory.ts';
import type { CpuQuestion } from './ingest.worker.ts';
import type { FromSender, ToSender } from './sender.worker.ts';
import type { QuoteWatch } from './wires.ts';

/**
 * The same name as in ingest.worker.ts. That file starts a worker when imported, so this one cannot import
 * it.
 */
const CPU_CHANNEL = 'overround-bench-ingest-cpu';
const HISTORY_WORKERS = {
  kept: new URL('../../src/start/threads/history.worker.ts', import.meta.url).href,
  emptied: new URL('./empty-ring.worker.ts', import.meta.url).href,
} as const;
const LOOK_EVERY_MS = 0.1;
const WAIT_MS_MAX = 60_000;

const idle = new Int32Array(new SharedArrayBuffer(4));

export interface Ingest extends Disposable {
  readonly reader: SlateReader;
  /** The Unix ms at which the recording's hello is due. */
  readonly startMs: number;
  /** The ring of the price history; null without one. */
  readonly tape: TapeRingReader | null;
  /** Processor time that the ingest thread has used, in ms. */
  cpuMs(): Promise<number>;
}

/** The time in milliseconds, comparable between threads. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

interface IngestOptions {
  readonly feed: string;
  /** The parent of the data folders; each instance gets its own. */
  readonly folder: string;
  readonly speed?: number;
  /**
   * `kept`: the history thread keeps every price. `emptied`: a worker only empties the ring. Null: no ring.
   */
  readonly tape?: 'kept' | 'emptied' | null;
}

/** Starts the ingest worker, and waits for the snapshot. */
export async function openIngest(options: IngestOptions): Promise<Ingest> {
  const { feed, folder, speed = 1, tape: use = null } = options;
  const storeBuffer = createStore(1);
  const metricsMemory = createMetricsMemory(1);
  const config = loadConfig({
    FEED: feed,
    FEED_SPEED: String(speed),
    DATA_DIR: mkdtempSync(join(folder, 'data-')),
    LOG_LEVEL: 'error',
  });
  const tapeMemory = use === null ? null : createTapeRing(HISTORY_RING_RECORDS, 1);
  const history = use === null ? null : new Worker(HISTORY_WORKERS[use]);
  history?.postMessage({ type: 'start', config, storeBuffer, tapeMemory, metricsMemory });
  const worker = new Worker(new URL('./ingest.worker.ts', import.meta.url).href);
  const startMs = Date.now();
  const started = Promise.withResolvers<void>();
  worker.onmessage = ({ data }: MessageEvent<FromIngest>) => data.type === 'started' && started.resolve();
  worker.onerror = (event) => started.reject(new Error(event.message));
  worker.postMessage({
    type: 'start',
    ...{ storeBuffer, metricsMemory, config, tapeMemory },
    matchFile: null,
    heartbeatEveryMs: 1_000,
    startMs,
  } satisfies ToIngest);
  await started.promise;
  const reader = new SlateReader(storeBuffer);
  await until(() => reader.feed().snapshotComplete);
  const close = (): void => {
    worker.terminate();
    history?.terminate();
  };
  const tape = tapeMemory === null ? null : new TapeRingReader(tapeMemory);
  return { reader, startMs, tape, cpuMs: () => cpuMsOf(worker.threadId), [Symbol.dispose]: close };
}

async function cpuMsOf(threadId: number): Promise<number> {
  const channel = new BroadcastChannel(CPU_CHANNEL);
  const { promise, resolve } = Promise.withResolvers<number>();
  channel.onmessage = (event) => {
    const answer = event.data as CpuQuestion;
    if (answer.threadId === threadId && answer.cpuUs !== null) resolve(answer.cpuUs / 1_000);
  };
  channel.postMessage({ threadId, cpuUs: null } satisfies CpuQuestion);
  const cpuMs = await promise;
  channel.close();
  return cpuMs;
}

export async function until(isTrue: () => boolean): Promise<void> {
  for (const endMs = nowMs() + WAIT_MS_MAX; !isTrue(); await Bun.sleep(1)) {
    assert(nowMs() < endMs, 'what is waited for comes within a minute');
  }
}

/**
 * Waits until all quotes below `end` can be read, and calls `seen` with each range that has become readable.
 */
export function watch(
  quotes: QuoteWatch,
  end: number,
  seen: (from: number, to: number, atMs: number) => void,
): void {
  const endMs = nowMs() + WAIT_MS_MAX;
  for (let from = quotes.advance(end); from < end; ) {
    const to = quotes.advance(end);
    const atMs = nowMs();
    if (to > from) seen(from, to, atMs);
    from = to;
    assert(atMs < endMs, 'every quote becomes readable');
    if (from < end) Atomics.wait(idle, 0, 0, LOOK_EVERY_MS);
  }
}

export class Upstream implements Disposable {
  readonly #worker = new Worker(new URL('./sender.worker.ts', import.meta.url).href);

  async listen(encoding: 'json' | 'msgpack', baseMs: number): Promise<string> {
    const { port } = await this.ask({ type: 'listen', encoding, baseMs }, 'listening');
    return `ws://127.0.0.1:${port}`;
  }

  ask<Type extends FromSender['type']>(message: ToSender, answer: Type) {
    const heard = Promise.withResolvers<Extract<FromSender, { type: Type }>>();
    this.#worker.onmessage = ({ data }: MessageEvent<FromSender>) => {
      if (data.type === answer) heard.resolve(data as Extract<FromSender, { type: Type }>);
    };
    this.#worker.postMessage(message);
    return heard.promise;
  }

  send(message: ToSender): void {
    this.#worker.postMessage(message);
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}
