// A poller on a simulated clock, feeding the real parts of the ingest worker: hours pass as fast as the
// answers arrive.

import type { Clock } from '../../../src/clock.ts';
import { Random } from '../../../src/domain/random.ts';
import { Poller } from '../../../src/feed/poll/poller.ts';
import type { PolledSource } from '../../../src/feed/poll/source.ts';
import { createLog } from '../../../src/log.ts';
import { DEFAULT_CAPACITY } from '../../../src/store/layout.ts';
import { IngestDesk, type SeenFixture, type SeenQuote } from '../../ingest/ingest-desk.ts';

const CAPACITY = { ...DEFAULT_CAPACITY, fixtures: 256, quotesPerFixture: 256, openingsPerFixture: 512 };

interface PollRunOptions {
  readonly source: (clock: Clock) => PolledSource;
  readonly startMs: number;
  readonly seed?: number;
  readonly forcedEveryMs?: number | null;
}

export class PollRun implements AsyncDisposable {
  readonly desk = new IngestDesk({ capacity: CAPACITY });
  readonly poller: Poller;
  readonly wire: Record<string, unknown>[] = [];
  readonly connections: boolean[] = [];
  readonly logged: string[] = [];
  nowMs: number;
  readonly clock: Clock = { wallMs: () => this.nowMs, monotonicMs: () => this.nowMs };

  constructor({ source, startMs, seed = 1, forcedEveryMs = null }: PollRunOptions) {
    this.nowMs = startMs;
    this.desk.nowMs = startMs;
    const random = new Random(seed);
    this.poller = new Poller({
      source: source(this.clock),
      clock: this.clock,
      log: createLog({
        clock: this.clock,
        json: true,
        level: 'debug',
        write: (line) => this.logged.push(line),
      }),
      random: () => random.unit(),
      forcedEveryMs,
      emit: (message) => {
        this.wire.push(message);
        this.desk.nowMs = this.nowMs;
        this.desk.send(message);
      },
      connection: (isConnected) => {
        this.connections.push(isConnected);
        this.desk.mark({ mark: 'connection', connected: isConnected, triedAtMs: null });
      },
    });
  }

  /** Runs to an instant. @param onStep called at each instant at which requests may be due */
  async to(untilMs: number, onStep: (nowMs: number) => void = () => {}): Promise<void> {
    while (this.nowMs < untilMs) {
      onStep(this.nowMs);
      this.poller.startDue();
      await this.poller.settled();
      this.poller.startDue(); // requests that an answer has made due at the same instant
      await this.poller.settled();
      this.nowMs = Math.min(untilMs, Math.max(this.nowMs + 1, this.poller.wakeAtMs()));
    }
  }

  async for(ms: number, onStep?: (nowMs: number) => void): Promise<void> {
    await this.to(this.nowMs + ms, onStep);
  }

  slate(events: readonly string[], sport = 0): Record<string, SeenFixture> {
    return this.desk.slate(events, sport);
  }

  /** Prices and status of a fixture's quotes, by bookmaker, market, period and line. */
  quotes(event: string, sport = 0): Record<string, string> {
    const shown = Object.entries(this.slate([event], sport)[event]?.quotes ?? {});
    const text = ({ pricesE4, status }: SeenQuote): string =>
      `${pricesE4.map((price) => price / 10_000).join(' ')} ${status}`;
    return Object.fromEntries(shown.map(([key, quote]) => [key, text(quote)]));
  }

  /** How many wire messages of a type were sent. */
  sent(type: string): number {
    return this.wire.filter((message) => message.type === type).length;
  }

  /** @throws Error if the ingest worker has refused a message: a correct source sends no such message */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.poller.close();
    const refusal = this.desk.logged.find((line) => line.includes('feed_message_rejected'));
    if (refusal !== undefined) throw new Error(`The slate refused ${refusal}`);
  }
}
