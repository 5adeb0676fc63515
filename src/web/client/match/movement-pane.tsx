// Opening against current per bookmaker, as a chart over time: the opening as the server has it, then what this page saw.

import { useSignal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { useMemo } from 'preact/hooks';
import { systemClock } from '../../../clock.ts';
import type { EventOpening } from '../../../contract/odds.ts';
import { callJson } from '../data/api.ts';
import { type LineGrid, type MarketGrid, marketGrids } from '../data/market-lines.ts';
import { type Fixture, lineKey, type Outcome } from '../data/mirror.ts';
import { dateTimeText, priceText, timeText } from '../data/number-words.ts';
import { bookmakerName, pageSettings } from '../data/page-settings.ts';
import { parameter } from '../data/view.ts';
import { marketLabel } from '../parts/market-table.tsx';
import { Plot, type PlotLine } from '../parts/plot.tsx';
import { TableSwitch } from '../parts/table-switch.tsx';
import { texts } from '../texts.ts';
import { Asked, Pane } from './pane.tsx';
import type { LoggedPrice } from './price-log.ts';
import { log, mirror } from './state.ts';

type Opening = Static<typeof EventOpening>;

export function MovementPane({ fixture }: { readonly fixture: Fixture }) {
  const path = `/v1/events/${fixture.id}/opening`;
  return (
    <Pane title={texts.match.movement} call={{ path }}>
      <Asked subject={path} units={1} ask={() => askOpening(path)}>
        {(opening) => <Movement fixture={fixture} opening={opening} />}
      </Asked>
    </Pane>
  );
}

/** Openings come in decimal odds; beside prices in another format their rounding would look like a move. */
async function askOpening(path: string): Promise<Opening> {
  const opening = await callJson<Opening>(path);
  if (parameter('format') === 'decimal') mirror.open(opening);
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
        <select
          class="choice"
          aria-label={texts.match.market}
          value={shown.line.key}
          onChange={(event) => {
            chosen.value = event.currentTarget.value;
          }}
        >
          {choices.map(({ grid, line }) => (
            <option key={line.key} value={line.key}>
              {marketLabel(grid, line)}
            </option>
          ))}
        </select>
        <select
          class="choice"
          aria-label={texts.match.outcome}
          value={outcome}
          onChange={(event) => {
            chosenOutcome.value = event.currentTarget.value as Outcome;
          }}
        >
          {shown.line.outcomes.map((one) => (
            <option key={one} value={one}>
              {texts.outcomes[one]}
            </option>
          ))}
        </select>
        <TableSwitch isTable={isTable} />
      </div>
      {isTable.value ? (
        <MoveTable {...shown} outcome={outcome} opening={opening} />
      ) : (
        <MoveChart {...shown} outcome={outcome} opening={opening} />
      )}
      <p class="pane-note quiet">
        {opening.source === 'upstream' ? texts.match.openedUpstream : texts.match.openedFirstSeen}
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

/** What is known of one bookmaker's price: its opening, then what the page saw. */
function pathOf({ line, outcome, opening }: MoveProps, bookmaker: string): readonly LoggedPrice[] {
  const first = opening.opening.find((one) => one.bookmaker === bookmaker && lineKey(one) === line.key);
  const seen = log.of(line.key, bookmaker, outcome);
  const price = first?.prices[outcome];
  if (first?.opened_at == null || price === undefined) return seen;
  return [{ atMs: Date.parse(first.opened_at), decimal: price }, ...seen];
}

function booksOf({ line }: MoveProps): readonly string[] {
  return pageSettings.bookmakers.map(({ key }) => key).filter((key) => line.quotes.has(key));
}

function MoveChart(props: MoveProps) {
  const { times, lines } = chartOf(props);
  const label = `${texts.match.movement}: ${marketLabel(props.grid, props.line)} ${texts.outcomes[props.outcome]}`;
  return (
    <Plot
      label={label}
      height={240}
      times={times}
      lines={lines}
      kind="steps"
      valueText={(value) => priceText(Math.round(value * 100) / 100, 'decimal')}
      timeText={(ms) => timeText(new Date(ms).toISOString(), parameter('timezone'))}
    />
  );
}

/** All times at which something moved, and each bookmaker's price at each of them. */
function chartOf(props: MoveProps): {
  readonly times: readonly number[];
  readonly lines: readonly PlotLine[];
} {
  const paths = booksOf(props).map((key) => ({ key, path: pathOf(props, key) }));
  const nowMs = systemClock.wallMs();
  const all = new Set(paths.flatMap(({ path }) => path.map(({ atMs }) => atMs)));
  const times = [...all, nowMs].sort((one, other) => one - other);
  const sharp = new Set(
    pageSettings.bookmakers.filter((book) => book.class === 'sharp').map(({ key }) => key),
  );
  return {
    times: times.map((ms) => ms / 1_000),
    lines: paths.map(({ key, path }) => ({
      label: bookmakerName(key),
      isHeavy: sharp.has(key),
      values: times.map((ms) => path.findLast(({ atMs }) => atMs <= ms)?.decimal ?? null),
    })),
  };
}

function MoveTable(props: MoveProps) {
  const zone = parameter('timezone');
  const rows = useMemo(() => booksOf(props).map((key) => ({ key, path: pathOf(props, key) })), [props]);
  return (
    <table class="plain-table">
      <thead>
        <tr>
          <th scope="col">{texts.match.bookmaker}</th>
          <th scope="col">{texts.match.opening}</th>
          <th scope="col">{texts.match.now}</th>
          <th scope="col">{texts.match.change}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, path }) => {
          const first = path[0];
          const last = path.at(-1);
          const change =
            first?.decimal != null && last?.decimal != null ? last.decimal - first.decimal : null;
          return (
            <tr key={key}>
              <th scope="row">{bookmakerName(key)}</th>
              <td title={first && dateTimeText(new Date(first.atMs).toISOString(), zone)}>
                {first?.decimal == null ? '–' : priceText(first.decimal, 'decimal')}
              </td>
              <td>{last?.decimal == null ? texts.board.suspended : priceText(last.decimal, 'decimal')}</td>
              <td class={change === null || change === 0 ? '' : change > 0 ? 'up' : 'down'}>
                {change === null
                  ? ''
                  : `${change > 0 ? '▲ ' : change < 0 ? '▼ ' : ''}${priceText(Math.round(Math.abs(change) * 10_000) / 10_000, 'decimal')}`}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
