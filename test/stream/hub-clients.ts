// Clients of a stream hub that the test drives by hand, and the hub's timers.

import type { Frame } from '../../src/stream/frames.ts';
import { HOLD_BYTES } from '../../src/stream/limits.ts';
import type { OpenStream } from '../../src/stream/stream-hub.ts';
import type { FrameSink } from '../../src/stream/stream-reader.ts';
import { type Answer, Mirror } from '../query/changes-scene.ts';
import { eventOf, type StreamEvent } from '../support/stream-client.ts';

/** Timers that fire only when the test makes them fire. */
export class Timers {
  readonly #jobs = new Map<object, { readonly ms: number; readonly run: () => unknown }>();

  readonly every = (ms: number, run: () => unknown): (() => void) => {
    const job = { ms, run };
    this.#jobs.set(job, job);
    return () => this.#jobs.delete(job);
  };

  async fire(ms: number): Promise<void> {
    for (const job of [...this.#jobs.values()]) if (job.ms === ms) await job.run();
  }
}

/** A client that reads events and keeps a mirror. The test can make it stall. */
export class Client implements FrameSink {
  readonly mirror = new Mirror();
  readonly events: StreamEvent[] = [];
  isStalled = false;
  hasEnded = false;
  #stream: OpenStream | null = null;
  #unread: Frame[] = [];

  connect(stream: OpenStream): void {
    this.#stream = stream;
  }

  send(frame: Frame): void {
    this.#unread.push(frame);
    if (!this.isStalled) this.#read();
  }

  unsentBytes(): number {
    // The socket of a stalled client is already full before its first frame.
    return this.#unread.length === 0 ? 0 : HOLD_BYTES + this.#unread.length;
  }

  end(): void {
    this.hasEnded = true;
  }

  resume(): void {
    this.isStalled = false;
    this.#read();
    this.#stream?.drained();
  }

  leave(): void {
    this.#stream?.gone();
  }

  #read(): void {
    const frames = this.#unread;
    this.#unread = [];
    for (const { bytes } of frames) this.#take(eventOf(new TextDecoder().decode(bytes)));
  }

  #take(event: StreamEvent): void {
    this.events.push(event);
    const { data } = event;
    if (event.event === 'snapshot') {
      if (data.part === 1) this.mirror.fixtures.clear();
      this.mirror.take({ ...(data as unknown as Answer), full: false });
      if (event.id === null) this.mirror.cursor = null;
    } else if (event.event === 'delta') {
      if (data.from !== this.mirror.cursor || data.to !== event.id)
        throw new Error(`A delta from ${data.from} to ${data.to}, where ${this.mirror.cursor} is held`);
      this.mirror.take(data as unknown as Answer);
    } else if (event.event === 'heartbeat') {
      this.mirror.cursor = event.id;
    }
  }
}
