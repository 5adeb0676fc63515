// Value and arbitrage signals as they open and close: size, prices, age of the oldest price, how long the
// signal has been open, and what was left out and why.

import type { ComponentChildren } from 'preact';
import type { Excluded as LeftOut } from '../../../domain/signal-gate.ts';
import { chosenFormat, chosenPriceText } from '../data/chosen-format.ts';
import { ageText, countText, lineText, oneDigitText, priceText } from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import { type ListedSignal, type SignalKind, sizeOf } from '../data/signal-book.ts';
import { matchPath, parameter, setParameter } from '../data/view.ts';
import { Excluded } from '../parts/excluded.tsx';
import { ConnectionNotice, Notice } from '../parts/notice.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { StickyLine } from '../parts/sticky-line.tsx';
import { nowMs } from '../parts/ticking.ts';
import { texts } from '../texts.ts';
import { follower, foundSignals, mirror, signalBook } from './state.ts';

export function SignalsTab({ kind }: { readonly kind: SignalKind }) {
  const summary = signalBook.summary.value;
  const open = foundSignals(kind);
  const isSearched = parameter('query').trim() !== '';
  return (
    <section class="signals" aria-label={texts.signals[kind]}>
      <StickyLine follower={follower}>{texts.signals[kind]}</StickyLine>
      <ConnectionNotice follower={follower} isStrip={true} />
      <h2>{texts.signals[kind]}</h2>
      {summary === null && open.length === 0 && <p class="quiet late">{texts.signals.waiting}</p>}
      {summary?.note != null && <p class="tier-note">{summary.note}</p>}
      {summary !== null && open.length === 0 && isSearched && (
        <Notice
          title={texts.signals.noneFound[kind]}
          text={texts.signals.noneText}
          action={{ label: texts.board.clearSearch, run: () => setParameter('query', '') }}
        />
      )}
      {summary !== null && open.length === 0 && !isSearched && (
        <Notice title={texts.signals.none[kind]} text={texts.signals.noneText} />
      )}
      {open.length > 0 && <SignalTable kind={kind} open={open} />}
      {summary !== null && <Excluded counts={leftOutOf(summary.excluded, kind)} />}
      {summary !== null && summary.left_out > 0 && (
        <p class="quiet">{texts.signals.leftOutFixtures(countText(summary.left_out))}</p>
      )}
    </section>
  );
}

/**
 * The stream's counts cover both kinds. Arbitrage needs no sharp price, so `no_sharp` does not apply to it;
 * find_arbitrage does the same.
 */
function leftOutOf(excluded: LeftOut, kind: SignalKind): LeftOut {
  return kind === 'arbitrage' ? { ...excluded, no_sharp: 0 } : excluded;
}

function SignalTable({ kind, open }: { readonly kind: SignalKind; readonly open: readonly ListedSignal[] }) {
  return (
    <ScrollRegion label={texts.signals[kind]}>
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

function SignalRow({ signal }: { readonly signal: ListedSignal }) {
  const event = mirror.get(signal.event_id)?.event;
  const bet = signal.value_bet ?? signal.opportunity;
  if (bet === null) return null;
  return (
    <tr>
      <td class="size">+{oneDigitText(sizeOf(signal))} %</td>
      <th scope="row">
        <a href={matchPath(signal.event_id)}>
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
  readonly signal: ListedSignal;
}): ComponentChildren {
  if (bet !== null) {
    return (
      <>
        <strong>{priceText(bet.price, bet.format)}</strong> {bookmakerName(bet.bookmaker)}
        <br />
        <span class="quiet">
          {texts.signals.fair} {chosenPriceText(bet.fair_price)}
        </span>
      </>
    );
  }
  return opportunity?.legs.map((leg) => (
    <div key={leg.outcome}>
      {texts.outcomes[leg.outcome]} <strong>{priceText(leg.price, chosenFormat())}</strong>{' '}
      {bookmakerName(leg.bookmaker)}
    </div>
  ));
}

function Settled({ signal: { value_bet: bet, opportunity } }: { readonly signal: ListedSignal }) {
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

/** Drawn again as time passes. */
function Ages({ signal }: { readonly signal: ListedSignal }) {
  const now = nowMs.value;
  const oldestMs = signal.oldest_age_s * 1_000 + (now - signal.receivedAtMs);
  return (
    <>
      <td>{ageText(oldestMs)}</td>
      <td>{ageText(now - Date.parse(signal.opened_at))}</td>
    </>
  );
}
