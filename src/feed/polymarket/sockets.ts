// Polymarket's two channels. The market channel follows the books of tokens over as many connections as that
// takes, 500 tokens each; a token belongs to one connection until it is not wanted any more. The score
// channel sends the state of games.

import { jsonOrUndefined } from '../../parse-json.ts';
import { LiveSocket, type SocketTools } from '../contracts/live-socket.ts';
import type { TokenBooks } from './books.ts';
import { isBook, isPriceChange, isResolved, isScoreFrame, type ScoreFrame } from './messages.ts';

export interface MarketSocketOptions extends SocketTools {
  readonly url: string;
  readonly books: TokenBooks;
  /** Called with tokens whose best prices may have changed. */
  readonly changed: (tokens: readonly string[]) => void;
  /** Called with the tokens of lost books. Whole books are then requested for them. */
  readonly lost: (tokens: readonly string[]) => void;
  /** Called for each frame that cannot be read. */
  readonly unreadable: () => void;
}

/** The channel's own limit. */
const TOKENS_PER_CONNECTION = 500;
const PING_MS = 10_000;
/** After this long, two pings had no answer, so the connection is dead. */
const SILENCE_MAX_MS = 25_000;
/**
 * After this many unreadable frames in a row, the channel has probably changed its fields. Then the
 * connection is opened again and confirms nothing meanwhile.
 */
const UNREAD_MAX = 3;

interface Connection {
  readonly tokens: Set<string>;
  readonly socket: LiveSocket;
  /** Whether a readable frame has come since the connection was opened. */
  isHeard: boolean;
  /** How many frames in a row about order books could not be read. */
  unreadCount: number;
}

export class MarketSocket {
  readonly #options: MarketSocketOptions;
  readonly #connections: Connection[] = [];

  constructor(options: MarketSocketOptions) {
    this.#options = options;
  }

  /** Follows these tokens and no others. */
  follow(tokens: readonly string[]): void {
    const wanted = new Set(tokens);
    for (const { tokens: held, socket } of this.#connections) {
      const gone = [...held].filter((token) => !wanted.has(token));
      for (const token of gone) held.delete(token);
      if (gone.length > 0) socket.send({ operation: 'unsubscribe', assets_ids: gone });
      for (const token of held) wanted.delete(token);
    }
    const fresh = [...wanted];
    for (const connection of this.#connections) {
      const added = fresh.splice(0, TOKENS_PER_CONNECTION - connection.tokens.size);
      for (const token of added) connection.tokens.add(token);
      if (added.length > 0) connection.socket.send({ operation: 'subscribe', assets_ids: added });
    }
    while (fresh.length > 0) this.#connect(new Set(fresh.splice(0, TOKENS_PER_CONNECTION)));
    for (const connection of [...this.#connections]) {
      if (connection.tokens.size > 0) continue;
      connection.socket.close();
      this.#connections.splice(this.#connections.indexOf(connection), 1);
    }
  }

  /**
   * How long ago the quietest connection was heard, ms; null while one is down. 0 without connections,
   * because then there is nothing to miss.
   */
  get heardAgoMs(): number | null {
    const nowMs = this.#options.clock.monotonicMs();
    const isUp = this.#connections.every(({ socket, isHeard }) => socket.isOpen && isHeard);
    return isUp ? Math.max(0, ...this.#connections.map(({ socket }) => nowMs - socket.heardAtMs)) : null;
  }

  close(): void {
    for (const { socket } of this.#connections.splice(0)) socket.close();
  }

  #connect(tokens: Set<string>): void {
    const { books } = this.#options;
    const forget = (): void => {
      connection.isHeard = false;
      connection.unreadCount = 0;
      // The changes of an outage are not sent later, so the books are stale until the next subscription sends
      // each of them as a whole.
      books.setStale(tokens);
    };
    const socket: LiveSocket = new LiveSocket({
      ...this.#options,
      name: 'polymarket',
      ping: { text: 'PING', everyMs: PING_MS },
      silenceMaxMs: SILENCE_MAX_MS,
      opened: () => {
        forget();
        socket.send({ type: 'market', assets_ids: [...tokens], custom_feature_enabled: true });
      },
      text: (text) => this.#text(text, connection),
      closed: forget,
    });
    const connection: Connection = { tokens, socket, isHeard: false, unreadCount: 0 };
    this.#connections.push(connection);
  }

  #text(text: string, connection: Connection): void {
    if (text === 'PONG' || text === '') return;
    const value = jsonOrUndefined(text);
    if (value === undefined) {
      this.#options.unreadable();
      return;
    }
    connection.isHeard = true;
    // The first answer may be one array of books.
    for (const frame of Array.isArray(value) ? (value as unknown[]) : [value]) this.#frame(frame, connection);
  }

  #frame(frame: unknown, connection: Connection): void {
    const { tokens, socket } = connection;
    const { books, changed, lost: onLost } = this.#options;
    const type = (frame as { event_type?: unknown } | null)?.event_type;
    if (type === 'book') {
      if (!isBook(frame)) {
        this.#unread(connection);
        return;
      }
      connection.unreadCount = 0;
      if (tokens.has(frame.asset_id) && books.put(frame)) changed([frame.asset_id]);
    } else if (type === 'price_change') {
      if (!isPriceChange(frame)) {
        this.#unread(connection);
        return;
      }
      connection.unreadCount = 0;
      const { changed: moved, lost } = books.change(frame);
      if (lost.length > 0) {
        onLost(lost);
        socket.send({ operation: 'unsubscribe', assets_ids: lost });
        socket.send({ operation: 'subscribe', assets_ids: lost });
      }
      if (moved.length > 0) changed(moved);
    } else if (type === 'market_resolved' && isResolved(frame)) {
      const over = frame.assets_ids.filter((token) => tokens.has(token));
      for (const token of over) books.drop(token);
      changed(over);
    }
    // Other frames (a change of the tick size, the last trade, the best prices, new markets) say nothing
    // about a book.
  }

  /**
   * Counts an unreadable frame about an order book, and reconnects after several in a row, because the books
   * may have changed unnoticed, and after a reconnect each of them is sent as a whole.
   */
  #unread(connection: Connection): void {
    this.#options.unreadable();
    connection.unreadCount++;
    if (connection.unreadCount < UNREAD_MAX) return;
    connection.socket.restart('frames about order books cannot be read: their fields have changed');
  }
}

interface ScoreSocketOptions extends SocketTools {
  readonly url: string;
  readonly score: (frame: ScoreFrame) => void;
}

/**
 * How long the channel may be silent. About forty frames a minute were seen, and times without any game are
 * short.
 */
const SCORES_SILENCE_MAX_MS = 120_000;

/**
 * The score channel: sends the state of every game of the site to each connection, without a subscription.
 */
export function openScoreSocket(options: ScoreSocketOptions): LiveSocket {
  const socket: LiveSocket = new LiveSocket({
    ...options,
    name: 'polymarket-scores',
    ping: null,
    silenceMaxMs: SCORES_SILENCE_MAX_MS,
    opened: () => {},
    text: (text) => {
      // The documentation says that the server sends pings, but none was seen in five minutes.
      if (text === 'ping') socket.send('pong');
      const frame = jsonOrUndefined(text);
      if (isScoreFrame(frame)) options.score(frame); // sports without games of this kind send other shapes
    },
    closed: () => {},
  });
  return socket;
}
