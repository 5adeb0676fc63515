// The Odds API v4 as its documentation and samples describe it, on loopback: paths, parameters, costs,
// headers, refusals. It answers from the test's `fixtures`; `fault` may answer instead.

import { StandInServer } from '../stand-in-server.ts';

interface OddsOutcome {
  name: string;
  price: unknown;
  point?: unknown;
}
interface OddsMarket {
  key: string;
  last_update?: string;
  outcomes: OddsOutcome[];
}
export interface OddsBookmaker {
  key: string;
  title: string;
  last_update?: string;
  markets: OddsMarket[];
}
export interface OddsFixture {
  id: string;
  sport_key: string;
  sport_title: string;
  commence_time: string;
  home_team: string;
  away_team: string;
  bookmakers: OddsBookmaker[];
}
interface ScoreFixture extends Omit<OddsFixture, 'bookmakers'> {
  completed: boolean;
  scores: { name: string; score: string }[] | null;
  last_update: string | null;
}

interface Asked {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly atMs: number;
  readonly cost: number;
  /** The JSON that was sent, null for a fault or a refusal. */
  readonly body: unknown;
}

const DETAILS = 'https://the-odds-api.com/liveapi/guides/v4/api-error-codes.html';

export class OddsApiStandIn extends StandInServer {
  static readonly KEY = 'stand-in-key-of-the-odds-api';
  fixtures: OddsFixture[] = [];
  scores: ScoreFixture[] = [];
  sports: string[] = ['soccer_epl', 'basketball_nba'];
  key: string = OddsApiStandIn.KEY;
  creditsLeft = 500;
  creditsUsed = 0;
  /** How far the server's clock is ahead. */
  skewMs = 0;
  /** May answer in place of the server; returns null otherwise. */
  fault: (path: string) => Response | Promise<Response> | null = () => null;
  readonly asked: Asked[] = [];

  /** The bodies of the /odds answers about a sport, oldest first. */
  oddsAnswers(sport: string): OddsFixture[][] {
    return this.asked
      .filter(({ path, body }) => path === `/v4/sports/${sport}/odds` && body !== null)
      .map(({ body }) => body as OddsFixture[]);
  }

  protected override async answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const query = Object.fromEntries(url.searchParams);
    const fault = await this.fault(url.pathname);
    if (fault !== null) {
      this.#note(url.pathname, query, { cost: 0, body: null });
      return fault;
    }
    if (query.apiKey !== this.key) {
      this.#note(url.pathname, query, { cost: 0, body: null });
      return this.#refusal(
        401,
        'INVALID_KEY',
        'API key is not valid. Get an API key at https://the-odds-api.com',
      );
    }
    const [, , , sport = '', what = ''] = url.pathname.split('/');
    if (sport === '')
      return this.#json(url.pathname, query, {
        cost: 0,
        body: this.sports.map((key) => ({ key, active: true })),
      });
    if (!this.sports.includes(sport)) {
      this.#note(url.pathname, query, { cost: 0, body: null });
      return this.#refusal(404, 'UNKNOWN_SPORT', 'Unknown sport');
    }
    const { cost, body } = what === 'odds' ? this.#odds(sport, query) : this.#scores(sport, query);
    if (cost > this.creditsLeft) {
      this.#note(url.pathname, query, { cost: 0, body: null });
      return this.#refusal(
        401,
        'OUT_OF_USAGE_CREDITS',
        'Usage quota has been reached. See usage plans at https://the-odds-api.com',
      );
    }
    return this.#json(url.pathname, query, { cost, body });
  }

  #odds(sport: string, query: Record<string, string>): { cost: number; body: unknown } {
    const wanted = new Set(query.bookmakers?.split(','));
    const markets = query.markets!.split(',');
    const body = this.fixtures
      .filter((fixture) => fixture.sport_key === sport)
      .map((fixture) => ({
        ...fixture,
        bookmakers: fixture.bookmakers.filter(({ key }) => query.regions !== undefined || wanted.has(key)),
      }));
    const regions = query.regions?.split(',').length ?? Math.ceil(wanted.size / 10);
    return { cost: body.length === 0 ? 0 : regions * markets.length, body: structuredClone(body) };
  }

  #scores(sport: string, query: Record<string, string>): { cost: number; body: unknown } {
    const body = this.scores.filter(
      ({ sport_key, completed }) => sport_key === sport && (!completed || query.daysFrom !== undefined),
    );
    return { cost: query.daysFrom === undefined ? 1 : 2, body: structuredClone(body) };
  }

  #json(
    path: string,
    query: Record<string, string>,
    { cost, body }: { cost: number; body: unknown },
  ): Response {
    this.creditsLeft -= cost;
    this.creditsUsed += cost;
    this.#note(path, query, { cost, body });
    return Response.json(body, { headers: { ...this.#headers(), 'x-requests-last': String(cost) } });
  }

  #note(path: string, query: Record<string, string>, { cost, body }: { cost: number; body: unknown }): void {
    this.asked.push({ path, query, atMs: this.nowMs(), cost, body });
  }

  #refusal(status: number, code: string, message: string): Response {
    const body = {
      message,
      error_code: code,
      details_url: `${DETAILS}#${code.toLowerCase().replaceAll('_', '-')}`,
    };
    return Response.json(body, { status, headers: this.#headers() });
  }

  #headers(): Record<string, string> {
    return {
      date: new Date(this.nowMs() + this.skewMs).toUTCString(),
      'x-requests-remaining': String(this.creditsLeft),
      'x-requests-used': String(this.creditsUsed),
    };
  }
}
