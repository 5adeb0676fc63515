// What became of a match that is over: its closing prices, and how every line settled.

import type { EventClosing } from '../../../contract/history.ts';
import type { EventSettlement } from '../../../contract/record/settlement.ts';
import type { Outcome } from '../../../domain/catalogue.ts';
import { ApiFailure, callJson } from '../data/api.ts';
import { chosenFormat } from '../data/chosen-format.ts';
import { lineText, priceText } from '../data/number-words.ts';
import { bookmakerName, pageSettings } from '../data/page-settings.ts';
import { lineKey } from '../data/quote.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { texts } from '../texts.ts';
import { Loaded } from './loaded.tsx';
import { matchTexts } from './match-texts.ts';
import { Pane } from './pane.tsx';

/**
 * Each part is null when the server keeps no price history, or the plan does not reach back to this match.
 */
interface After {
  readonly closing: EventClosing | null;
  readonly settlement: EventSettlement | null;
}

export function AfterPane({ eventId }: { readonly eventId: string }) {
  const path = `/v1/events/${encodeURIComponent(eventId)}`;
  const load = async (): Promise<After> => {
    const [closing, settlement] = await Promise.all([
      orNull(callJson<EventClosing>(`${path}/closing?format=${chosenFormat()}`)),
      orNull(callJson<EventSettlement>(`${path}/settlement`)),
    ]);
    return { closing, settlement };
  };
  return (
    <Pane title={matchTexts.after} call={{ path: `${path}/settlement` }}>
      {pageSettings.hasHistory ? (
        <Loaded subject={eventId} load={load}>
          {(after) => <Settled after={after} />}
        </Loaded>
      ) : (
        <p class="pane-note quiet">{matchTexts.notKept}</p>
      )}
    </Pane>
  );
}

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiFailure && (error.status === 404 || error.status === 402)) return null;
    throw error;
  }
}

function Settled({ after: { closing, settlement } }: { readonly after: After }) {
  if (closing === null) return <p class="pane-note quiet">{matchTexts.notKept}</p>;
  if (closing.closing.length === 0) return <p class="pane-note quiet">{matchTexts.noClosing}</p>;
  const results = new Map(
    (settlement?.settlement ?? []).flatMap((line) =>
      line.outcomes.map(({ outcome, result }) => [`${lineKey(line)} ${outcome}`, result] as const),
    ),
  );
  const lines = [...Map.groupBy(closing.closing, (quote) => lineKey(quote))];
  const quoted = new Set(closing.closing.map(({ bookmaker }) => bookmaker));
  const books = pageSettings.bookmakers.map(({ key }) => key).filter((key) => quoted.has(key));
  return (
    <>
      {settlement !== null && (
        <p class="pane-note">
          {matchTexts.settledBy(
            scoreText(settlement.score),
            settlement.half_time_score === null ? null : scoreText(settlement.half_time_score),
          )}
        </p>
      )}
      <ScrollRegion label={matchTexts.after}>
        <table class="plain-table after-table">
          <thead>
            <tr>
              <th scope="col">{matchTexts.line}</th>
              <th scope="col">{matchTexts.outcome}</th>
              <th scope="col">{matchTexts.result}</th>
              {books.map((key) => (
                <th key={key} scope="col" class="number">
                  {bookmakerName(key)}
                </th>
              ))}
            </tr>
          </thead>
          {lines.map(([key, quotes]) => (
            <ClosingLine key={key} name={key} quotes={quotes} books={books} results={results} />
          ))}
        </table>
      </ScrollRegion>
    </>
  );
}

interface ClosingLineProps {
  readonly name: string;
  readonly quotes: EventClosing['closing'];
  readonly books: readonly string[];
  /** The results, by line and outcome. */
  readonly results: ReadonlyMap<string, string>;
}

/** One line: a row per outcome with its result, and each bookmaker's closing price. */
function ClosingLine({ name, quotes, books, results }: ClosingLineProps) {
  const { market_type, period, line, prices } = quotes[0]!;
  const byBook = new Map(quotes.map((quote) => [quote.bookmaker as string, quote]));
  const outcomes = Object.keys(prices) as Outcome[];
  const market = `${texts.periodMarks[period]}${texts.marketMarks[market_type]}`;
  return (
    <tbody>
      {outcomes.map((outcome, index) => {
        const result = results.get(`${name} ${outcome}`);
        return (
          <tr key={outcome}>
            {index === 0 && (
              <th scope="rowgroup" rowSpan={outcomes.length}>
                {market} {line === null ? '' : lineText(line, market_type === 'asian_handicap')}
              </th>
            )}
            <th scope="row">{texts.outcomes[outcome]}</th>
            <td class={`result-${result ?? 'unknown'}`}>
              {result === undefined ? '–' : (matchTexts.settled[result] ?? result)}
            </td>
            {books.map((key) => {
              const price = byBook.get(key)?.prices[outcome];
              return (
                <td key={key} class="number">
                  {price === undefined ? '–' : priceText(price, chosenFormat())}
                </td>
              );
            })}
          </tr>
        );
      })}
    </tbody>
  );
}

function scoreText({ home, away }: { readonly home: number; readonly away: number }): string {
  return `${home} – ${away}`;
}
