// A signal as a sentence.

import type { LineMove, LowHold, Middle, Steam } from '../../contract/signals/kinds.ts';
import type { StreamSignal } from '../../contract/stream/stream-signals.ts';
import { assert } from '../../errors.ts';
import type { AlertedEvent } from '../delivery/payload.ts';
import { matchNameOf } from './news.ts';

/** "Value 3.2 %: Arsenal – Chelsea (Premier League), totals 2.5 over at 2.1 (bet365), fair 2.03". */
export function signalText(signal: StreamSignal, change: 'opened' | 'closed', event: AlertedEvent): string {
  const match = `${matchNameOf(event)} (${event.league})`;
  const ending = change === 'closed' ? ' It is over.' : '';
  const { value_bet: value, opportunity } = signal;
  if (value !== null) {
    const line = wordsOf(value.market_type, value.period, value.line, value.outcome);
    return `Value ${value.edge_pct} %: ${match}, ${line} at ${value.price} (${value.bookmaker}), fair ${value.fair_price}.${ending}`;
  }
  if (opportunity !== null) {
    const legs = opportunity.legs.map((leg) => `${leg.outcome} at ${leg.price} (${leg.bookmaker})`);
    const line = wordsOf(opportunity.market_type, opportunity.period, opportunity.line);
    return `Arbitrage ${opportunity.margin_pct} %: ${match}, ${line}, ${legs.join(', ')}.${ending}`;
  }
  const [title, facts] = kindText(signal);
  return `${title}: ${match}, ${facts}.${ending}`;
}

/** The title of a signal of the other kinds, and its facts. */
function kindText({ middle, low_hold: lowHold, move, steam }: StreamSignal): readonly [string, string] {
  if (middle !== null) return middleText(middle);
  if (lowHold !== null) return lowHoldText(lowHold);
  if (move !== null) return moveText(move);
  assert(steam !== null, 'a signal has the field of its kind');
  return steamText(steam);
}

function middleText({ ev_pct, worst_pct, legs, market_type, period }: Middle): readonly [string, string] {
  const bets = legs.map(({ outcome, line, price, bookmaker }) => {
    return `${wordsOf(market_type, period, line, outcome)} at ${price} (${bookmaker})`;
  });
  return [`Middle ${ev_pct} %`, `${bets.join(', ')}, at worst ${worst_pct} %`];
}

function lowHoldText({ hold_pct, legs, market_type, period, line }: LowHold): readonly [string, string] {
  const prices = legs.map(({ outcome, price, bookmaker }) => `${outcome} at ${price} (${bookmaker})`);
  return [`Hold ${hold_pct} %`, [wordsOf(market_type, period, line), ...prices].join(', ')];
}

function moveText(move: LineMove): readonly [string, string] {
  const line = wordsOf(move.market_type, move.period, move.line, move.outcome);
  const [unit, price] = move.of === 'fair' ? ['percentage points', ' fair price'] : ['%', ''];
  return [
    `Move ${move.change} ${unit}`,
    `${line}${price} from ${move.decimal_from} to ${move.decimal_to} (${move.bookmaker})`,
  ];
}

function steamText(steam: Steam): readonly [string, string] {
  const line = wordsOf(steam.market_type, steam.period, steam.line, steam.outcome);
  const books = steam.books.map(
    ({ bookmaker, decimal_from, decimal_to }) => `${decimal_from} to ${decimal_to} (${bookmaker})`,
  );
  return [`Steam, ${steam.owners} owners`, `${line} ${steam.way}, ${books.join(', ')}`];
}

export function wordsOf(market: string, period: string, line: number | null, outcome?: string): string {
  const parts = [market, line, outcome, period === 'half_time' ? 'first half' : null];
  return parts.filter((part) => part !== null && part !== undefined).join(' ');
}
