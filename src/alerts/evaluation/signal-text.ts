// A signal as a sentence.

import type { StreamSignal } from '../../contract/stream/stream-signals.ts';
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
  return `${signal.kind}: ${match}.${ending}`;
}

export function wordsOf(market: string, period: string, line: number | null, outcome?: string): string {
  const parts = [market, line, outcome, period === 'half_time' ? 'first half' : null];
  return parts.filter((part) => part !== null && part !== undefined).join(' ');
}
