// A link to the console's alert form, filled with a rule that reports signals like one that is shown.

import type { Event } from '../../../contract/event.ts';
import { ALERT_NAME_CHARS_MAX } from '../../../limits.ts';
import { type ListedSignal, type SignalBet, sizeOf } from '../data/signal-book.ts';
import { parameter } from '../data/view.ts';
import { texts } from '../texts.ts';

/** The field of a rule that sets the least size of its signals, by kind. */
const LEAST = { value: 'min_edge_pct', arbitrage: 'min_margin_pct', middle: 'min_ev_pct' } as const;

/**
 * The link. Its rule asks for the signal's kind, market, period and league, and for at least the signal's
 * size in whole per cent; for a low hold, at most. It covers matches in play if this one is in play now,
 * otherwise matches before kickoff. A value rule also has the reference that the page uses.
 */
export function alertLink(
  signal: ListedSignal,
  bet: SignalBet,
  { event, isLive }: { readonly event: Event | undefined; readonly isLive: boolean },
): string {
  const { kind } = signal;
  const fields = new URLSearchParams({
    kind,
    markets: bet.market_type,
    period: bet.period,
    in_play: String(isLive),
  });
  if (Object.hasOwn(LEAST, kind)) {
    fields.set(LEAST[kind as keyof typeof LEAST], String(Math.max(0, Math.floor(sizeOf(signal)))));
  }
  if (signal.low_hold !== null) {
    fields.set('max_hold_pct', String(Math.max(0, Math.ceil(signal.low_hold.hold_pct))));
  }
  if (event !== undefined) {
    const { id, name } = event.league;
    fields.set('league', id);
    fields.set('league_name', name);
    fields.set(
      'name',
      texts.signals.alertName(texts.signals.kinds[kind]!, name).slice(0, ALERT_NAME_CHARS_MAX),
    );
  }
  const reference = parameter('reference');
  if (kind === 'value' && reference !== '') fields.set('reference', reference);
  return `/console?${fields}#alerts`;
}
