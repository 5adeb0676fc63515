// How prices moved: the price history where the server keeps one and the plan includes it. Otherwise the
// opening from the server, then what this page saw.

import { useSignal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { useMemo } from 'preact/hooks';
import { systemClock } from '../../../clock.ts';
import type { BatchOpenings, EventOpening } from '../../../contract/odds.ts';
import type { Outcome } from '../../../domain/catalogue.ts';
import { toDecimal } from '../../../domain/shown-prices.ts';
import { callJson, localMsOf } from '../data/api.ts';
import { chosenFormat, chosenPriceText } from '../data/chosen-format.ts';
import { type LineGrid, type MarketGrid, marketGrids } from '../data/lines/market-lines.ts';
import type { Fixture } from '../data/mirror.ts';
import { dateTimeText, shareText, timeText } from '../data/number-words.ts';
import { bookmakerName, pageSettings, SHARP_BOOKS } from '../data/page-settings.ts';
import { lineKey } from '../data/quote.ts';
import { into, setting } from '../data/setting.ts';
import { parameter } from '../data/view.ts';
import { lazy } from '../parts/lazy.tsx';
import { marketLabel } from '../parts/market-table.tsx';
import { Select } from '../parts/one-of.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import type { PlotLine } from '../parts/plot.tsx';
import { TableSwitch } from '../parts/table-switch.tsx';
import { texts } from '../texts.ts';
import { type ChartLine, ChartPane } from './chart/chart-pane.tsx';
import { Loaded } from './loaded.tsx';
import { matchTexts } from './match-texts.ts';
import { type ApiCall, Pane } from './pane.tsx';
import type { LoggedPrice } from './price-log.ts';
import { log, mirror } from './state.ts';

type Opening = Static<typeof EventOpening>;

export function MovementPane({ fixture }: { readonly fixture: Fixture }) {
  const hasTape = useSignal(pageSettings.hasHistory);
  const lines = useMemo(() => chartLines(fixture), [[...fixture.quotes.keys()].join()]);
  if (!hasTape.value) return <OpeningPane fixture={fixture} />;
  return (
    <ChartPane
      eventId={fixture.id}
      lines={lines}
      seen={({ market, period, line }, bookmaker, outcome) =>
        log
          .of(lineKey({ market_type: market, period, line }), bookmaker, outcome)
          .map(({ atMs, decimal }) => ({ atMs, price: decimal }))
      }
      version={log.version.value}
      onNone={setting(hasTape, false)}
    />
  );
}

function chartLines(fixture: Fixture): readonly ChartLine[] {
  return marketGrids(fixture).flatMap(({ market, period, lines }) =>
    lines.map(({ line, outcomes }) => ({ market, period, line, outcomes })),
  );
}

/** The pane without a price history: the server keeps none, or the caller's plan does not include it. */
function OpeningPane({ fixture }: { readonly fixture: Fixture }) {
  // Request the openings in the format of the shown prices: in another format, rounding would look like a
  // move.
  const call = {
    path: '/v1/openings/batch',
    body: { event_ids: [fixture.id], format: chosenFormat() },
  };
  return (
    <Pane title={matchTexts.movement} call={call}>
      <Loaded subject={fixture.id} load={() => requestOpening(call)}>
        {(opening) =>
          opening === null ? (
            <p class="pane-note quiet">{matchTexts.noOpening}</p>
          ) : (
            <Movement fixture={fixture} opening={opening} />
          )
        }
      </Loaded>
    </Pane>
  );
}

/** @returns null for a fixture that has just left the slate */
async function requestOpening({ path, body }: Required<ApiCall>): Promise<Opening | null> {
  const { data } = await callJson<BatchOpenings>(path, { method: 'POST', body });
  const opening = data[0] ?? null;
  if (opening !== null) mirror.open(opening);
  return opening;
}

function Movement({ fixture, opening }: { readonly fixture: Fixture; readonly opening: Opening }) {
  const chosen = useSignal<string | null>(null);
  const chosenOutcome = useSignal<Outcome | null>(null);
  const isTable = useSignal(false);
  void log.version.value;
  const choices = marketGrids(fixture).flatMap((grid) => grid.lines.map((line) => ({ grid, line })));
  const shown = choices.find(({ line }) => line.key === chosen.value) ?? choices[0];
  if (shown === undefined) return <p class="pane-note quiet">{texts.board.noOdds}</p>;
  const outcome = shown.line.outcomes.find((one) => one === chosenOutcome.value) ?? shown.line.outcomes[0]!;
  return (
    <>
      <div class="choices">
        <Select
          label={matchTexts.market}
          options={choices.map(({ grid, line }) => [line.key, marketLabel(grid, line)])}
          value={shown.line.key}
          onChoose={into(chosen)}
        />
        <Select
          label={matchTexts.outcome}
          options={shown.line.outcomes.map((one) => [one, texts.outcomes[one]!])}
          value={outcome}
          onChoose={into(chosenOutcome)}
        />
        <TableSwitch isTable={isTable} />
      </div>
      {isTable.value ? (
        <MoveTable {...shown} outcome={outcome} opening={opening} />
      ) : (
        <MoveChart {...shown} outcome={outcome} opening={opening} />
      )}
      <p class="pane-note quiet">
        {opening.source === 'upstream' ? matchTexts.openedUpstream : matchTexts.openedFirstSeen}
      </p>
    </>
  );
}

interface MoveProps {
  readonly grid: MarketGrid;
  readonly line: LineGrid;
  readonly outcome: Outcome;
  readonly opening: Opening;
}

/** The known prices of one bookmaker over time: its opening, then what the page saw. */
function pathOf({ line, outcome, opening }: MoveProps, bookmaker: string): readonly LoggedPrice[] {
  const first = opening.opening.find((one) => one.bookmaker === bookmaker && lineKey(one) === line.key);
  const seen = log.of(line.key, bookmaker, outcome);
  const price = first?.prices[outcome];
  if (first?.opened_at == null || price === undefined) return seen;
  return [{ atMs: localMsOf(first.opened_at), decimal: toDecimal(price, first.format) }, ...seen];
}

function booksOf({ line }: MoveProps): readonly string[] {
  return pageSettings.bookmakers.map(({ key }) => key).filter((key) => line.quotes.has(key));
}

const Plot = lazy(async () => (await import('../parts/plot.tsx')).Plot);

function MoveChart(props: MoveProps) {
  const { times, lines } = chartOf(props);
  const label = `${matchTexts.movement}: ${marketLabel(props.grid, props.line)} ${texts.outcomes[props.outcome]}`;
  return (
    <Plot
      label={label}
      height={240}
      times={times}
      lines={lines}
      kind="steps"
      valueText={chosenPriceText}
      timeText={(ms) => timeText(new Date(ms).toISOString(), parameter('timezone'))}
    />
  );
}

/** Every time at which a price moved, and each bookmaker's price at each of those times. */
function chartOf(props: MoveProps): {
  readonly times: readonly number[];
  readonly lines: readonly PlotLine[];
} {
  const paths = booksOf(props).map((key) => ({ key, path: pathOf(props, key) }));
  const nowMs = systemClock.wallMs();
  const all = new Set(paths.flatMap(({ path }) => path.map(({ atMs }) => atMs)));
  const times = [...all, nowMs].sort((one, other) => one - other);
  return {
    times: times.map((ms) => ms / 1_000),
    lines: paths.map(({ key, path }) => ({
      label: bookmakerName(key),
      isHeavy: SHARP_BOOKS.has(key),
      values: times.map((ms) => path.findLast(({ atMs }) => atMs <= ms)?.decimal ?? null),
    })),
  };
}

function MoveTable(props: MoveProps) {
  const zone = parameter('timezone');
  const rows = useMemo(() => booksOf(props).map((key) => ({ key, path: pathOf(props, key) })), [props]);
  return (
    <PlainTable columns={[matchTexts.bookmaker, matchTexts.opening, matchTexts.now, matchTexts.change]}>
      {rows.map(({ key, path }) => {
        const first = path[0];
        const last = path.at(-1);
        // Computed from decimal prices, so that the change means the same in every format.
        const change =
          first?.decimal != null && last?.decimal != null ? last.decimal / first.decimal - 1 : null;
        return (
          <tr key={key}>
            <th scope="row">{bookmakerName(key)}</th>
            <td title={first && dateTimeText(new Date(first.atMs).toISOString(), zone)}>
              {first?.decimal == null ? '–' : chosenPriceText(first.decimal)}
            </td>
            <td>{last?.decimal == null ? texts.board.suspended : chosenPriceText(last.decimal)}</td>
            <td class={change === null || change === 0 ? '' : change > 0 ? 'up' : 'down'}>
              {change === null
                ? ''
                : `${change > 0 ? '▲ ' : change < 0 ? '▼ ' : ''}${shareText(Math.abs(change))}`}
            </td>
          </tr>
        );
      })}
    </PlainTable>
  );
}
