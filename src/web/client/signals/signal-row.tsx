// One signal as a row of its tab, and below it its details once the visitor opens them.

import { signal } from '@preact/signals';
import { mirror } from '../board/state.ts';
import { chosenFormat, chosenPriceText } from '../data/chosen-format.ts';
import type { Fixture } from '../data/mirror.ts';
import {
  ageText,
  dayText,
  edgeText,
  isInSeconds,
  oneDigitText,
  priceText,
  shareText,
  timeText,
} from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import { toggle } from '../data/setting.ts';
import { betOf, type ListedSignal, type SignalBet } from '../data/signal-book.ts';
import { matchPath, parameter } from '../data/view.ts';
import { matchTexts } from '../match/match-texts.ts';
import { nowMs, slowNowMs } from '../parts/ticking.ts';
import { texts } from '../texts.ts';
import { SignalDetails } from './signal-details.tsx';
import { betText, legText, sizeText } from './signal-texts.ts';

/** The signals whose details are open, by id. */
const opened = signal<ReadonlySet<string>>(new Set());

type SettledKind = keyof typeof texts.signals.settles;

interface SignalRowProps {
  readonly signal: ListedSignal;
  /** Whether the signal closed while the pointer held the rows. */
  readonly isClosed: boolean;
}

export function SignalRow({ signal: one, isClosed }: SignalRowProps) {
  const fixture = mirror.get(one.event_id);
  const event = fixture?.event;
  const bet = betOf(one);
  if (bet === null) return null;
  const isOpen = opened.value.has(one.id);
  const match =
    event === undefined ? one.event_id : matchTexts.vs(event.home_team.name, event.away_team.name);
  return (
    <>
      <tr class={isClosed ? 'is-closed' : undefined}>
        <td class="size">{sizeText(one)} %</td>
        <th scope="row">
          <a href={matchPath(one.event_id)}>{match}</a>
          <br />
          <span class="quiet">
            {event?.league.name}
            {fixture !== undefined && ` · ${whenText(fixture)}`}
          </span>
        </th>
        <td class="signal-bet">{betText(one, bet)}</td>
        <td class="signal-prices">
          <Prices signal={one} bet={bet} />
        </td>
        {one.low_hold === null && (
          <td class="signal-settled" data-label={texts.signals.settles[one.kind as SettledKind]}>
            <Settled signal={one} />
          </td>
        )}
        {isClosed ? (
          <td class="signal-closed" colSpan={2}>
            {texts.signals.closed}
          </td>
        ) : (
          <Ages signal={one} />
        )}
        <td class="signal-open">
          <button
            type="button"
            class="chip"
            aria-expanded={isOpen}
            aria-label={texts.signals.detailsOf(match)}
            onClick={() => toggle(opened, one.id)}
          >
            {isOpen ? '▴' : '▾'}
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr class="signal-details">
          <td colSpan={one.low_hold === null ? 8 : 7}>
            <SignalDetails signal={one} bet={bet} />
          </td>
        </tr>
      )}
    </>
  );
}

/** When the match begins, or that it is in play. */
function whenText({ event: { scheduled_at: iso }, state }: Fixture): string {
  if (state.status === 'live') return texts.signals.inPlayNow;
  const zone = parameter('timezone');
  return iso === null ? texts.board.kickoffUnknown : `${dayText(iso, zone)} ${timeText(iso, zone)}`;
}

function Prices({
  signal: { value_bet: value },
  bet,
}: {
  readonly signal: ListedSignal;
  readonly bet: SignalBet;
}) {
  if (value !== null) {
    return (
      <>
        <strong>{priceText(value.price, value.format)}</strong> {bookmakerName(value.bookmaker)}
        <br />
        <span class="quiet">
          {texts.signals.fair} {chosenPriceText(value.fair_price)}
        </span>
      </>
    );
  }
  return (
    <>
      {bet.legs.map((leg) => (
        <div key={leg.outcome}>
          {legText(leg, bet)} <strong>{priceText(leg.price, chosenFormat())}</strong>{' '}
          {bookmakerName(leg.bookmaker)}
        </div>
      ))}
    </>
  );
}

function Settled({ signal: one }: { readonly signal: ListedSignal }) {
  const { value_bet: bet, opportunity, middle } = one;
  if (bet !== null) {
    return bet.ev_pct === null ? null : <>{edgeText(bet.ev_pct)} %</>;
  }
  if (middle !== null) {
    return (
      <>
        {shareText(middle.both_win_prob)}
        <br />
        <span class="quiet">{texts.signals.worst(percentText(middle.worst_pct))}</span>
      </>
    );
  }
  if (opportunity === null) return null;
  return (
    <>{texts.signals.settledRange(percentText(opportunity.worst_pct), percentText(opportunity.best_pct))}</>
  );
}

function percentText(percent: number): string {
  return `${oneDigitText(percent)} %`;
}

function Ages({ signal: { oldest_age_s, receivedAtMs, opened_at } }: { readonly signal: ListedSignal }) {
  return (
    <>
      <td class="signal-oldest">{passingAge(receivedAtMs - oldest_age_s * 1_000)}</td>
      <td class="signal-life">{passingAge(Date.parse(opened_at))}</td>
    </>
  );
}

/** An age that is drawn again as time passes: every second while it is shown in seconds. */
function passingAge(sinceMs: number): string {
  const ageMs = slowNowMs.value - sinceMs;
  return ageText(isInSeconds(ageMs) ? nowMs.value - sinceMs : ageMs);
}
