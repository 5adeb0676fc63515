// Score and red cards. A new score is marked for a minute, without flashing.

import type { OddsDeltaState } from '../../../contract/stream/odds-changes.ts';
import { slowNowMs } from '../parts/ticking.ts';
import { texts } from '../texts.ts';

const MARKED_MS = 60_000;
const SIDES = ['home', 'away'] as const;

interface ScoreMarkProps {
  readonly state: OddsDeltaState;
  readonly scoredAtMs: number | null;
}

export function ScoreMark({ state: { score, cards }, scoredAtMs }: ScoreMarkProps) {
  if (score === null) return <div class="score" />;
  return (
    <div class={scoredAtMs === null ? 'score' : 'score was-scored'}>
      {SIDES.map((side) => (
        <span key={side} class="score-side">
          {cards !== null && cards[side] > 0 && (
            <span class="red-card" title={texts.board.redCards(cards[side])}>
              {cards[side]}
              <span class="visually-hidden">{texts.board.redCards(cards[side])}</span>
            </span>
          )}
          <span class="goals">{score[side]}</span>
        </span>
      ))}
      {scoredAtMs !== null && <NewScore scoredAtMs={scoredAtMs} />}
    </div>
  );
}

function NewScore({ scoredAtMs }: { readonly scoredAtMs: number }) {
  if (slowNowMs.value - scoredAtMs > MARKED_MS) return null;
  return (
    <span class="new-score" title={texts.board.justScored}>
      <span aria-hidden="true">●</span>
      <span class="visually-hidden">{texts.board.justScored}</span>
    </span>
  );
}
