// Fair probabilities and the bookmaker they come from, the prices above them, and what was left out and why.

import { useSignal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import type { CompareLinesResult, ValueBet } from '../../../contract/comparison.ts';
import { callJson } from '../data/api.ts';
import { chosenFormat, chosenPriceText } from '../data/chosen-format.ts';
import { type BestPrice, marketGrids } from '../data/lines/market-lines.ts';
import type { Fixture } from '../data/mirror.ts';
import { ageText, lineText, oneDigitText, priceText, shareText } from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import { quoteKey } from '../data/quote.ts';
import type { SharpLineAnswer, ValueAnswer } from '../data/tool-answers.ts';
import { Excluded } from '../parts/excluded.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { nowMs } from '../parts/ticking.ts';
import { texts } from '../texts.ts';
import { OnRequest } from './on-request.tsx';
import { Pane } from './pane.tsx';

export function FairPane({ fixture }: { readonly fixture: Fixture }) {
  const market = useSignal('1x2');
  const format = chosenFormat();
  const call = { path: '/v1/mcp/find_value', body: { query: fixture.id, format } };
  const load = async () => {
    const body = { query: fixture.id, market_type: market.value, format };
    const [sharp, value] = await Promise.all([
      callJson<SharpLineAnswer>('/v1/mcp/get_sharp_line', { method: 'POST', body }),
      callJson<ValueAnswer>(call.path, { method: 'POST', body: call.body }),
    ]);
    return { sharp, value };
  };
  return (
    <Pane title={texts.match.fair} call={call}>
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
      <OnRequest subject={market.value} fixture={fixture} units={2} load={load}>
        {({ sharp, value }, atMs) => (
          <>
            <FairTable fixture={fixture} comparison={sharp.comparison} />
            <ValueList fixture={fixture} value={value} atMs={atMs} />
          </>
        )}
      </OnRequest>
    </Pane>
  );
}

interface FairTableProps {
  readonly fixture: Fixture;
  readonly comparison: Static<typeof CompareLinesResult> | null;
}

/** Best prices are the current ones, as in the prices pane. */
function FairTable({ fixture, comparison }: FairTableProps) {
  void fixture.version.value;
  const methods = comparison?.fair_methods ?? null;
  if (comparison === null || methods === null || comparison.fair_from === null) {
    return <p class="pane-note quiet">{texts.match.noFair}</p>;
  }
  const { fair_odds: odds, line, market_type: market, period } = comparison;
  const grid = marketGrids(fixture).find((one) => one.market === market && one.period === period);
  const best = grid?.lines.find((one) => one.line === line)?.best;
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
      <ScrollRegion label={texts.match.fair}>
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
            {comparison.best_prices.map(({ outcome }) => (
              <tr key={outcome}>
                <th scope="row">{texts.outcomes[outcome]}</th>
                {Object.values(methods).map((method, index) => (
                  <td key={index}>{shareText((method as Record<string, number>)[outcome] ?? 0)}</td>
                ))}
                <td>{chosenPriceText(odds?.[outcome] ?? 0)}</td>
                <td>
                  <Best best={best?.get(outcome)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}

function Best({ best }: { readonly best: BestPrice | undefined }) {
  if (best === undefined) return <>–</>;
  return (
    <>
      {priceText(best.price, chosenFormat())} <span class="quiet">{bookmakerName(best.bookmaker)}</span>
    </>
  );
}

interface ValueListProps {
  readonly fixture: Fixture;
  readonly value: ValueAnswer;
  readonly atMs: number;
}

function ValueList({ fixture, value, atMs }: ValueListProps) {
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
              {texts.outcomes[bet.outcome]} <OfferedPrice fixture={fixture} bet={bet} />{' '}
              {bookmakerName(bet.bookmaker)}
              <span class="quiet">
                {' '}
                <Age ms={bet.age_s * 1_000} atMs={atMs} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Excluded counts={value.excluded} />
    </>
  );
}

/** The price of a bet. Once it has moved it is struck through, with the current price next to it. */
function OfferedPrice({
  fixture,
  bet,
}: {
  readonly fixture: Fixture;
  readonly bet: Static<typeof ValueBet>;
}) {
  void fixture.version.value;
  const text = priceText(bet.price, bet.format);
  const quote = fixture.quotes.get(quoteKey(bet));
  const price = quote?.status === 'open' ? (quote.prices[bet.outcome] ?? 0) : 0;
  if (price === bet.price) return <>{text}</>;
  return (
    <>
      <s class="quiet">{text}</s>{' '}
      {price === 0 ? texts.board.suspended : texts.match.nowAt(priceText(price, bet.format))}
    </>
  );
}

/** An age from the answer, updated as time passes since the answer arrived. */
function Age({ ms, atMs }: { readonly ms: number; readonly atMs: number }) {
  return <>{ageText(ms + Math.max(0, nowMs.value - atMs))}</>;
}
