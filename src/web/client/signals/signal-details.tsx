// An open row of a signal: every leg with the age of its price, the price against the fair one, and how long
// the signal has been open.

import type { Event } from '../../../contract/event.ts';
import { ALERT_NAME_CHARS_MAX } from '../../../limits.ts';
import { mirror } from '../board/state.ts';
import { localMsOf } from '../data/api.ts';
import { chosenFormat, chosenPriceText } from '../data/chosen-format.ts';
import { ageText, priceText, secondText, shareText } from '../data/number-words.ts';
import { bookmakerName, pageSettings } from '../data/page-settings.ts';
import { lineKey, quoteKey } from '../data/quote.ts';
import { type ListedSignal, type SignalBet, sizeOf } from '../data/signal-book.ts';
import { parameter } from '../data/view.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { nowMs } from '../parts/ticking.ts';
import { texts } from '../texts.ts';
import { legText } from './signal-texts.ts';
import { ValueChart } from './value-chart.tsx';

interface SignalDetailsProps {
  readonly signal: ListedSignal;
  readonly bet: SignalBet;
}

export function SignalDetails({ signal, bet }: SignalDetailsProps) {
  const { value_bet: value, middle, event_id, opened_at } = signal;
  const fixture = mirror.get(event_id);
  void fixture?.version.value;
  const { market_type, period } = bet;
  const trail = value === null ? undefined : fixture?.trails.of(lineKey(value), value.outcome);
  return (
    <>
      <ul>
        {bet.legs.map((leg) => {
          const { bookmaker, line, outcome } = leg;
          const quote = fixture?.quotes.get(quoteKey({ bookmaker, market_type, period, line }));
          return (
            <li key={outcome}>
              {legText(leg, bet)} <strong>{priceText(leg.price, chosenFormat())}</strong>{' '}
              {bookmakerName(bookmaker)}
              {quote !== undefined && (
                <span class="quiet"> {texts.signals.priceAge(ageText(nowMs.value - quote.atMs))}</span>
              )}
            </li>
          );
        })}
      </ul>
      {value !== null && (
        <>
          <p>{texts.signals.against(chosenPriceText(value.fair_price))}</p>
          {pageSettings.hasHistory ? (
            <ValueChart eventId={event_id} bet={value} openedAtMs={localMsOf(opened_at)} />
          ) : (
            trail !== undefined && <Sparkline trail={trail} />
          )}
        </>
      )}
      {middle !== null && <p>{texts.signals.noLoss(shareText(middle.no_loss_prob))}</p>}
      <p class="quiet">
        {texts.signals.life(
          secondText(Date.parse(opened_at), parameter('timezone')),
          ageText(nowMs.value - Date.parse(opened_at)),
        )}
      </p>
      <p>
        <a
          href={alertLink(signal, bet, {
            event: fixture?.event,
            isLive: fixture?.state.status === 'live',
          })}
        >
          {texts.signals.alertMe}
        </a>
      </p>
    </>
  );
}

/** The field of a rule that sets the least size of its signals, by kind. */
const LEAST = { value: 'min_edge_pct', arbitrage: 'min_margin_pct', middle: 'min_ev_pct' } as const;

/**
 * A link to the console's alert form, filled with a rule that reports signals like this one. It asks for the
 * signal's kind, market, period and league, and for at least the signal's size in whole per cent; for a low
 * hold, at most. It covers matches in play if this one is in play now, otherwise matches before kickoff. A
 * value rule also has the reference that the page uses.
 */
function alertLink(
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
