// Kalshi's trade API v2 as its samples and documentation describe it, on loopback: paging by cursor, limits
// without Retry-After, both envelopes, errors. It answers from the test's `events`; `fault` may answer
// instead.

import { StandInServer } from '../stand-in-server.ts';

/** One contract of a stand-in event, before it is written as Kalshi writes markets. */
interface ContractSpec {
  /** The end of the contract's ticker: a team's code, TIE, or a number. */
  readonly suffix: string;
  readonly yes: string;
  /** Prices are in dollars. A bid of 0 or an ask of 1 means that this side is empty. */
  bid: number;
  ask: number;
  bidSize?: number;
  askSize?: number;
  status?: string;
  /** The line of a spread or total. */
  readonly strike?: number;
  readonly team?: string;
  volume?: number;
}

interface EventSpec {
  readonly series: string;
  /** The part of a ticker after the series: the Eastern date and the team codes. */
  readonly match: string;
  readonly title: string;
  readonly kickoffMs: number;
  readonly contracts: ContractSpec[];
}

interface Asked {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly atMs: number;
}

const EXPECTED_AFTER_MS = 3 * 3_600_000;
const PREFIX = '/trade-api/v2';

export class KalshiStandIn extends StandInServer {
  events: EventSpec[] = [];
  /** How many events a page has. Tests lower this number to get several pages. */
  pageEvents = 200;
  /** May answer in place of the stand-in; returns null otherwise. */
  fault: (path: string, query: URLSearchParams) => Response | Promise<Response> | null = () => null;
  /** Changes an answer before it is sent. */
  garble: (body: object) => unknown = (body) => body;
  /** Multipliers of the fee by series; 1 where none is given. */
  multipliers: Record<string, number> = {};
  readonly asked: Asked[] = [];

  override get url(): string {
    return `${super.url}${PREFIX}`;
  }

  contract(ticker: string): ContractSpec {
    for (const event of this.events) {
      const found = event.contracts.find((contract) => tickerOf(event, contract) === ticker);
      if (found !== undefined) return found;
    }
    throw new Error(`The stand-in has no contract ${ticker}`);
  }

  protected override async answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.slice(PREFIX.length);
    this.asked.push({ path, query: Object.fromEntries(searchParams), atMs: this.nowMs() });
    const fault = await this.fault(path, searchParams);
    if (fault !== null) return fault;
    if (path === '/events') return Response.json(this.garble(this.#events(searchParams)));
    if (path === '/markets/orderbooks') return Response.json(this.garble(this.#books(searchParams)));
    if (path.startsWith('/series/')) return Response.json(this.garble(this.#series(path.slice(8))));
    return Response.json({ error: { code: 'not_found', message: 'not found' } }, { status: 404 });
  }

  #events(query: URLSearchParams): object {
    const wanted = this.events.filter(({ series }) => series === query.get('series_ticker'));
    const from = Number(query.get('cursor') ?? 0);
    const to = from + Math.min(this.pageEvents, Number(query.get('limit') ?? 100));
    return { events: wanted.slice(from, to).map(eventOf), cursor: to < wanted.length ? String(to) : '' };
  }

  #series(ticker: string): object {
    const fee_multiplier = this.multipliers[ticker] ?? 1;
    return { series: { category: 'Sports', fee_multiplier, fee_type: 'quadratic', ticker } };
  }

  #books(query: URLSearchParams): object {
    // The list is not split at commas, because Kalshi reads a text with commas as one ticker, whose book is
    // empty.
    const tickers = new Set(query.getAll('tickers'));
    const orderbooks = this.events.flatMap((event) =>
      event.contracts.flatMap((contract) => {
        const ticker = tickerOf(event, contract);
        return tickers.has(ticker) ? [{ ticker, orderbook_fp: bookOf(contract) }] : [];
      }),
    );
    return { orderbooks };
  }
}

/** A refusal in Kalshi's words, without Retry-After. */
export function tooMany(): Response {
  return Response.json({ error: 'too many requests' }, { status: 429 });
}

function tickerOf({ series, match }: EventSpec, { suffix }: ContractSpec): string {
  return `${series}-${match}-${suffix}`;
}

function eventOf(event: EventSpec): object {
  const { series, match, title, contracts } = event;
  return {
    available_on_brokers: true,
    category: 'Sports',
    event_ticker: `${series}-${match}`,
    exchange_index: 0,
    markets: contracts.map((contract) => marketOf(event, contract)),
    mutually_exclusive: series.endsWith('GAME'),
    series_ticker: series,
    strike_period: '',
    title,
  };
}

function marketOf(event: EventSpec, contract: ContractSpec): object {
  const {
    yes,
    bid,
    ask,
    bidSize = 500,
    askSize = 500,
    status = 'active',
    strike,
    team,
    volume = 0,
  } = contract;
  const expected = new Date(event.kickoffMs + EXPECTED_AFTER_MS).toISOString().replace('.000Z', 'Z');
  return {
    event_ticker: `${event.series}-${event.match}`,
    ticker: tickerOf(event, contract),
    status,
    market_type: 'binary',
    strike_type: strike === undefined ? 'structured' : 'greater',
    ...(strike === undefined ? {} : { floor_strike: strike }),
    ...(team === undefined ? {} : { custom_strike: { team_of: 'league', soccer_team: team } }),
    title: `${event.title} Winner?`,
    yes_sub_title: yes,
    no_sub_title: yes,
    expected_expiration_time: expected,
    occurrence_datetime: expected,
    notional_value_dollars: '1.0000',
    yes_bid_dollars: bid.toFixed(4),
    yes_ask_dollars: ask.toFixed(4),
    no_bid_dollars: (1 - ask).toFixed(4),
    no_ask_dollars: (1 - bid).toFixed(4),
    yes_bid_size_fp: (bid === 0 ? 0 : bidSize).toFixed(2),
    yes_ask_size_fp: (ask === 1 ? 0 : askSize).toFixed(2),
    volume_fp: volume.toFixed(2),
    liquidity_dollars: '0.0000',
    result: '',
  };
}

/** Bids of both sides, ascending: a worse level comes before the best one. */
function bookOf({ bid, ask, bidSize = 500, askSize = 500 }: ContractSpec): object {
  const level = (price: number, size: number): string[][] =>
    price <= 0 || price >= 1
      ? []
      : [
          ['0.0100', '7000.00'],
          [price.toFixed(4), size.toFixed(2)],
        ];
  return { yes_dollars: level(bid, bidSize), no_dollars: level(1 - ask, askSize) };
}

/** The three winner contracts of a football match, in an unusual order. */
export function footballWinner(
  spec: Omit<EventSpec, 'contracts' | 'title' | 'series'> & {
    readonly league: string;
    home: string;
    away: string;
  },
  asks: readonly [home: number, draw: number, away: number],
): EventSpec {
  const { league, home, away, ...event } = spec;
  const contract = (suffix: string, yes: string, ask: number): ContractSpec => ({
    suffix,
    yes,
    ask,
    bid: Math.round((ask - 0.02) * 100) / 100,
    team: `uuid-of-${yes}`,
  });
  const [homeAsk, drawAsk, awayAsk] = asks;
  return {
    ...event,
    series: `KX${league}GAME`,
    title: `${home} vs ${away}`,
    contracts: [
      contract('AWY', away, awayAsk),
      contract('TIE', 'Tie', drawAsk),
      contract('HOM', home, homeAsk),
    ],
  };
}
