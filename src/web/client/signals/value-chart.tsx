// The price of a value signal against the fair price, from the price history, as a small chart: step lines,
// and a mark at the instant at which the signal opened.

import type { Static } from '@sinclair/typebox';
import type { EventHistory } from '../../../contract/history.ts';
import type { ValueBet } from '../../../contract/signals/found.ts';
import { chosenPriceText } from '../data/chosen-format.ts';
import { bookmakerName } from '../data/page-settings.ts';
import { stepPath } from '../match/chart/scale.ts';
import { type ChartPoint, callHistory, chartOf } from '../match/chart/tape.ts';
import { Loaded } from '../match/loaded.tsx';
import { matchTexts } from '../match/match-texts.ts';
import { texts } from '../texts.ts';

interface ValueChartProps {
  readonly eventId: string;
  readonly bet: Static<typeof ValueBet>;
  readonly openedAtMs: number;
}

const WIDTH = 360;
const HEIGHT = 72;
const INSET = 4;
/** How much of the time before the signal is shown. */
const BEFORE_MS = 1_800_000;

/** The chart of a value signal. It costs one unit, when the row is opened. */
export function ValueChart(props: ValueChartProps) {
  const { eventId, bet } = props;
  const choice = { market: bet.market_type, period: bet.period, line: bet.line };
  return (
    <Loaded
      subject={`${eventId} ${bet.market_type} ${bet.period} ${bet.line} ${bet.outcome} ${bet.bookmaker}`}
      load={() => callHistory(eventId, choice)}
    >
      {(history) => <Drawn {...props} history={history} />}
    </Loaded>
  );
}

function Drawn({ bet, openedAtMs, history }: ValueChartProps & { readonly history: EventHistory }) {
  const { series, fromMs: firstMs, toMs } = chartOf(history, bet.outcome, () => []);
  const fromMs = Math.max(firstMs, openedAtMs - BEFORE_MS);
  const pointsOf = (name: string): readonly ChartPoint[] =>
    since(fromMs, series.find(({ key }) => key === name)?.points ?? []);
  const own = pointsOf(bet.bookmaker);
  const fair = pointsOf('fair');
  const prices = [...own, ...fair].flatMap(({ price }) => (price === null ? [] : [price]));
  if (prices.length === 0) return <p class="quiet">{matchTexts.noTape}</p>;
  const low = Math.min(...prices);
  const high = Math.max(...prices);
  const x = (atMs: number): number =>
    INSET + ((atMs - fromMs) / Math.max(1, toMs - fromMs)) * (WIDTH - 2 * INSET);
  const y = (price: number): number =>
    HEIGHT - INSET - ((price - low) / (high - low || 1)) * (HEIGHT - 2 * INSET);
  const name = bookmakerName(bet.bookmaker);
  return (
    <figure class="value-chart">
      <svg
        width={WIDTH}
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={texts.signals.chartOf(name, chosenPriceText(low), chosenPriceText(high))}
      >
        <path class="value-opened" d={`M${x(Math.max(fromMs, openedAtMs))},0V${HEIGHT}`} />
        <path class="value-fair" d={stepPath(fair, { x, y }, toMs)} />
        <path class="value-price" d={stepPath(own, { x, y }, toMs)} />
      </svg>
      <figcaption class="quiet">{texts.signals.chartWords(name)}</figcaption>
    </figure>
  );
}

/** The price at an instant, and the prices after it. */
function since(fromMs: number, points: readonly ChartPoint[]): readonly ChartPoint[] {
  const standing = points.findLast(({ atMs }) => atMs <= fromMs);
  const later = points.filter(({ atMs }) => atMs > fromMs);
  return standing === undefined ? later : [{ atMs: fromMs, price: standing.price }, ...later];
}
