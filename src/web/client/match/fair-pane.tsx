// Fair probabilities and where they come from, and which prices are above them; what was left out, and why.

import { useSignal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import type { CompareLinesResult } from '../../../contract/comparison.ts';
import { callJson } from '../data/api.ts';
import type { Fixture } from '../data/mirror.ts';
import { ageText, lineText, oneDigitText, priceText, shareText } from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import type { SharpLineAnswer, ValueAnswer } from '../data/tool-answers.ts';
import { Excluded } from '../parts/excluded.tsx';
import { texts } from '../texts.ts';
import { Asked, Pane } from './pane.tsx';

export function FairPane({ fixture }: { readonly fixture: Fixture }) {
  const market = useSignal('1x2');
  const body = { query: fixture.id, market_type: market.value };
  const ask = async () => {
    const [sharp, value] = await Promise.all([
      callJson<SharpLineAnswer>('/v1/mcp/get_sharp_line', { method: 'POST', body }),
      callJson<ValueAnswer>('/v1/mcp/find_value', { method: 'POST', body: { query: fixture.id } }),
    ]);
    return { sharp, value };
  };
  return (
    <Pane title={texts.match.fair} call={{ path: '/v1/mcp/find_value', body: { query: fixture.id } }}>
      <fieldset class="choices">
        <legend class="visually-hidden">{texts.board.market}</legend>
        {Object.entries(texts.markets).map(([key, name]) => (
          <button
            key={key}
            type="button"
            class="chip"
            aria-pressed={market.value === key}
            onClick={() => {
              market.value = key;
            }}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <Asked subject={market.value} units={2} ask={ask}>
        {({ sharp, value }) => (
          <>
            <FairTable comparison={sharp.comparison} />
            <ValueList value={value} />
          </>
        )}
      </Asked>
    </Pane>
  );
}

function FairTable({ comparison }: { readonly comparison: Static<typeof CompareLinesResult> | null }) {
  const methods = comparison?.fair_methods ?? null;
  if (comparison === null || methods === null || comparison.fair_from === null) {
    return <p class="pane-note quiet">{texts.match.noFair}</p>;
  }
  const { fair_odds: odds, line, market_type: market } = comparison;
  const title =
    line === null
      ? texts.markets[market]
      : `${texts.markets[market]} ${lineText(line, market === 'asian_handicap')}`;
  return (
    <>
      <p class="pane-note">
        {title}. {texts.match.fairFrom(bookmakerName(comparison.fair_from))}{' '}
        {comparison.stale && <strong>{texts.match.fairStale}</strong>}
      </p>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{texts.match.outcome}</th>
            {Object.keys(methods).map((method) => (
              <th key={method} scope="col">
                {texts.match.methods[method]}
              </th>
            ))}
            <th scope="col">{texts.match.fairPrice}</th>
            <th scope="col">{texts.match.bestPrice}</th>
          </tr>
        </thead>
        <tbody>
          {comparison.best_prices.map(({ outcome, decimal, bookmaker }) => (
            <tr key={outcome}>
              <th scope="row">{texts.outcomes[outcome]}</th>
              {Object.values(methods).map((method, index) => (
                <td key={index}>{shareText((method as Record<string, number>)[outcome] ?? 0)}</td>
              ))}
              <td>{priceText(Math.round((odds?.[outcome] ?? 0) * 1_000) / 1_000, 'decimal')}</td>
              <td>
                {priceText(decimal, 'decimal')} <span class="quiet">{bookmakerName(bookmaker)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function ValueList({ value }: { readonly value: ValueAnswer }) {
  return (
    <>
      {value.value_bets.length === 0 ? (
        <p class="pane-note">{value.fair_source === null ? value.summary : texts.match.noValue}</p>
      ) : (
        <ul class="value-list">
          {value.value_bets.map((bet) => (
            <li key={`${bet.market_type} ${bet.period} ${bet.line} ${bet.outcome} ${bet.bookmaker}`}>
              <strong>+{oneDigitText(bet.edge_pct)} %</strong> {texts.periodMarks[bet.period]}
              {texts.marketMarks[bet.market_type]}{' '}
              {bet.line === null ? '' : lineText(bet.line, bet.market_type === 'asian_handicap')}{' '}
              {texts.outcomes[bet.outcome]} {priceText(bet.decimal, 'decimal')} {bookmakerName(bet.bookmaker)}
              <span class="quiet"> {ageText(bet.age_s * 1_000)}</span>
            </li>
          ))}
        </ul>
      )}
      <Excluded counts={value.excluded} />
    </>
  );
}
