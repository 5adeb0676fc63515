// Value and arbitrage signals as they open and close: size, prices, age of the oldest price, how long the
// signal has been open, and what was left out and why.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Excluded as LeftOut } from '../../../domain/signal-gate.ts';
import { Choice } from '../board/filters.tsx';
import { follower, mirror, signalBook } from '../board/state.ts';
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
import { foundSignals, isFiltered, type SignalSort, signalSort, sortSignals } from './found-signals.ts';
import { SignalDetails } from './signal-details.tsx';

export function SignalsTab({ kind }: { readonly kind: SignalKind }) {
  const summary = signalBook.summary.value;
  const open = foundSignals(kind);
  const isSearched = isFiltered();
  if (parameter('at') !== '') return <Notice {...texts.signals.past} />;
  return (
    <section class="signals" aria-label={texts.signals[kind]}>
      <StickyLine follower={follower}>{texts.signals[kind]}</StickyLine>
      <ConnectionNotice follower={follower} isStrip={true} />
      <div class="signal-filters">
        <h2>{texts.signals[kind]}</h2>
        <Choice name="min_edge" label={texts.signals.minEdge} options={EDGES} />
        <Choice name="in_play" label={texts.signals.inPlay} options={texts.signals.inPlayChoices} />
      </div>
      {summary === null && open.length === 0 && <p class="quiet late">{texts.signals.waiting}</p>}
      {summary?.note != null && <p class="tier-note">{summary.note}</p>}
      {summary !== null && open.length === 0 && isSearched && (
        <Notice
          title={texts.signals.noneFound[kind]}
          text={texts.signals.noneText}
          action={{ label: texts.board.clearSearch, run: clearSearch }}
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
            <SortHead sort="size" hint={texts.signals.hints[kind]}>
              {kind === 'value' ? texts.signals.edge : texts.signals.margin}
            </SortHead>
            <SortHead sort="kickoff">{texts.signals.match}</SortHead>
            <th scope="col">{texts.signals.bet}</th>
            <th scope="col">{kind === 'value' ? texts.signals.price : texts.signals.legs}</th>
            <th scope="col" title={texts.signals.evHint}>
              {texts.signals.settles}
            </th>
            <SortHead sort="oldest">{texts.signals.oldest}</SortHead>
            <SortHead sort="since">{texts.signals.since}</SortHead>
            <th scope="col">{texts.signals.details}</th>
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

/** A column head that sorts by its column. */
function SortHead(props: { readonly sort: SignalSort; readonly hint?: string; readonly children: string }) {
  const isChosen = signalSort() === props.sort;
  return (
    <th scope="col" aria-sort={isChosen ? (props.sort === 'size' ? 'descending' : 'ascending') : undefined}>
      <button type="button" class="sort" title={props.hint} onClick={() => sortSignals(props.sort)}>
        {props.children}
        <span aria-hidden="true">{isChosen ? (props.sort === 'size' ? ' ▾' : ' ▴') : ''}</span>
      </button>
    </th>
  );
}

function clearSearch(): void {
  for (const name of ['query', 'min_edge', 'in_play', 'bookmakers'] as const) setParameter(name, '');
}

const EDGES = ['', '1', '2', '3', '5'].map(
  (value) => [value, value === '' ? texts.signals.anyEdge : texts.signals.edgeFrom(value)] as const,
);

/** The signals whose rows are open, by id. */
const opened = signal<ReadonlySet<string>>(new Set());

function toggle(id: string): void {
  const next = new Set(opened.value);
  if (!next.delete(id)) next.add(id);
  opened.value = next;
}

function SignalRow({ signal: one }: { readonly signal: ListedSignal }) {
  const event = mirror.get(one.event_id)?.event;
  const bet = one.value_bet ?? one.opportunity;
  if (bet === null) return null;
  const isOpen = opened.value.has(one.id);
  return (
    <>
      <tr>
        <td class="size">+{oneDigitText(sizeOf(one))} %</td>
        <th scope="row">
          <a href={matchPath(one.event_id)}>
            {event === undefined ? one.event_id : texts.match.vs(event.home_team.name, event.away_team.name)}
          </a>
          <br />
          <span class="quiet">{event?.league.name}</span>
        </th>
        <td>
          {texts.periodMarks[bet.period]}
          {texts.marketMarks[bet.market_type]}{' '}
          {bet.line === null ? '' : lineText(bet.line, bet.market_type === 'asian_handicap')}{' '}
          {one.value_bet !== null && texts.outcomes[one.value_bet.outcome]}
        </td>
        <td>
          <Prices signal={one} />
        </td>
        <td>
          <Settled signal={one} />
        </td>
        <Ages signal={one} />
        <td>
          <button
            type="button"
            class="chip"
            aria-expanded={isOpen}
            aria-label={texts.signals.detailsOf(
              event === undefined ? one.event_id : texts.match.vs(event.home_team.name, event.away_team.name),
            )}
            onClick={() => toggle(one.id)}
          >
            {isOpen ? '▴' : '▾'}
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr class="signal-details">
          <td colSpan={8}>
            <SignalDetails signal={one} />
          </td>
        </tr>
      )}
    </>
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
