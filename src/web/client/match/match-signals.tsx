// The open signals of one match: size, bet, prices, and how long each has been open.

import { chosenFormat } from '../data/chosen-format.ts';
import type { Fixture } from '../data/mirror.ts';
import { ageText, edgeText, priceText } from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import { betOf, type ListedSignal, SHOWN_KINDS, sizeOf } from '../data/signal-book.ts';
import { betText, legText } from '../parts/signal-texts.ts';
import { nowMs } from '../parts/ticking.ts';
import { texts } from '../texts.ts';
import { matchTexts } from './match-texts.ts';
import { signalBook } from './state.ts';

export function MatchSignals({ fixture }: { readonly fixture: Fixture }) {
  void signalBook.version.value;
  const summary = signalBook.summary.value;
  // The margin of the best prices is in the price table, so a low hold would repeat it.
  const own = SHOWN_KINDS.flatMap((kind) => (kind === 'low_hold' ? [] : signalBook.of(kind))).filter(
    ({ event_id }) => event_id === fixture.id,
  );
  if (summary === null) return null;
  return (
    <>
      {own.length === 0 ? (
        <p class="pane-note">{matchTexts.noSignals}</p>
      ) : (
        <ul class="value-list">
          {own.map((signal) => (
            <MatchSignal key={signal.id} signal={signal} />
          ))}
        </ul>
      )}
      {summary.note !== null && <p class="pane-note quiet">{summary.note}</p>}
    </>
  );
}

function MatchSignal({ signal }: { readonly signal: ListedSignal }) {
  const bet = betOf(signal);
  if (bet === null) return null;
  return (
    <li>
      <strong>{edgeText(sizeOf(signal))} %</strong> {texts.signals.kinds[signal.kind]} {betText(signal, bet)}{' '}
      {bet.legs.map((leg) => (
        <span key={leg.outcome}>
          {signal.value_bet === null && legText(leg, bet)} {priceText(leg.price, chosenFormat())}{' '}
          <span class="quiet">{bookmakerName(leg.bookmaker)}</span>{' '}
        </span>
      ))}
      <span class="quiet">{texts.signals.openFor(ageText(nowMs.value - Date.parse(signal.opened_at)))}</span>
    </li>
  );
}
