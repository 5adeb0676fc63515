// The chart of a match, from the price history: tabs for market, line and outcome, and the chart, which is
// loaded when it is first shown.

import { type Signal, useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { EventHistory } from '../../../../contract/history.ts';
import type { Outcome } from '../../../../domain/catalogue.ts';
import { ApiFailure } from '../../data/api.ts';
import { lineText } from '../../data/number-words.ts';
import { texts } from '../../texts.ts';
import { matchTexts } from '../match-texts.ts';
import { type ApiCall, Pane } from '../pane.tsx';
import {
  type ChartData,
  type ChartPoint,
  callHistory,
  chartOf,
  historyPath,
  type LineChoice,
} from './tape.ts';

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

type Loaded =
  | { readonly key: string; readonly history: EventHistory }
  | { readonly key: string; readonly failure: ApiFailure };

export function ChartPane({ eventId, lines, seen, version, onNone }: ChartPaneProps) {
  const chosen = useSignal<string | null>(null);
  const chosenOutcome = useSignal<Outcome | null>(null);
  const loaded = useSignal<Loaded | null>(null);
  const line = lines.find((one) => keyOf(one) === chosen.value) ?? lines[0];
  const key = line === undefined ? '' : keyOf(line);
  useEffect(() => {
    if (line === undefined) return;
    // Whether another line was chosen meanwhile: a late answer must not replace the answer for that line.
    let isOver = false;
    callHistory(eventId, line).then(
      (history) => {
        if (!isOver) loaded.value = { key, history };
      },
      (error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error;
        if (isOver) return;
        if (error.status === 404 || error.status === 402) onNone();
        else loaded.value = { key, failure: error };
      },
    );
    return () => {
      isOver = true;
    };
  }, [key]);
  if (line === undefined) return null;
  const outcome = line.outcomes.find((one) => one === chosenOutcome.value) ?? line.outcomes[0]!;
  const now = loaded.value;
  return (
    <Pane title={matchTexts.movement} call={apiCall(eventId, line)}>
      <LineTabs lines={lines} line={line} chosen={chosen} />
      <Tabs
        label={matchTexts.outcome}
        options={line.outcomes.map((one) => [one, texts.outcomes[one]!] as const)}
        value={outcome}
        onChoose={(one) => {
          chosenOutcome.value = one as Outcome;
        }}
      />
      {now?.key === key && 'failure' in now && (
        <p class="pane-note" role="alert">
          {now.failure.message} {now.failure.fix}
        </p>
      )}
      {now?.key === key && 'history' in now ? (
        <Drawn history={now.history} line={line} outcome={outcome} seen={seen} version={version} />
      ) : (
        <div class="chart-space" />
      )}
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

type Chart = ComponentType<{ readonly data: ChartData; readonly label: string }>;

function Drawn({ history, line, outcome, seen, version }: DrawnProps) {
  const chart = useSignal<Chart | null>(null);
  useEffect(() => {
    void import('./price-chart.tsx').then(({ PriceChart }) => {
      chart.value = PriceChart;
    });
  }, []);
  const data = useMemo(
    () => chartOf(history, outcome, (bookmaker) => seen(line, bookmaker, outcome)),
    [history, outcome, version],
  );
  const Chart = chart.value;
  if (Chart === null) return <div class="chart-space" />;
  if (data.series.length === 0) return <p class="pane-note quiet">{matchTexts.noTape}</p>;
  return <Chart data={data} label={`${matchTexts.movement}: ${nameOf(line)} ${texts.outcomes[outcome]}`} />;
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
  const choose = (key: string): void => {
    chosen.value = key;
  };
  return (
    <>
      <Tabs
        label={texts.board.market}
        options={markets.map(([, [first]]) => [
          keyOf(first!),
          `${texts.periodMarks[first!.period]}${texts.markets[first!.market]}`,
        ])}
        value={keyOf(markets.find(([key]) => key === marketOf(line))![1][0]!)}
        onChoose={choose}
      />
      {own.length > 1 && (
        <Tabs
          label={matchTexts.line}
          options={own.map((one) => [keyOf(one), lineText(one.line ?? 0, one.market === 'asian_handicap')])}
          value={keyOf(line)}
          onChoose={choose}
        />
      )}
    </>
  );
}

interface TabsProps {
  readonly label: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

function Tabs({ label, options, value, onChoose }: TabsProps) {
  return (
    <fieldset class="choices">
      <legend class="visually-hidden">{label}</legend>
      {options.map(([one, words]) => (
        <button
          key={one}
          type="button"
          class="chip"
          aria-pressed={one === value}
          onClick={() => onChoose(one)}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}

function keyOf({ market, period, line }: LineChoice): string {
  return `${market} ${period} ${line}`;
}

function nameOf({ market, period, line }: LineChoice): string {
  const name = `${texts.periodMarks[period]}${texts.marketMarks[market]}`;
  return line === null ? name : `${name} ${lineText(line, market === 'asian_handicap')}`;
}
