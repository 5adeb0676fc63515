// Polymarket as its samples and documentation describe it, on loopback: Gamma's sports and events, the CLOB's
// books, the market channel and the score channel. It answers from the test's `events`; `fault` may answer
// instead.

/** One market of a stand-in event, before it is written as Gamma writes markets. */
interface MarketSpec {
  /** The end of the market's slug. */
  readonly slug: string;
  readonly type?: string;
  readonly outcomes: readonly [string, string];
  readonly title?: string;
  readonly line?: number;
  /** Best prices of the first outcome. A bid of 0 or an ask of 1 means that this side is empty. */
  bid: number;
  ask: number;
  bidSize?: number;
  askSize?: number;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface GameSpec {
  readonly slug: string;
  readonly series: string;
  readonly title: string;
  readonly kickoffMs: number;
  readonly gameId?: number;
  readonly parentEventId?: number;
  readonly markets: MarketSpec[];
  readonly extra?: Readonly<Record<string, unknown>>;
}

interface Reader {
  readonly tokens: Set<string>;
}
type Socket = Bun.ServerWebSocket<Reader>;

export class PolymarketStandIn implements Disposable {
  events: GameSpec[] = [];
  sports = [
    { id: 2, sport: 'epl', ordering: 'home', tags: '1,82,306,100639,100350', series: '10188' },
    { id: 34, sport: 'nba', ordering: 'away', tags: '1,745,100639', series: '10345' },
    { id: 9, sport: 'cricpsl', ordering: 'home', tags: '1,100639,517', series: '11214' },
  ];
  pageEvents = 50;
  fault: (path: string, query: URLSearchParams) => Response | Promise<Response> | null = () => null;
  garble: (body: unknown) => unknown = (body) => body;
  /** Whether the market channel accepts connections. */
  isChannelUp = true;
  readonly asked: { readonly path: string; readonly query: Readonly<Record<string, string>> }[] = [];
  answersPings = true;
  pingCount = 0;
  /** Tokens without a book at the CLOB. */
  readonly bookless = new Set<string>();
  /** Frames that clients sent on the market channel. */
  readonly said: unknown[] = [];
  readonly #readers = new Set<Socket>();
  readonly #scoreReaders = new Set<Socket>();
  readonly #server: Bun.Server<Reader>;
  /** The timestamp of the last change; each further change raises it. */
  #tick = 0;
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#server = Bun.serve<Reader>({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request, server) => this.#answer(request, server),
      websocket: {
        open: (socket) => void this.#readersOf(socket).add(socket),
        message: (socket, text) => this.#heard(socket, String(text)),
        close: (socket) => {
          this.#readers.delete(socket);
          this.#scoreReaders.delete(socket);
        },
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }
  get socketUrl(): string {
    return `ws://127.0.0.1:${this.#server.port}/ws/market`;
  }
  get scoreUrl(): string {
    return `ws://127.0.0.1:${this.#server.port}/ws`;
  }
  get readerCount(): number {
    return this.#readers.size;
  }

  get scoreReaderCount(): number {
    return this.#scoreReaders.size;
  }

  market(slug: string): MarketSpec {
    const found = this.events.flatMap(({ markets }) => markets).find((market) => market.slug === slug);
    if (found === undefined) throw new Error(`The stand-in has no market ${slug}`);
    return found;
  }

  /** Moves the best prices of a market, and sends readers the changed levels of both tokens. */
  move(slug: string, next: Partial<Pick<MarketSpec, 'bid' | 'ask' | 'bidSize' | 'askSize'>>): void {
    const market = this.market(slug);
    const before = { ...market };
    Object.assign(market, next);
    const { bid, ask, bidSize = 500, askSize = 500 } = market;
    const levels = [
      ...(before.bid === bid || before.bid === 0 ? [] : [{ price: before.bid, size: 0, side: 'BUY' }]),
      ...(before.ask === ask || before.ask === 1 ? [] : [{ price: before.ask, size: 0, side: 'SELL' }]),
      ...(bid === 0 ? [] : [{ price: bid, size: bidSize, side: 'BUY' }]),
      ...(ask === 1 ? [] : [{ price: ask, size: askSize, side: 'SELL' }]),
    ];
    const change = (token: string, isOther: boolean) => (level: (typeof levels)[number]) => ({
      asset_id: token,
      price: text(isOther ? 1 - level.price : level.price),
      size: String(level.size),
      side: isOther === (level.side === 'BUY') ? 'SELL' : 'BUY',
      hash: 'x',
      best_bid: text(isOther ? 1 - ask : bid),
      best_ask: text(isOther ? 1 - bid : ask),
    });
    const price_changes = [
      ...levels.map(change(otherTokenOf(market), true)),
      ...levels.map(change(tokenOf(market), false)),
    ];
    this.send({ market: `0x${slug}`, price_changes, timestamp: this.#stamp(), event_type: 'price_change' });
  }

  /** Sends a frame to every reader of the market channel. */
  send(frame: unknown): void {
    for (const socket of this.#readers)
      socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Sends a frame to every reader of the score channel. */
  score(frame: Readonly<Record<string, unknown>>): void {
    for (const socket of this.#scoreReaders) socket.send(JSON.stringify(frame));
  }

  /** Cuts every connection of the market channel. */
  cut(): void {
    for (const socket of this.#readers) socket.terminate();
  }

  [Symbol.dispose](): void {
    this.#server.stop(true);
  }

  /** The readers of the channel that the socket has opened. */
  #readersOf(socket: Socket): Set<Socket> {
    return socket.data.tokens.has('scores') ? this.#scoreReaders : this.#readers;
  }

  async #answer(request: Request, server: Bun.Server<Reader>): Promise<Response | undefined> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith('/ws')) return this.#upgrade(request, server, pathname);
    this.asked.push({ path: pathname, query: Object.fromEntries(searchParams) });
    const fault = await this.fault(pathname, searchParams);
    if (fault !== null) return fault;
    if (pathname === '/sports') return Response.json(this.garble(this.sports));
    if (pathname === '/events/keyset') return Response.json(this.garble(this.#events(searchParams)));
    if (pathname === '/books') {
      const wanted = (await request.json()) as { token_id: string }[];
      return Response.json(this.garble(wanted.flatMap(({ token_id }) => this.#bookOf(token_id) ?? [])));
    }
    return Response.json({ error: 'not found' }, { status: 404 });
  }

  #upgrade(request: Request, server: Bun.Server<Reader>, path: string): Response | undefined {
    const isScores = path === '/ws';
    if (!isScores && !this.isChannelUp) return new Response(null, { status: 503 });
    const data = { tokens: new Set(isScores ? ['scores'] : []) };
    return server.upgrade(request, { data }) ? undefined : new Response(null, { status: 400 });
  }

  #heard(socket: Socket, said: string): void {
    if (said === 'PING') {
      this.pingCount++;
      if (this.answersPings) socket.send('PONG');
      return;
    }
    const frame = JSON.parse(said) as { assets_ids: string[]; operation?: string };
    this.said.push(frame);
    const { assets_ids: tokens, operation } = frame;
    for (const token of tokens) {
      if (operation === 'unsubscribe') socket.data.tokens.delete(token);
      else socket.data.tokens.add(token);
    }
    if (operation === 'unsubscribe') return;
    const books = tokens.flatMap((token) => this.#bookOf(token) ?? []);
    const frames = books.map((book) => ({ ...book, event_type: 'book' }));
    if (operation === undefined) socket.send(JSON.stringify(frames));
    else for (const book of frames) socket.send(JSON.stringify(book));
  }

  #events(query: URLSearchParams): object {
    const wanted = this.events.filter(({ series }) => series === query.get('series_id'));
    const from = Number(query.get('after_cursor') ?? 0);
    const to = from + Math.min(this.pageEvents, Number(query.get('limit') ?? 100));
    const events = wanted.slice(from, to).map((event) => eventOf(event));
    return to < wanted.length ? { events, next_cursor: String(to) } : { events };
  }

  #bookOf(token: string): object | null {
    const market = this.events.flatMap(({ markets }) => markets).find((one) => tokenOf(one) === token);
    if (market === undefined || this.bookless.has(token)) return null;
    const { slug, bid, ask, bidSize = 500, askSize = 500 } = market;
    const far = (price: number) => ({ price: text(price), size: '30000' });
    return {
      market: `0x${slug}`,
      asset_id: token,
      timestamp: this.#stamp(),
      hash: 'x',
      // The best level comes last, as in the recorded samples.
      bids: bid === 0 ? [] : [far(0.01), { price: text(bid), size: String(bidSize) }],
      asks: ask === 1 ? [] : [far(0.99), { price: text(ask), size: String(askSize) }],
      tick_size: '0.01',
      last_trade_price: '0.5',
    };
  }

  #stamp(): string {
    this.#tick++;
    return String(this.#nowMs() + this.#tick);
  }
}

export function tokenOf({ slug }: MarketSpec): string {
  return `${slug}-token-0`;
}
function otherTokenOf({ slug }: MarketSpec): string {
  return `${slug}-token-1`;
}

function text(price: number): string {
  return String(Math.round(price * 1_000) / 1_000);
}

function eventOf({ slug, title, kickoffMs, gameId, parentEventId, markets, extra }: GameSpec): object {
  const at = new Date(kickoffMs).toISOString().replace('.000Z', 'Z');
  return {
    id: idOf(slug),
    slug,
    title,
    active: true,
    closed: false,
    startTime: at,
    startDate: '2026-01-01T00:00:00Z',
    live: false,
    ended: false,
    ...(gameId === undefined ? {} : { gameId }),
    ...(parentEventId === undefined ? {} : { parentEventId }),
    markets: markets.map((market) => marketOf(market, at)),
    ...extra,
  };
}

/** A number as text, made from the slug. */
export function idOf(slug: string): string {
  return String(Bun.hash.crc32(slug));
}

function marketOf(market: MarketSpec, at: string): object {
  const { slug, type = 'moneyline', outcomes, title, line, bid, ask, extra } = market;
  return {
    id: idOf(slug),
    slug,
    question: slug,
    outcomes: JSON.stringify(outcomes),
    outcomePrices: JSON.stringify(['0.5', '0.5']),
    clobTokenIds: JSON.stringify([tokenOf(market), otherTokenOf(market)]),
    active: true,
    closed: false,
    acceptingOrders: true,
    sportsMarketType: type,
    gameStartTime: at.replace('T', ' ').replace('Z', '+00'),
    volume: '1234.5',
    volumeNum: 1234.5,
    feesEnabled: true,
    feeSchedule: { exponent: 1, rate: 0.05, takerOnly: true, rebateRate: 0.15 },
    ...(title === undefined ? {} : { groupItemTitle: title }),
    ...(line === undefined ? {} : { line }),
    ...(bid === 0 ? {} : { bestBid: bid }),
    bestAsk: ask,
    ...extra,
  };
}

/** A football match: its winner markets in any order, and an event of its own for the lines. */
export function footballGame(
  spec: {
    readonly slug: string;
    kickoffMs: number;
    home: string;
    away: string;
    gameId?: number;
    series?: string;
  },
  asks: readonly [home: number, draw: number, away: number],
): [GameSpec, GameSpec] {
  const { slug, home, away, kickoffMs, gameId = 90_086_980, series = '10188' } = spec;
  const winner = (end: string, title: string, ask: number): MarketSpec => ({
    slug: `${slug}-${end}`,
    outcomes: ['Yes', 'No'],
    title,
    ask,
    bid: Math.round((ask - 0.01) * 100) / 100,
  });
  const [homeAsk, drawAsk, awayAsk] = asks;
  const title = `${home} vs. ${away}`;
  const line = (
    end: string,
    type: string,
    outcomes: readonly [string, string],
    value: number,
  ): MarketSpec => ({
    slug: `${slug}-${end}`,
    type,
    outcomes,
    line: value,
    bid: 0.45,
    ask: 0.46,
  });
  return [
    {
      slug,
      series,
      title,
      kickoffMs,
      gameId,
      markets: [
        winner('draw', `Draw (${title})`, drawAsk),
        winner('away', away, awayAsk),
        winner('home', home, homeAsk),
      ],
    },
    {
      slug: `${slug}-more-markets`,
      series,
      title: `${title} - More Markets`,
      kickoffMs,
      parentEventId: Number(idOf(slug)),
      markets: [
        line('spread-home-1pt5', 'spreads', [home, away], -1.5),
        line('spread-away-1pt5', 'spreads', [away, home], -1.5),
        line('total-2pt5', 'totals', ['Over', 'Under'], 2.5),
        line('team-total-home-1pt5', 'soccer_team_totals', ['Over', 'Under'], 1.5),
        line('first-half-total-0pt5', 'first_half_totals', ['Over', 'Under'], 0.5),
        { ...line('team-to-advance', 'soccer_team_to_advance', [home, away], 0.5) },
      ],
    },
  ];
}
