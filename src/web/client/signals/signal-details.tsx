// An open row of the tabs for value and arbitrage: every leg with the age of its price, the price against the
// fair one, and how long the signal has been open.

import { mirror } from '../board/state.ts';
import { chosenFormat, chosenPriceText } from '../data/chosen-format.ts';
import { ageText, priceText, secondText } from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import { lineKey, type MirrorQuote } from '../data/quote.ts';
import type { ListedSignal } from '../data/signal-book.ts';
import { parameter } from '../data/view.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { nowMs } from '../parts/ticking.ts';
import { texts } from '../texts.ts';

interface ShownLeg {
  readonly outcome: string;
  readonly bookmaker: string;
  readonly price: number;
}

export function SignalDetails({ signal }: { readonly signal: ListedSignal }) {
  const { value_bet: bet, opportunity, event_id, opened_at } = signal;
  const fixture = mirror.get(event_id);
  void fixture?.version.value;
  const of = bet ?? opportunity;
  if (of === null) return null;
  const legs: readonly ShownLeg[] = bet === null ? (opportunity?.legs ?? []) : [bet];
  const key = lineKey(of);
  const quotes = [...(fixture?.quotes.values() ?? [])].filter((quote) => lineKey(quote) === key);
  const trail = bet === null ? undefined : fixture?.trails.of(key, bet.outcome);
  return (
    <>
      <ul>
        {legs.map((leg) => (
          <Leg
            key={leg.outcome}
            leg={leg}
            quote={quotes.find(({ bookmaker }) => bookmaker === leg.bookmaker)}
          />
        ))}
      </ul>
      {bet !== null && (
        <p>
          {texts.signals.against(chosenPriceText(bet.fair_price))}{' '}
          {trail !== undefined && <Sparkline trail={trail} />}
        </p>
      )}
      <p class="quiet">
        {texts.signals.life(
          secondText(Date.parse(opened_at), parameter('timezone')),
          ageText(nowMs.value - Date.parse(opened_at)),
        )}
      </p>
    </>
  );
}

function Leg({ leg, quote }: { readonly leg: ShownLeg; readonly quote: MirrorQuote | undefined }) {
  return (
    <li>
      {texts.outcomes[leg.outcome]} <strong>{priceText(leg.price, chosenFormat())}</strong>{' '}
      {bookmakerName(leg.bookmaker)}
      {quote !== undefined && (
        <span class="quiet"> {texts.signals.priceAge(ageText(nowMs.value - quote.atMs))}</span>
      )}
    </li>
  );
}
