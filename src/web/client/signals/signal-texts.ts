// A signal's bet in words.

import { edgeText, lineText, oneDigitText } from '../data/number-words.ts';
import { type ListedSignal, type SignalBet, type SignalLeg, sizeOf } from '../data/signal-book.ts';
import { texts } from '../texts.ts';

/** The size of a signal: "+2.1" for an edge; "0.3" for a hold, which is what the bet costs. */
export function sizeText(signal: ListedSignal): string {
  return signal.low_hold === null ? edgeText(sizeOf(signal)) : oneDigitText(signal.low_hold.hold_pct);
}

/** Market, line and side: "AH -0.5 home"; without the side where a signal has several. */
export function betText(
  { value_bet: value }: ListedSignal,
  { period, market_type, line }: SignalBet,
): string {
  const market = `${texts.periodMarks[period]}${texts.marketMarks[market_type]}`;
  const words = [
    market,
    line === null ? '' : lineText(line, market_type === 'asian_handicap'),
    value === null ? '' : texts.outcomes[value.outcome],
  ];
  return words.filter((word) => word !== '').join(' ');
}

/** The side of a leg. A middle has its two legs at different lines, so there the text includes the line. */
export function legText({ outcome, line }: SignalLeg, { line: common, market_type }: SignalBet): string {
  const side = texts.outcomes[outcome]!;
  if (line === null || common !== null) return side;
  // The API's line is the home handicap; the away side of -0.5 is +0.5.
  const own = outcome === 'away' ? -line || 0 : line;
  return `${side} ${lineText(own, market_type === 'asian_handicap')}`;
}
