// The legend of a chart, and the class, name and price of each of its lines.

import type { Signal } from '@preact/signals';
import { chosenPriceText } from '../../data/chosen-format.ts';
import { bookmakerName } from '../../data/page-settings.ts';
import { toggle } from '../../data/setting.ts';
import { texts } from '../../texts.ts';
import { matchTexts } from '../match-texts.ts';
import type { ChartData, ChartSeries } from './tape.ts';

const SERIES_CLASSES = 8;

interface LegendProps {
  readonly data: ChartData;
  readonly hidden: Signal<ReadonlySet<string>>;
  readonly at: number;
}

/**
 * The legend: a button for each line, which shows the line's price at the readout and hides or shows the
 * line.
 */
export function Legend({ data, hidden, at }: LegendProps) {
  return (
    <ul class="chart-legend">
      {data.series.map((series) => (
        <li key={series.key}>
          <button
            type="button"
            aria-pressed={!hidden.value.has(series.key)}
            onClick={() => toggle(hidden, series.key)}
          >
            <svg width="20" height="8" aria-hidden="true">
              <path class={`series ${classOf(series.key, data.series)}`} d="M0,4H20" />
            </svg>
            {nameOf(series.key)}
            <strong>{priceTextAt(series, at)}</strong>
          </button>
        </li>
      ))}
    </ul>
  );
}

export function classOf(key: string, all: readonly ChartSeries[]): string {
  if (key === 'fair') return 'series-fair';
  return `series-${all.findIndex((one) => one.key === key) % SERIES_CLASSES}`;
}

export function nameOf(key: string): string {
  return key === 'fair' ? matchTexts.fairPrice : bookmakerName(key);
}

function priceTextAt({ points }: ChartSeries, atMs: number): string {
  const point = points.findLast((one) => one.atMs <= atMs);
  if (point === undefined) return '–';
  return point.price === null ? texts.board.suspended : chosenPriceText(point.price);
}

export function valueText(series: ChartSeries, atMs: number): string {
  return `${nameOf(series.key)} ${priceTextAt(series, atMs)}`;
}
