// Teams, score, clock and kickoff, and the two timestamps of the prices: from the feed and from this server.

import type { Static } from '@sinclair/typebox';
import type { Event } from '../../../contract/event.ts';
import type { Result } from '../../../contract/results.ts';
import type { Fixture } from '../data/mirror.ts';
import { clockText, dateTimeText, secondText } from '../data/number-words.ts';
import { parameter } from '../data/view.ts';
import { Fact } from '../parts/plain-table.tsx';
import { texts } from '../texts.ts';
import { matchTexts } from './match-texts.ts';
import { follower, mirror } from './state.ts';

interface MatchHeadProps {
  readonly event: Event;
  readonly fixture: Fixture | undefined;
}

export function MatchHead({ event, fixture }: MatchHeadProps) {
  void fixture?.version.value;
  const zone = parameter('timezone');
  const state = fixture?.state;
  const confirmedAtMs = fixture === undefined ? null : mirror.confirmedAtMs(fixture);
  const heardAtMs = follower.heardAtMs.value;
  return (
    <header class="match-head">
      <p class="quiet">
        {event.league.name} · {texts.sports[event.sport]}
      </p>
      <h1>{matchTexts.vs(event.home_team.name, event.away_team.name)}</h1>
      {state?.score != null && (
        <p class="match-score">
          {state.score.home} – {state.score.away}
          {state.cards !== null && state.cards.home + state.cards.away > 0 && (
            <span class="match-cards">
              {matchTexts.redCards} {state.cards.home} – {state.cards.away}
            </span>
          )}
        </p>
      )}
      <dl class="facts">
        <Fact name={texts.board.status}>
          {state?.status === 'live' ? (
            <>
              <span class="live-dot" aria-hidden="true" />{' '}
              {state.clock === null ? texts.statuses.live : clockText(state.clock)}
            </>
          ) : (
            texts.statuses[state?.status ?? event.status]
          )}
        </Fact>
        {event.scheduled_at !== null && (
          <Fact name={matchTexts.kickoff}>
            <time dateTime={event.scheduled_at}>{dateTimeText(event.scheduled_at, zone)}</time>
          </Fact>
        )}
        {confirmedAtMs !== null && (
          <Fact name={matchTexts.sourceTime}>{secondText(confirmedAtMs, zone)}</Fact>
        )}
        {heardAtMs !== null && <Fact name={matchTexts.received}>{secondText(heardAtMs, zone)}</Fact>}
      </dl>
    </header>
  );
}

/** The result of a match that has left the slate. */
export function ResultHead({ result }: { readonly result: Static<typeof Result> }) {
  const zone = parameter('timezone');
  const { score, red_cards: cards } = result;
  return (
    <header class="match-head">
      <p class="quiet">{result.league}</p>
      <h1>{matchTexts.vs(result.home_team ?? '–', result.away_team ?? '–')}</h1>
      <p class="match-score">{score === null ? '–' : `${score.home} – ${score.away}`}</p>
      <dl class="facts">
        <Fact name={matchTexts.finished}>{dateTimeText(result.finished_at, zone)}</Fact>
        {cards !== null && (
          <Fact name={matchTexts.redCards}>
            {cards.home} – {cards.away}
          </Fact>
        )}
      </dl>
    </header>
  );
}
