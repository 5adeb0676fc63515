// The acts of a run, as plain values. They are made from a seed, printed when a run fails, and shortened.

import { Random } from '../../src/domain/random.ts';
import {
  closeWire,
  eventWire,
  heartbeatWire,
  quoteWire,
  removeWire,
  stateWire,
  type WireMessage,
  wireTime,
} from '../feed/wire.ts';
import { VIEWS } from '../query/changes-scene.ts';

export const EVENTS = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'] as const;
export const START_MS = Date.UTC(2026, 2, 1, 12);
/** Which of VIEWS are followed by streams, as indexes. */
export const STREAMS = [0, 1, 2, 3];
export const SUBJECTS = 3;

/** What the network does to a message. */
export type Fate = 'arrives' | 'lost' | 'twice' | 'late' | 'garbled';

export type Act =
  /** The feed sends a message. */
  | { readonly do: 'say'; readonly wire: WireMessage; readonly fate: Fate }
  /** The feed sends more messages at once than the queue holds. */
  | { readonly do: 'flood'; readonly wires: readonly WireMessage[] }
  /** The feed sends a complete slate, or stops before it is complete. */
  | { readonly do: 'snapshot'; readonly wires: readonly WireMessage[]; readonly isCut: boolean }
  /**
   * The ingest thread applies the waiting messages. In the middle of this it may die, or a reader may read a
   * fixture.
   */
  | { readonly do: 'batch'; readonly diesAfter: number | null; readonly pausesAfter: number | null }
  /** Time passes, and the ingest thread does its periodic work. It may die in the middle of this. */
  | { readonly do: 'time'; readonly ms: number; readonly diesAfter: number | null }
  /** A client reads a fixture; in the middle of the read the ingest thread applies these batches. */
  | {
      readonly do: 'read';
      readonly event: string;
      readonly pausesAfter: number;
      readonly batches: readonly (readonly WireMessage[])[];
    }
  | { readonly do: 'poll'; readonly view: number }
  | { readonly do: 'beat' | 'heartbeat' | 'flush' | 'restart' }
  | { readonly do: 'stall' | 'resume' | 'reconnect' | 'begin again'; readonly stream: number }
  | { readonly do: 'disk'; readonly isFull: boolean }
  /** A client sends requests to one thread; in the middle of one of them it sends more to another thread. */
  | {
      readonly do: 'ask';
      readonly subject: number;
      readonly times: number;
      readonly pausesAfter: number | null;
      readonly timesMeanwhile: number;
      readonly diesAfter: number | null;
    };

const ACTS_MIN = 40;
const ACTS_MORE = 80;
const FLOOD_MESSAGES = 40;
/**
 * The steps after which a thread dies or pauses are drawn from this many. A batch has some dozens of steps.
 */
const STEPS_OF_BATCH = 90;
const STEPS_OF_REQUEST = 14;
/** The sharp bookmaker is drawn often, because many rules depend on it. */
const BOOKMAKERS = ['crown', 'sbobet', 'pinnacle', 'pinnacle'];
const LINES: readonly WireMessage[] = [
  { market_type: 'asian_handicap', line: -0.75 },
  { market_type: 'asian_handicap', line: 0 },
  { market_type: 'totals', line: 2.5 },
];

/** The acts of a seed. A seed always gives the same acts. */
export function scriptOf(seed: number): Act[] {
  return new ScriptMaker(new Random(seed)).acts();
}

class ScriptMaker {
  readonly #random: Random;
  #nowMs = START_MS;

  constructor(random: Random) {
    this.#random = random;
  }

  acts(): Act[] {
    const count = ACTS_MIN + this.#random.index(ACTS_MORE);
    return [this.#snapshot(false), this.#batch(), ...Array.from({ length: count }, () => this.#act())];
  }

  #act(): Act {
    const random = this.#random;
    const kind = random.index(100);
    if (kind < 34) return { do: 'say', wire: this.#message(), fate: this.#fate() };
    if (kind < 35) return { do: 'flood', wires: this.#many(FLOOD_MESSAGES, () => this.#message()) };
    if (kind < 39) return this.#snapshot(random.index(8) === 0);
    if (kind < 55) return this.#batch();
    if (kind < 58) return this.#time();
    if (kind < 64) return this.#read();
    if (kind < 74) return { do: 'poll', view: random.index(VIEWS.length) };
    if (kind < 79) return { do: 'beat' };
    if (kind < 80) return { do: 'heartbeat' };
    if (kind < 82) return { do: 'flush' };
    if (kind < 83) return { do: 'restart' };
    if (kind < 84) return { do: 'disk', isFull: random.index(2) === 0 };
    if (kind < 89)
      return {
        do: this.#pick(['stall', 'resume', 'reconnect', 'begin again'] as const),
        stream: random.index(STREAMS.length),
      };
    return this.#ask();
  }

  #batch(): Act {
    return {
      do: 'batch',
      diesAfter: this.#maybe(0.12, STEPS_OF_BATCH),
      pausesAfter: this.#maybe(0.5, STEPS_OF_BATCH),
    };
  }

  #time(): Act {
    const ms = this.#pick([1, 250, 1_000, 20_000, 300_000, 1_800_000]);
    this.#nowMs += ms;
    return { do: 'time', ms, diesAfter: this.#maybe(0.1, STEPS_OF_BATCH) };
  }

  #read(): Act {
    const random = this.#random;
    const batches = this.#many(1 + random.index(8), () =>
      this.#many(1 + random.index(3), () => this.#quote()),
    );
    return { do: 'read', event: this.#pick(EVENTS), pausesAfter: 1 + random.index(8), batches };
  }

  #ask(): Act {
    const random = this.#random;
    return {
      do: 'ask',
      subject: random.index(SUBJECTS),
      times: 1 + random.index(12),
      pausesAfter: this.#maybe(0.7, STEPS_OF_REQUEST),
      timesMeanwhile: 1 + random.index(12),
      diesAfter: this.#maybe(0.1, STEPS_OF_REQUEST),
    };
  }

  #snapshot(isCut: boolean): Act {
    const random = this.#random;
    const identities = this.#many(1 + random.index(5), () => this.#identity());
    const rest = this.#many(random.index(12), () => (random.index(6) === 0 ? this.#state() : this.#quote()));
    return { do: 'snapshot', wires: [...identities, ...rest], isCut };
  }

  #message(): WireMessage {
    const kind = this.#random.index(30);
    if (kind < 3) return this.#identity();
    if (kind < 19) return this.#quote();
    if (kind < 23)
      return closeWire(0, this.#event(), { at: this.#at(), ...this.#line(), bookmaker: this.#bookmaker() });
    if (kind < 27) return this.#state();
    if (kind < 29) return removeWire(0, this.#event(), { at: this.#at() });
    return heartbeatWire(0, { at: this.#at() });
  }

  #identity(): WireMessage {
    const event = this.#event();
    const league = this.#random.index(3);
    const day = this.#random.index(4);
    return eventWire(0, event, {
      at: this.#at(),
      league: { key: `l${league}`, name: `League ${league}` },
      home: { key: `${event}-home`, name: `Home ${this.#pick(['A', 'B'])}` },
      scheduled_at: day === 3 ? null : `2026-03-0${1 + (day % 2)}T15:00:00Z`,
    });
  }

  #quote(): WireMessage {
    return quoteWire(0, this.#event(), {
      at: this.#at(),
      ...this.#line(),
      bookmaker: this.#bookmaker(),
      prices: [this.#pick([1.8, 1.95, 2.05, 2.2]), this.#pick([1.9, 1.7])],
      status: this.#pick(['open', 'open', 'suspended']),
    });
  }

  #state(): WireMessage {
    return stateWire(0, this.#event(), {
      at: this.#at(),
      status: this.#pick(['scheduled', 'live', 'live', 'finished']),
      clock: this.#pick([null, '1h 3', '1h 40']),
      score: this.#pick([null, [0, 1], [1, 1]]),
      cards: this.#pick([null, [1, 0]]),
    });
  }

  #event(): string {
    return this.#pick(EVENTS);
  }

  #line(): WireMessage {
    return this.#pick(LINES);
  }

  #bookmaker(): string {
    return this.#pick(BOOKMAKERS);
  }

  /**
   * The stamp of a message: mostly a little late, often out of order, and seldom so far ahead that it is
   * refused.
   */
  #at(): string {
    const lie = this.#random.index(40);
    const aheadMs = lie === 0 ? 3_000 : lie === 1 ? 3_600_000 : -this.#random.index(1_500);
    return wireTime(this.#nowMs + aheadMs);
  }

  #fate(): Fate {
    const fate = this.#random.index(60);
    if (fate === 0) return 'lost';
    if (fate === 1) return 'late';
    if (fate < 4) return 'twice';
    return fate === 4 ? 'garbled' : 'arrives';
  }

  #maybe(share: number, count: number): number | null {
    const isSo = this.#random.unit() < share;
    const step = 1 + this.#random.index(count);
    return isSo ? step : null;
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#random.index(choices.length)]!;
  }

  #many<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }
}

/**
 * Shorter versions of the script: without some acts in a row, or with fewer messages in one act. The shortest
 * come first.
 */
export function* shorter(acts: readonly Act[]): Generator<Act[]> {
  for (
    let length = Math.ceil(acts.length / 2);
    length >= 1;
    length = length === 1 ? 0 : Math.ceil(length / 2)
  ) {
    for (let from = 0; from < acts.length; from += length) {
      yield [...acts.slice(0, from), ...acts.slice(from + length)];
    }
  }
  for (const [index, act] of acts.entries()) {
    if (!('wires' in act)) continue;
    for (let dropped = 0; dropped < act.wires.length; dropped++) {
      const wires = act.wires.filter((_, place) => place !== dropped);
      yield acts.with(index, { ...act, wires });
    }
  }
}
