// One run of a script: the feed's side, the readers and the buckets. It throws at the first wrong result.

import { Buckets } from './buckets.ts';
import { same } from './check.ts';
import { FeedSide } from './feed-side.ts';
import { Readers } from './readers.ts';
import { type Act, EVENTS } from './script.ts';
import { byAnother, inSteps } from './steps.ts';

/**
 * How much higher the sharp prices of the twin run are. This is less than the difference between any two of
 * them.
 */
const SHARP_SHIFT = 0.03;

/** @throws Broken, which names the check that failed, or any Error of the code under test */
export async function play(acts: readonly Act[]): Promise<void> {
  const said = await new World(0).play(acts);
  const saidByTwin = await new World(SHARP_SHIFT).play(acts);
  same('What callers without the sharp bookmaker received, with other sharp prices', saidByTwin, said);
}

class World {
  readonly #feed: FeedSide;
  readonly #readers: Readers;
  readonly #buckets = new Buckets();
  #looked = 0;

  constructor(sharpShift: number) {
    this.#feed = new FeedSide(sharpShift);
    this.#readers = new Readers(this.#feed);
  }

  /** @returns everything that callers without the sharp bookmaker received */
  async play(acts: readonly Act[]): Promise<readonly string[]> {
    try {
      for (const act of acts) await this.#act(act);
      for (const end of [{ do: 'batch', diesAfter: null, pausesAfter: null }, { do: 'beat' }] as const)
        await this.#act(end);
      return this.#readers.saidToFree;
    } finally {
      this.#feed.close();
    }
  }

  async #act(act: Act): Promise<void> {
    const feed = this.#feed;
    switch (act.do) {
      case 'say':
        return feed.say(act.wire, act.fate);
      case 'flood':
        for (const wire of act.wires) feed.say(wire, 'arrives');
        return;
      case 'snapshot':
        return feed.snapshot(act.wires, act.isCut);
      case 'batch':
        return this.#losing(() => feed.batch({ ...act, others: () => this.#look() }));
      case 'time':
        return this.#losing(() => feed.time(act.ms, act.diesAfter));
      case 'read':
        return this.#read(act);
      case 'poll':
        return this.#readers.poll(act.view);
      case 'beat':
        return this.#readers.beat();
      case 'heartbeat':
        return this.#readers.heartbeat();
      case 'flush':
        return feed.flush();
      case 'disk':
        return feed.setDiskFull(act.isFull);
      case 'restart':
        feed.startProcess();
        this.#readers.startProcess();
        this.#readers.forgetOpenings((name) => feed.isOnDisk(name));
        return this.#readers.reconnectAll();
      case 'ask':
        return this.#buckets.ask(act, feed.nowMs);
      default:
        return this.#readers.stream(act);
    }
  }

  /**
   * Does some work. If the ingest thread dies in it, first prices that it has not written to the disk are
   * forgotten, except those that readers still see.
   */
  #losing(work: () => void): void {
    work();
    const feed = this.#feed;
    if (feed.isDead) this.#readers.forgetOpenings((name) => feed.isOnDisk(name) || feed.isShown(name));
  }

  #look(): void {
    this.#readers.look(EVENTS[this.#looked++ % EVENTS.length]!);
    this.#readers.look(EVENTS[this.#looked++ % EVENTS.length]!);
  }

  /**
   * A reader reads a fixture while the ingest thread runs: between two steps of the read, or between two
   * columns.
   */
  #read({ event, pausesAfter, batches }: Extract<Act, { do: 'read' }>): void {
    const feed = this.#feed;
    const waiting = [...batches];
    const write = () => {
      for (const wires of waiting.splice(0, Math.ceil(waiting.length / 2))) {
        for (const wire of wires) feed.say(wire, 'arrives');
        feed.batch({ diesAfter: null, pausesAfter: null, others: () => undefined });
      }
    };
    feed.meanwhile(() => {
      inSteps({ diesAfter: null, pausesAfter, others: write }, () =>
        this.#readers.read(event, () => byAnother(write)),
      );
    });
  }
}
