// The chart of a match, from the price history: tabs for market, line and outcome, and the chart, which is
// loaded when it is first shown.

import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { EventHistory } from '../../../../contract/history.ts';
import type { Outcome } from '../../../../domain/catalogue.ts';
import { lineText } from '../../data/number-words.ts';
import { into } from '../../data/setting.ts';
import { ChartSpace, lazy } from '../../parts/lazy.tsx';
import { marketLabel } from '../../parts/market-table.tsx';
import { Segments } from '../../parts/one-of.tsx';
import { texts } from '../../texts.ts';
import { Loaded } from '../loaded.tsx';
import { matchTexts } from '../match-texts.ts';
import { type ApiCall, Pane } from '../pane.tsx';
import { type ChartPoint, callHistory, chartOf, historyPath, type LineChoice } from './tape.ts';

export interface ChartLine extends LineChoice {
  readonly outcomes: readonly Outcome[];
}

interface ChartPaneProps {
  readonly eventId: string;
  readonly lines: readonly ChartLine[];
  /** Prices since the history's end, as the page saw them. */
  readonly seen: (line: ChartLine, bookmaker: string, outcome: Outcome) => readonly ChartPoint[];
  /** Rises when the page has seen new prices. */
  readonly version: number;
  /** Called when the server keeps no history, or the plan does not include it. */
  readonly onNone: () => void;
}

export function ChartPane({ eventId, lines, seen, version, onNone }: ChartPaneProps) {
  const chosen = useSignal<string | null>(null);
  const chosenOutcome = useSignal<Outcome | null>(null);
  const line = lines.find((one) => keyOf(one) === chosen.value) ?? lines[0];
  if (line === undefined) return null;
  const outcome = line.outcomes.find((one) => one === chosenOutcome.value) ?? line.outcomes[0]!;
  return (
    <Pane title={matchTexts.movement} call={apiCall(eventId, line)}>
      <LineTabs lines={lines} line={line} chosen={chosen} />
      <Segments
        isChips
        label={matchTexts.outcome}
        options={line.outcomes.map((one) => [one, texts.outcomes[one]!])}
        value={outcome}
        onChoose={into(chosenOutcome)}
      />
      <Loaded
        subject={keyOf(line)}
        load={() => callHistory(eventId, line)}
        onFailure={({ status }) => {
          if (status === 404 || status === 402) onNone();
        }}
        Space={ChartSpace}
      >
        {(history) => <Drawn history={history} line={line} outcome={outcome} seen={seen} version={version} />}
      </Loaded>
    </Pane>
  );
}

function apiCall(eventId: string, { market, period, line }: ChartLine): ApiCall {
  const query = new URLSearchParams({ markets: market, period });
  if (line !== null) query.set('line', String(line));
  return { path: historyPath(eventId, query) };
}

interface DrawnProps extends Pick<ChartPaneProps, 'seen' | 'version'> {
  readonly history: EventHistory;
  readonly line: ChartLine;
  readonly outcome: Outcome;
}

const PriceChart = lazy(async () => (await import('./price-chart.tsx')).PriceChart);

function Drawn({ history, line, outcome, seen, version }: DrawnProps) {
  const data = useMemo(
    () => chartOf(history, outcome, (bookmaker) => seen(line, bookmaker, outcome)),
    [history, outcome, version],
  );
  if (data.series.length === 0) return <p class="pane-note quiet">{matchTexts.noTape}</p>;
  return (
    <PriceChart
      data={data}
      label={`${matchTexts.movement}: ${marketLabel(line, line)} ${texts.outcomes[outcome]}`}
    />
  );
}

interface LineTabsProps {
  readonly lines: readonly ChartLine[];
  readonly line: ChartLine;
  readonly chosen: Signal<string | null>;
}

/** One tab for each market, and one for each line of the chosen market. */
function LineTabs({ lines, line, chosen }: LineTabsProps) {
  const marketOf = ({ market, period }: ChartLine): string => `${market} ${period}`;
  const markets = [...Map.groupBy(lines, marketOf)];
  const own = lines.filter((one) => marketOf(one) === marketOf(line));
  const choose = into(chosen);
  return (
    <>
      <Segments
        isChips
        label={texts.board.market}
        options={markets.map(([, [first]]) => [
          keyOf(first!),
          `${texts.periodMarks[first!.period]}${texts.markets[first!.market]}`,
        ])}
        value={keyOf(markets.find(([key]) => key === marketOf(line))![1][0]!)}
        onChoose={choose}
      />
      {own.length > 1 && (
        <Segments
          isChips
          label={matchTexts.line}
          options={own.map((one) => [keyOf(one), lineText(one.line ?? 0, one.market === 'asian_handicap')])}
          value={keyOf(line)}
          onChoose={choose}
        />
      )}
    </>
  );
}

function keyOf({ market, period, line }: LineChoice): string {
  return `${market} ${period} ${line}`;
}
