// Kalshi's WebSocket: order books of contracts as they change. Its handshake must be signed with a key even
// for public data, so it is used only if the operator has set one. Frames of a subscription are numbered.
// After a gap it reconnects and gets every book as a whole.

import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { TopOfBook } from '../contracts/contract.ts';
import { LiveSocket, type SocketTools } from '../contracts/live-socket.ts';
import { numberOf } from '../poll/prices.ts';
import { frameOf, isBookDelta, isBookSnapshot, isSubscribed } from './messages.ts';
import { bookOf } from './order-book.ts';

export interface KalshiSocketOptions extends SocketTools {
  readonly url: string;
  readonly keyId: string;
  /** The private key, in PEM form. */
  readonly privateKey: string;
}

interface Handlers {
  /** Called with the best prices of a contract after a change of its book. */
  readonly book: (ticker: string, book: TopOfBook) => void;
  /** Called when frames were lost. */
  readonly lost: () => void;
}

type Side = Map<string, number>;

/**
 * A small request that is always answered. It is needed because the server's own pings do not reach this
 * code.
 */
const PING = { text: JSON.stringify({ id: 1_000_000, cmd: 'list_subscriptions' }), everyMs: 10_000 };
const SILENCE_MAX_MS = 25_000;

export class KalshiSocket {
  readonly #handlers: Handlers;
  readonly #socket: LiveSocket;
  readonly #books = new Map<string, { readonly yes: Side; readonly no: Side }>();
  #wanted: ReadonlySet<string> = new Set();
  /** The contracts that the subscription has or has requested. */
  #followed: ReadonlySet<string> = new Set();
  /** The subscription's number, null before it is confirmed. */
  #sid: number | null = null;
  /** The number of the subscription's last frame, null before the first. */
  #seq: number | null = null;
  #requestId = 0;

  constructor(options: KalshiSocketOptions, handlers: Handlers) {
    const { url, keyId, privateKey, clock } = options;
    this.#handlers = handlers;
    const key = createPrivateKey(privateKey);
    this.#socket = new LiveSocket({
      ...options,
      url,
      name: 'kalshi',
      headers: () => signedHeaders(keyId, key, { path: new URL(url).pathname, atMs: clock.wallMs() }),
      ping: PING,
      silenceMaxMs: SILENCE_MAX_MS,
      opened: () => this.#subscribe(),
      text: (text) => this.#text(text),
      closed: () => this.#forget(),
    });
  }

  /** Follows these contracts and no others. */
  follow(tickers: readonly string[]): void {
    this.#wanted = new Set(tickers);
    if (this.#sid === null) {
      if (this.#followed.size === 0) this.#subscribe();
      return;
    }
    this.#update(
      'add_markets',
      [...this.#wanted].filter((ticker) => !this.#followed.has(ticker)),
    );
    this.#update(
      'delete_markets',
      [...this.#followed].filter((ticker) => !this.#wanted.has(ticker)),
    );
    for (const ticker of this.#books.keys()) if (!this.#wanted.has(ticker)) this.#books.delete(ticker);
    this.#followed = this.#wanted;
  }

  close(): void {
    this.#socket.close();
  }

  #subscribe(): void {
    if (!this.#socket.isOpen || this.#wanted.size === 0) return;
    this.#followed = this.#wanted;
    const params = { channels: ['orderbook_delta'], market_tickers: [...this.#wanted] };
    this.#socket.send({ id: ++this.#requestId, cmd: 'subscribe', params });
  }

  #update(action: 'add_markets' | 'delete_markets', tickers: readonly string[]): void {
    if (tickers.length === 0) return;
    const params = { sids: [this.#sid], market_tickers: tickers, action };
    this.#socket.send({ id: ++this.#requestId, cmd: 'update_subscription', params });
  }

  #forget(): void {
    this.#books.clear();
    this.#followed = new Set();
    this.#sid = null;
    this.#seq = null;
  }

  #text(text: string): void {
    const frame = frameOf(text);
    if (frame === null) {
      this.#lost('a frame is not JSON');
      return;
    }
    if (isSubscribed(frame)) {
      this.#sid = frame.msg.sid;
      this.follow([...this.#wanted]); // the wanted contracts may have changed meanwhile
      return;
    }
    if (frame.sid === undefined || frame.sid !== this.#sid || frame.seq === undefined) return;
    if (this.#seq !== null && frame.seq !== this.#seq + 1) {
      this.#lost(`frame ${frame.seq} came after ${this.#seq}`);
      return;
    }
    this.#seq = frame.seq;
    if (isBookSnapshot(frame)) {
      const { market_ticker, yes_dollars_fp, no_dollars_fp } = frame.msg;
      this.#books.set(market_ticker, { yes: sideOf(yes_dollars_fp ?? []), no: sideOf(no_dollars_fp ?? []) });
      this.#publish(market_ticker);
    } else if (isBookDelta(frame)) {
      const { market_ticker, price_dollars, delta_fp, side } = frame.msg;
      const levels = this.#books.get(market_ticker)?.[side];
      if (levels === undefined) return; // the contract is no longer followed
      // This is the change of the size, not the new size.
      const size = Math.round(((levels.get(price_dollars) ?? 0) + numberOf(delta_fp)) * 100) / 100;
      if (size > 0) levels.set(price_dollars, size);
      else levels.delete(price_dollars);
      this.#publish(market_ticker);
    }
  }

  #publish(ticker: string): void {
    const { yes, no } = this.#books.get(ticker)!;
    this.#handlers.book(ticker, bookOf({ yes_dollars: levelsOf(yes), no_dollars: levelsOf(no) }));
  }

  #lost(why: string): void {
    this.#handlers.lost();
    this.#socket.restart(why);
  }
}

function sideOf(levels: readonly (readonly [string, string])[]): Side {
  return new Map(levels.map(([price, size]) => [price, numberOf(size)]));
}

function levelsOf(side: Side): [string, string][] {
  return [...side].map(([price, size]) => [price, size.toFixed(2)]);
}

/**
 * Headers of a signed request: RSA-PSS with SHA-256 over time, method and path
 * (docs.kalshi.com/getting_started/quick_start_websockets).
 */
function signedHeaders(
  keyId: string,
  key: KeyObject,
  { path, atMs }: { readonly path: string; readonly atMs: number },
): Record<string, string> {
  const at = String(Math.trunc(atMs));
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const signature = sign('sha256', Buffer.from(`${at}GET${path}`), { key, ...padding });
  return {
    'KALSHI-ACCESS-KEY': keyId,
    'KALSHI-ACCESS-TIMESTAMP': at,
    'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
  };
}
