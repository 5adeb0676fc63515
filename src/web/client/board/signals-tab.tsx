// Value and arbitrage as they open and close: how large, at which prices, how old the oldest is, since when, and why
// there are no more.

import type { ComponentChildren } from 'preact';
import { ageText, countText, lineText, oneDigitText, priceText } from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import { type OpenSignal, type SignalKind, sizeOf } from '../data/signal-book.ts';
import { Excluded } from '../parts/excluded.tsx';
import { ConnectionNotice, Notice } from '../parts/notice.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { nowMs } from '../parts/ticking.ts';
import { texts } from '../texts.ts';
import { follower, mirror, signalBook } from './state.ts';

export function SignalsTab({ kind }: { readonly kind: SignalKind }) {
  void signalBook.version.value;
  const summary = signalBook.summary.value;
  const open = signalBook.of(kind);
  return (
    <section class="signals" aria-label={texts.signals[kind]}>
      <ConnectionNotice follower={follower} isStrip={true} />
      <h2>{texts.signals[kind]}</h2>
      {summary === null && open.length === 0 && <p class="quiet late">{texts.signals.waiting}</p>}
      {summary?.note != null && <p class="tier-note">{summary.note}</p>}
      {summary !== null && open.length === 0 && (
        <Notice title={texts.signals.none[kind]} text={texts.signals.noneText} />
      )}
      {open.length > 0 && <SignalTable kind={kind} open={open} />}
      {summary !== null && <Excluded counts={summary.excluded} />}
      {summary !== null && summary.left_out > 0 && (
        <p class="quiet">{texts.signals.leftOutFixtures(countText(summary.left_out))}</p>
      )}
    </section>
  );
}

function SignalTable({ kind, open }: { readonly kind: SignalKind; readonly open: readonly OpenSignal[] }) {
  return (
    <ScrollRegion class="signals-scroll" label={texts.signals[kind]}>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{kind === 'value' ? texts.signals.edge : texts.signals.margin}</th>
            <th scope="col">{texts.signals.match}</th>
            <th scope="col">{texts.signals.bet}</th>
            <th scope="col">{kind === 'value' ? texts.signals.price : texts.signals.legs}</th>
            <th scope="col">{texts.signals.settles}</th>
            <th scope="col">{texts.signals.oldest}</th>
            <th scope="col">{texts.signals.since}</th>
          </tr>
        </thead>
        <tbody>
          {open.map((signal) => (
            <SignalRow key={signal.id} signal={signal} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function SignalRow({ signal }: { readonly signal: OpenSignal }) {
  const event = mirror.get(signal.event_id)?.event;
  const bet = signal.value_bet ?? signal.opportunity;
  if (bet === null) return null;
  return (
    <tr>
      <td class="size">+{oneDigitText(sizeOf(signal))} %</td>
      <th scope="row">
        <a href={`/events/${signal.event_id}`}>
          {event === undefined ? signal.event_id : texts.match.vs(event.home_team.name, event.away_team.name)}
        </a>
        <br />
        <span class="quiet">{event?.league.name}</span>
      </th>
      <td>
        {texts.periodMarks[bet.period]}
        {texts.marketMarks[bet.market_type]}{' '}
        {bet.line === null ? '' : lineText(bet.line, bet.market_type === 'asian_handicap')}{' '}
        {signal.value_bet !== null && texts.outcomes[signal.value_bet.outcome]}
      </td>
      <td>
        <Prices signal={signal} />
      </td>
      <td>
        <Settled signal={signal} />
      </td>
      <Ages signal={signal} />
    </tr>
  );
}

function Prices({
  signal: { value_bet: bet, opportunity },
}: {
  readonly signal: OpenSignal;
}): ComponentChildren {
  if (bet !== null) {
    return (
      <>
        <strong>{priceText(bet.price, bet.format)}</strong> {bookmakerName(bet.bookmaker)}
        <br />
        <span class="quiet">
          {texts.signals.fair} {priceText(Math.round(bet.fair_price * 1_000) / 1_000, 'decimal')}
        </span>
      </>
    );
  }
  return opportunity?.legs.map((leg) => (
    <div key={leg.outcome}>
      {texts.outcomes[leg.outcome]} <strong>{priceText(leg.decimal, 'decimal')}</strong>{' '}
      {bookmakerName(leg.bookmaker)}
    </div>
  ));
}

function Settled({ signal: { value_bet: bet, opportunity } }: { readonly signal: OpenSignal }) {
  if (bet !== null)
    return <>{bet.ev_pct === null ? '' : texts.signals.settledReturn(percentText(bet.ev_pct))}</>;
  if (opportunity === null) return null;
  return (
    <>{texts.signals.settledRange(percentText(opportunity.worst_pct), percentText(opportunity.best_pct))}</>
  );
}

function percentText(percent: number): string {
  return `${oneDigitText(percent)} %`;
}

/** Drawn again as time goes on. */
function Ages({ signal }: { readonly signal: OpenSignal }) {
  const now = nowMs.value;
  const oldestMs = signal.oldest_age_s * 1_000 + (now - signal.toldAtMs);
  return (
    <>
      <td>{ageText(oldestMs)}</td>
      <td>{ageText(now - Date.parse(signal.opened_at))}</td>
    </>
  );
}
