// A feed over WebSocket that makes up changes of a small slate at a given rate, and records everything it has
// sent, in order. A follower of the feed always has the slate after the first n entries of that record.

import { Random } from '../../../src/domain/random.ts';
import {
  closeWire,
  eventWire,
  helloWire,
  markWire,
  quoteWire,
  removeWire,
  stateWire,
  type WireMessage,
  wireTime,
} from '../../feed/wire.ts';

const FIXTURES = 40;
const LEAGUES = 3;
const BOOKS = ['crown', 'sbobet', 'pinnacle', 'macau'];
const LINES: readonly WireMessage[] = [
  { market_type: '1x2', line: null },
  ...[-0.75, -0.25, 0, 0.5].map((line) => ({ market_type: 'asian_handicap', line })),
  ...[2.25, 2.5, 3].map((line) => ({ market_type: 'totals', line })),
];
const CLOSED_SHARE = 0.02;
/** Messages of one frame. */
const FRAME_MESSAGES = 50;
const SEND_EVERY_MS = 20;

/** The facts of a fixture except its quotes. */
export interface FixtureFacts {
  readonly league: string;
  readonly status: 'scheduled' | 'live';
  readonly clock: string | null;
}

/** A quote. Its stamp distinguishes it from every other quote of the same line. */
export interface QuoteFacts {
  readonly bookmaker: string;
  readonly market: string;
  readonly at: string;
  readonly status: 'open' | 'suspended';
  readonly firstPrice: number;
}

/** One entry of the record. */
export type Entry =
  | { readonly kind: 'fixture'; readonly event: string; readonly facts: FixtureFacts }
  | { readonly kind: 'quote'; readonly event: string; readonly line: string; readonly facts: QuoteFacts }
  | { readonly kind: 'close'; readonly event: string; readonly line: string }
  | { readonly kind: 'remove'; readonly event: string }
  /**
   * The clock was set: until the next slate, quotes may have their old stamps, or stamps that moved with the
   * clock.
   */
  | { readonly kind: 'clock' }
  | { readonly kind: 'slate'; readonly slate: FeedSlate };

interface Held {
  facts: FixtureFacts;
  readonly quotes: Map<string, QuoteFacts>;
}

/** A complete slate. */
class FeedSlate {
  readonly fixtures = new Map<string, Held>();

  copy(): FeedSlate {
    const copy = new FeedSlate();
    for (const [event, { facts, quotes }] of this.fixtures) {
      copy.fixtures.set(event, { facts, quotes: new Map(quotes) });
    }
    return copy;
  }
}

export class FeedStandIn {
  readonly record: Entry[] = [];
  /** How many connections were made. */
  connections = 0;
  readonly #slate = new FeedSlate();
  readonly #random: Random;
  readonly #server: Bun.Server<undefined>;
  /** The followers, each with the number of the last message that it was sent. */
  readonly #followers = new Map<Bun.ServerWebSocket<undefined>, number>();
  #waiting: WireMessage[] = [];
  #made = 0;
  #epoch = 0;
  /** Whether new followers are refused. */
  #isCut = false;
  readonly #fixturesStay: boolean;
  /** How far the feed's clock is ahead of this process's. */
  #clockOffsetMs = 0;
  /**
   * Whether the feed sends nothing, because its clock was set and no follower has requested a slate since.
   */
  #isMute = false;

  /**
   * @param options `fixturesStay`: no fixture ever leaves, so that every fixture can be requested as long as
   * the feed runs
   */
  constructor(seed: number, options: { readonly fixturesStay?: boolean } = {}) {
    this.#random = new Random(seed);
    this.#fixturesStay = options.fixturesStay === true;
    for (let index = 0; index < FIXTURES; index++) this.#addFixture();
    this.#server = Bun.serve<undefined>({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request, server) => {
        if (this.#isCut) return new Response('cut', { status: 503 });
        server.upgrade(request, { data: undefined });
        return undefined as unknown as Response;
      },
      websocket: {
        open: (socket) => {
          this.connections++;
          this.#greet(socket);
        },
        message: (socket) => this.#greet(socket),
        close: (socket) => {
          this.#followers.delete(socket);
        },
      },
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#server.port}/`;
  }

  /** Sends `count` made-up changes. */
  send(count: number): void {
    if (this.#isMute) return;
    for (let made = 0; made < count; made++) this.#makeChange();
    this.#flush();
  }

  /** Sends this many changes a second until the returned function is called. */
  sendAtRate(perSecond: number): () => void {
    const startMs = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - startMs) / 1_000) * perSecond) - sent;
      this.send(due);
      sent += due;
    }, SEND_EVERY_MS);
    return () => clearInterval(timer);
  }

  /** Removes some fixtures, adds others, and sends everything again in a snapshot. */
  replaceSlate(): void {
    this.#flush();
    for (const event of [...this.#slate.fixtures.keys()]) {
      if (!this.#fixturesStay && this.#random.unit() < 0.25) this.#slate.fixtures.delete(event);
    }
    while (this.#slate.fixtures.size < FIXTURES) this.#addFixture();
    this.#sendNewSlate();
  }

  /** Loses the next messages, so that every follower finds a gap in the numbers and requests a snapshot. */
  lose(): void {
    this.#flush();
    for (const [follower, seq] of this.#followers) this.#followers.set(follower, seq + 3);
  }

  /** Cuts all connections, and accepts no follower for this long. */
  async cut(ms: number): Promise<void> {
    this.#isCut = true;
    for (const follower of this.#followers.keys()) follower.close();
    await Bun.sleep(ms);
    this.#isCut = false;
  }

  /**
   * Sets its clock and stamps its whole slate again. After a step back, its new stamps would be earlier than
   * those of the followers' quotes. So it sends nothing until a follower requests the slate.
   */
  setClock(offsetMs: number): void {
    this.#flush();
    this.#isMute = offsetMs < this.#clockOffsetMs;
    this.#clockOffsetMs = offsetMs;
    this.record.push({ kind: 'clock' });
    for (const { quotes } of this.#slate.fixtures.values()) {
      for (const [line, quote] of quotes) quotes.set(line, { ...quote, at: this.#now() });
    }
    if (!this.#isMute) this.#sendNewSlate();
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  #now(): string {
    return wireTime(Date.now() + this.#clockOffsetMs);
  }

  /**
   * Sends the slate to a new follower, or to one that requests a snapshot. A single follower gets a new
   * slate; if there are several, they get the present one.
   */
  #greet(socket: Bun.ServerWebSocket<undefined>): void {
    this.#flush();
    this.#isMute = false;
    const others = [...this.#followers].filter(([follower]) => follower !== socket);
    this.#followers.clear();
    this.#followers.set(socket, 0);
    if (others.length === 0) this.replaceSlate();
    else this.#queueSlate();
    for (const [follower, seq] of others) this.#followers.set(follower, seq);
  }

  #sendNewSlate(): void {
    this.record.push({ kind: 'slate', slate: this.#slate.copy() });
    this.#queueSlate();
  }

  /** Sends the whole slate. */
  #queueSlate(): void {
    this.#epoch += 1;
    const hello = JSON.stringify(helloWire({ epoch: `e${this.#epoch}`, at: this.#now() }));
    for (const follower of this.#followers.keys()) {
      this.#followers.set(follower, 0);
      follower.send(hello);
    }
    this.#queue(markWire('snapshot_begin', 0));
    for (const [event, { facts, quotes }] of this.#slate.fixtures) {
      this.#queueFixture(event, facts);
      for (const [line, quote] of quotes) this.#queueQuote(event, line, quote);
    }
    this.#queue(markWire('snapshot_end', 0));
    this.#flush();
  }

  #makeChange(): void {
    const events = [...this.#slate.fixtures.keys()];
    const event = events[Math.floor(this.#random.unit() * events.length)]!;
    const held = this.#slate.fixtures.get(event)!;
    const what = this.#random.unit();
    if (what < 0.0005 && !this.#fixturesStay) {
      this.#slate.fixtures.delete(event);
      this.record.push({ kind: 'remove', event });
      this.#queue(removeWire(0, event, { at: this.#now() }));
      this.#addFixture();
      const [added, { facts }] = [...this.#slate.fixtures].at(-1)!;
      this.record.push({ kind: 'fixture', event: added, facts });
      this.#queueFixture(added, facts);
    } else if (what < 0.01) {
      this.#made += 1;
      held.facts = { ...held.facts, status: 'live', clock: `1h ${this.#made % 45}` };
      this.record.push({ kind: 'fixture', event, facts: held.facts });
      const { clock } = held.facts;
      this.#queue(stateWire(0, event, { at: this.#now(), clock, score: null, cards: null }));
    } else this.#changeQuote(event, held, what < 0.01 + CLOSED_SHARE);
  }

  #changeQuote(event: string, { quotes }: Held, closes: boolean): void {
    const bookmaker = BOOKS[Math.floor(this.#random.unit() * BOOKS.length)]!;
    const { market_type, line } = LINES[Math.floor(this.#random.unit() * LINES.length)]!;
    const name = `${bookmaker} ${market_type} ${line}`;
    const at = this.#now();
    if (closes) {
      quotes.delete(name);
      this.record.push({ kind: 'close', event, line: name });
      this.#queue(closeWire(0, event, { at, ...wordsOf(name) }));
      return;
    }
    if (quotes.get(name)?.at === at) return; // a stamp identifies one quote of its line
    const facts: QuoteFacts = {
      bookmaker,
      market: String(market_type),
      at,
      status: this.#random.unit() < 0.9 ? 'open' : 'suspended',
      firstPrice: Math.round(150 + this.#random.unit() * 100) / 100,
    };
    quotes.set(name, facts);
    this.record.push({ kind: 'quote', event, line: name, facts });
    this.#queueQuote(event, name, facts);
  }

  #addFixture(): void {
    this.#made += 1;
    const facts: FixtureFacts = {
      league: `League ${this.#made % LEAGUES}`,
      status: 'scheduled',
      clock: null,
    };
    this.#slate.fixtures.set(`e${this.#made}`, { facts, quotes: new Map() });
  }

  #queueFixture(event: string, { league, status, clock }: FixtureFacts): void {
    const at = this.#now();
    const scheduled = wireTime(Date.now() + this.#clockOffsetMs + 86_400_000);
    this.#queue(eventWire(0, event, { at, league: { key: league, name: league }, scheduled_at: scheduled }));
    if (status === 'live') this.#queue(stateWire(0, event, { at, clock, score: null, cards: null }));
  }

  #queueQuote(event: string, line: string, { at, status, firstPrice }: QuoteFacts): void {
    const words = wordsOf(line);
    const prices = words.market_type === '1x2' ? [firstPrice, 3.1, 4.2] : [firstPrice, 1.9];
    this.#queue(quoteWire(0, event, { at, status, prices, ...words }));
  }

  #queue(message: WireMessage): void {
    this.#waiting.push(message);
    if (this.#waiting.length >= FRAME_MESSAGES) this.#flush();
  }

  #flush(): void {
    const messages = this.#waiting;
    this.#waiting = [];
    if (messages.length === 0) return;
    for (const [follower, seq] of this.#followers) {
      follower.send(
        messages.map((message, at) => JSON.stringify({ ...message, seq: seq + at + 1 })).join('\n'),
      );
      this.#followers.set(follower, seq + messages.length);
    }
  }
}

function wordsOf(line: string): WireMessage {
  const [bookmaker, market_type, number] = line.split(' ');
  return { bookmaker, market_type, line: number === 'null' ? null : Number(number) };
}
