// Finds the team of a Kalshi contract by the names in the title, by Kalshi's team ids, or by the codes in
// tickers. Pure.

import type { SportKey } from '../../domain/catalogue.ts';
import type { KalshiEvent, KalshiMarket } from './messages.ts';
import { tickerCodes, titleTeams } from './ticker.ts';

export interface Teams {
  /** Both teams as the title names them, the home team first. */
  readonly names: readonly [home: string, away: string];
  /** The winner contract of each team, null when it is not listed. */
  readonly winners: readonly [home: KalshiMarket | null, away: KalshiMarket | null];
}

const TIE_ID = '111193d4-9b1f-4bd8-ab7c-9de252737f05';

/** Both teams of an event. Football names the home team first, American sports the away team. */
export function teamsOf(event: KalshiEvent, markets: readonly KalshiMarket[], sport: SportKey): Teams | null {
  const titled = titleTeams(event.title);
  if (titled === null) return null;
  const winners = markets.filter((market) => !isTie(market));
  let [first, second] = titled.map((name) => winners.find((market) => sideName(market) === name));
  // A title may shorten a name that its contract has in full. Such a team is found by the codes or, if the
  // other team is known, as the only remaining one.
  if (first === undefined && second === undefined) [first, second] = byCodes(event, winners);
  else if (winners.length === 2) {
    first ??= winners.find((market) => market !== second);
    second ??= winners.find((market) => market !== first);
  }
  if (first === undefined && second === undefined) return null;
  const pair = [first ?? null, second ?? null] as const;
  return sport === 'football'
    ? { names: titled, winners: pair }
    : { names: [titled[1], titled[0]], winners: [pair[1], pair[0]] };
}

/** Whether a contract is for the draw. It has a ticker of its own and belongs to no team. */
export function isTie(market: KalshiMarket): boolean {
  return /-TIE$/.test(market.ticker) || teamId(market) === TIE_ID || sideName(market) === 'Tie';
}

/** Kalshi's own id of a contract's team, null without one. */
export function teamId({ custom_strike }: KalshiMarket): string | null {
  const id = Object.entries(custom_strike ?? {}).find(([key]) => key.endsWith('_team'))?.[1];
  return typeof id === 'string' && id.length > 0 && id.length <= 64 ? id : null;
}

/** The team of a spread contract, by the team's id or, without one, by the name in its text. */
export function spreadSide(market: KalshiMarket, { names, winners }: Teams): 'home' | 'away' | null {
  const id = teamId(market);
  const ids = winners.map((winner) => (winner === null ? null : teamId(winner)));
  const byId = id === null ? -1 : ids.indexOf(id);
  const text = sideName(market);
  const end = / wins by (?:over|more than) /.exec(text);
  const byName = end === null ? -1 : names.indexOf(text.slice(0, end.index));
  // If the team's id and the text both name a side, they must agree.
  if (end === null || (byId >= 0 && byName >= 0 && byId !== byName)) return null;
  const index = byId >= 0 ? byId : byName;
  return index < 0 ? null : index === 0 ? 'home' : 'away';
}

function sideName({ yes_sub_title }: KalshiMarket): string {
  return yes_sub_title.replace(/^Reg Time: /, '').replace(/ wins$/, '');
}

/**
 * Both winner contracts, in the order in which their codes form the end of the event's ticker. Empty if they
 * do not, or if there are not exactly two.
 */
function byCodes(
  { event_ticker }: KalshiEvent,
  winners: readonly KalshiMarket[],
): [KalshiMarket?, KalshiMarket?] {
  const [one, other] = winners;
  if (one === undefined || other === undefined || winners.length !== 2) return [];
  const codeOf = ({ ticker }: KalshiMarket): string => ticker.slice(event_ticker.length + 1);
  const codes = tickerCodes(event_ticker);
  const [forwards, backwards] = [codeOf(one) + codeOf(other), codeOf(other) + codeOf(one)];
  if (forwards === backwards) return [];
  return codes === forwards ? [one, other] : codes === backwards ? [other, one] : [];
}
