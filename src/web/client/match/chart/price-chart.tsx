// The chart of one outcome: step lines, because a price holds until it changes. A pointer, or the arrow keys,
// move a readout; dragging chooses a range.

import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { instantText } from '../../data/number-words.ts';
import { chosenBookmakers, parameter } from '../../data/view.ts';
import { matchTexts } from '../match-texts.ts';
import { Drawing } from './chart-drawing.tsx';
import { Legend, valueText } from './chart-legend.tsx';
import { usePointer } from './chart-pointer.ts';
import { type Range, scaleOf } from './scale.ts';
import type { ChartData, ChartSeries } from './tape.ts';

export function PriceChart({ data, label }: { readonly data: ChartData; readonly label: string }) {
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder);
  const hidden = useSignal(notChosen(data));
  const range = useSignal<Range | null>(null);
  const { fromMs, toMs } = range.value ?? data;
  const shown = data.series.filter(({ key }) => !hidden.value.has(key));
  const scale = useMemo(
    () => scaleOf(shown, { fromMs, toMs }, width.value),
    [data, hidden.value, fromMs, toMs, width.value],
  );
  const times = useMemo(
    () => timesOf(shown, data.marks, { fromMs, toMs }),
    [data, hidden.value, fromMs, toMs],
  );
  const pointer = usePointer(holder, { scale, times, window: { fromMs, toMs }, range });
  const { at, cursorMs, drag } = pointer;
  const readout = instantText(at, parameter('timezone'));
  return (
    <div class="chart">
      <div
        ref={holder}
        class="chart-plot"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={Math.round(fromMs)}
        aria-valuemax={Math.round(toMs)}
        aria-valuenow={Math.round(at)}
        aria-valuetext={`${readout} ${[...marksAt(data, at), ...shown.map((one) => valueText(one, at))].join(', ')}`}
        {...pointer.handlers}
      >
        <Drawing
          data={data}
          shown={shown}
          scale={scale}
          width={width.value}
          toMs={toMs}
          cursorMs={cursorMs}
          drag={drag}
        />
      </div>
      <div class="chart-readout">
        <span class="quiet">{readout}</span>
        {range.value !== null && (
          <button type="button" class="chip" onClick={pointer.handlers.onDblClick}>
            {matchTexts.wholeRange}
          </button>
        )}
      </div>
      <MarkList data={data} />
      <Legend data={data} hidden={hidden} at={at} />
    </div>
  );
}

/** The bookmakers that the visitor did not choose on the board. Their lines are hidden at first. */
function notChosen({ series }: ChartData): ReadonlySet<string> {
  const chosen = chosenBookmakers();
  const books = series.map(({ key }) => key).filter((key) => key !== 'fair');
  const isAnyShown = books.some((key) => chosen.includes(key));
  return new Set(isAnyShown ? books.filter((key) => !chosen.includes(key)) : []);
}

/** The marks in words, for screen readers. */
function MarkList({ data: { marks } }: { readonly data: ChartData }) {
  if (marks.length === 0) return null;
  return (
    <ul class="visually-hidden" aria-label={matchTexts.marks}>
      {marks.map(({ atMs, kind, text }) => (
        <li key={`${kind} ${atMs} ${text}`}>{`${text}, ${instantText(atMs, parameter('timezone'))}`}</li>
      ))}
    </ul>
  );
}

/** The width of an element, kept up to date. */
function useWidth(holder: RefObject<HTMLDivElement | null>): Signal<number> {
  const width = useSignal(640);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      width.value = Math.max(240, Math.round(entry!.contentRect.width));
    });
    observer.observe(holder.current!);
    return () => observer.disconnect();
  }, []);
  return width;
}

function marksAt({ marks }: ChartData, atMs: number): readonly string[] {
  return marks.flatMap((mark) => (mark.atMs === atMs ? [mark.text] : []));
}

/** The instants at which a shown price or the match changed, ascending. */
function timesOf(
  shown: readonly ChartSeries[],
  marks: ChartData['marks'],
  { fromMs, toMs }: Range,
): readonly number[] {
  const times = [...shown.flatMap(({ points }) => points), ...marks].map(({ atMs }) => atMs);
  return [...new Set(times)].filter((atMs) => atMs >= fromMs && atMs <= toMs).sort((a, b) => a - b);
}
