// The heat map of final scores, the fitted rates, and how well the handicap market agrees.

import { topScorelines } from '../../../domain/goal-model.ts';
import type { Fixture } from '../data/mirror.ts';
import { oneDigitText, shareText, twoDigitText } from '../data/number-words.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { matchTexts } from './match-texts.ts';
import { Pane } from './pane.tsx';
import { type FittedScores, fitScores, scoreGrid } from './scores-fit.ts';

const SIZE = 7;
/** How many steps the heat map's shades have above the palest one. */
const SHADES = 7;

export function ScoresPane({ fixture }: { readonly fixture: Fixture }) {
  void fixture.version.value;
  const isFootball = fixture.event.sport === 'football';
  const fitted = isFootball ? fitScores(fixture) : null;
  return (
    <Pane
      title={matchTexts.scores}
      call={{ path: '/v1/mcp/score_prob', body: { query: fixture.id, top: 10 } }}
    >
      {fitted === null ? (
        <p class="pane-note quiet">{isFootball ? matchTexts.noScores : matchTexts.notFootball}</p>
      ) : (
        <HeatMap fixture={fixture} fitted={fitted} />
      )}
    </Pane>
  );
}

function HeatMap({ fixture, fitted }: { readonly fixture: Fixture; readonly fitted: FittedScores }) {
  const { fit, score } = fitted;
  const { lambdaHome: home, lambdaAway: away } = fit.rates;
  const { event, state } = fixture;
  const size = Math.max(SIZE, Math.max(score.home, score.away) + 3);
  const grid = scoreGrid(fitted, size);
  const highest = Math.max(...grid.flat());
  const names = [event.home_team.name, twoDigitText(home), event.away_team.name, twoDigitText(away)] as const;
  const heading = (goals: number): string => (goals === size - 1 ? matchTexts.andMore(goals) : String(goals));
  const [first] = topScorelines(fit.rates, score, 1).scorelines;
  const gap = fit.handicapExpectedValue;
  return (
    <>
      <p class="pane-note">
        {first !== undefined &&
          matchTexts.likeliest(`${first.home}–${first.away}`, shareText(first.probability))}{' '}
        {state.status === 'live' ? matchTexts.remainingRates(...names) : matchTexts.rates(...names)}{' '}
        {gap === null
          ? matchTexts.noAgreement
          : matchTexts.agreement(shareText(Math.round(gap * 1_000) / 1_000 || 0))}
      </p>
      <ScrollRegion label={matchTexts.scores}>
        <table class="heat-map">
          <caption class="quiet">
            {matchTexts.scoreRows(event.home_team.name)} ↓ · {matchTexts.scoreColumns(event.away_team.name)} →
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
                  <HeatCell key={other} share={share} highest={highest} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}

function HeatCell({ share, highest }: { readonly share: number; readonly highest: number }) {
  const shade = Math.round((share / highest) * SHADES);
  return (
    <td class={shade === SHADES ? 'likeliest' : undefined} style={`--heat: ${3 + 6 * shade}%`}>
      {share < 0.0005 ? '' : oneDigitText(share * 100)}
    </td>
  );
}
