// The heat map of final scores, the fitted rates, and how well the handicap market agrees.

import type { Static } from '@sinclair/typebox';
import type { ScoreProbResult } from '../../../contract/probability.ts';
import { callJson } from '../data/api.ts';
import type { Fixture } from '../data/mirror.ts';
import { oneDigitText, shareText } from '../data/number-words.ts';
import { texts } from '../texts.ts';
import { OnRequest } from './on-request.tsx';
import { Pane } from './pane.tsx';
import { scoreGrid } from './score-grid.ts';

type Scores = Static<typeof ScoreProbResult>;

const SIZE = 7;
/** Shades of the heat map. Each is a CSS class, so the document needs no inline style. */
const SHADES = 8;

export function ScoresPane({ fixture }: { readonly fixture: Fixture }) {
  const call = { path: '/v1/mcp/score_prob', body: { query: fixture.id, top: 10 } };
  const { score } = fixture.state;
  return (
    <Pane title={texts.match.scores} call={call}>
      {fixture.event.sport === 'football' ? (
        <OnRequest
          subject={`${score?.home}-${score?.away}`}
          fixture={fixture}
          units={1}
          load={() => callJson<Scores>(call.path, { method: 'POST', body: call.body })}
        >
          {(scores) => <HeatMap fixture={fixture} scores={scores} />}
        </OnRequest>
      ) : (
        <p class="pane-note quiet">{texts.match.notFootball}</p>
      )}
    </Pane>
  );
}

function HeatMap({ fixture, scores }: { readonly fixture: Fixture; readonly scores: Scores }) {
  const { lambda_home: home, lambda_away: away, rho } = scores;
  if (home === null || away === null || rho === null) return <p class="pane-note">{scores.summary}</p>;
  const { event, state } = fixture;
  const isLive = state.status === 'live';
  const score = isLive ? (scores.match?.score ?? { home: 0, away: 0 }) : { home: 0, away: 0 };
  const size = Math.max(SIZE, Math.max(score.home, score.away) + 3);
  const grid = scoreGrid({ home, away, rho, score }, size);
  const highest = Math.max(...grid.flat());
  const names = [event.home_team.name, oneDigitText(home), event.away_team.name, oneDigitText(away)] as const;
  const heading = (goals: number): string =>
    goals === size - 1 ? texts.match.andMore(goals) : String(goals);
  const first = scores.scores[0];
  return (
    <>
      <p class="pane-note">
        {first !== undefined && texts.match.likeliest(first.score, shareText(first.prob))}{' '}
        {isLive ? texts.match.remainingRates(...names) : texts.match.rates(...names)}{' '}
        {scores.ah_ev_check === null
          ? texts.match.noAgreement
          : texts.match.agreement(shareText(Math.round(scores.ah_ev_check * 1_000) / 1_000 || 0))}
      </p>
      <table class="heat-map">
        <caption class="quiet">
          {texts.match.scoreRows(event.home_team.name)} ↓ · {texts.match.scoreColumns(event.away_team.name)} →
        </caption>
        <thead>
          <tr>
            <td />
            {grid.map((_, goals) => (
              <th key={goals} scope="col">
                {heading(goals)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.map((row, goals) => (
            <tr key={goals}>
              <th scope="row">{heading(goals)}</th>
              {row.map((share, other) => (
                <td key={other} class={`shade-${Math.round((share / highest) * (SHADES - 1))}`}>
                  {share < 0.0005 ? '' : oneDigitText(share * 100)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
