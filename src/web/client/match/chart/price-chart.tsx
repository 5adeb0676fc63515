// The chart of one outcome: step lines, because a price holds until it changes. A pointer, or the arrow keys,
// move a readout; dragging chooses a range.

import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { DAY_MS } from '../../../../clock.ts';
import { chosenPriceText } from '../../data/chosen-format.ts';
import { instantText } from '../../data/number-words.ts';
import { bookmakerName, SHARP_BOOKS } from '../../data/page-settings.ts';
import { chosenBookmakers, parameter } from '../../data/view.ts';
import { shownInstantMs } from '../../past/instant.ts';
import { texts } from '../../texts.ts';
import { matchTexts } from '../match-texts.ts';
import { BOTTOM, HEIGHT, LEFT, type Range, RIGHT, type Scale, scaleOf, TOP } from './scale.ts';
import type { ChartData, ChartPoint, ChartSeries } from './tape.ts';

/** A drag shorter than this is a click. */
const DRAG_PX_MIN = 8;
const SERIES_CLASSES = 8;
/** The widest label of the time axis. */
const AXIS_LABEL_PX = 80;

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

interface PointerOptions {
  readonly scale: Scale;
  /** The instants that the arrow keys visit. */
  readonly times: readonly number[];
  readonly window: Range;
  /** Set by a drag; null for the whole history. */
  readonly range: Signal<Range | null>;
}

/**
 * The readout and the drag, moved by the pointer or the arrow keys. Until then the readout is of the end of
 * the chart, or of the instant of the past that the page shows.
 */
function usePointer(
  holder: RefObject<HTMLDivElement | null>,
  { scale, times, window: { fromMs, toMs }, range }: PointerOptions,
) {
  const atMs = useSignal<number | null>(null);
  const dragFrom = useSignal<number | null>(null);
  const pastMs = shownInstantMs();
  const cursorMs = atMs.value ?? (pastMs === null ? null : Math.min(toMs, Math.max(fromMs, pastMs)));
  const at = cursorMs ?? toMs;
  const timeAt = (event: PointerEvent): number => {
    const x = event.clientX - holder.current!.getBoundingClientRect().left;
    return Math.min(toMs, Math.max(fromMs, scale.timeOf(x)));
  };
  const handlers = {
    onKeyDown: (event: KeyboardEvent): void => {
      const next = timeAfterKey(event.key, at, times);
      if (next === undefined) return;
      event.preventDefault();
      atMs.value = next;
    },
    onPointerMove: (event: PointerEvent): void => {
      atMs.value = timeAt(event);
    },
    onPointerLeave: (): void => {
      atMs.value = null;
      dragFrom.value = null;
    },
    onPointerDown: (event: PointerEvent): void => {
      dragFrom.value = timeAt(event);
    },
    onPointerUp: (event: PointerEvent): void => {
      const begin = dragFrom.value;
      dragFrom.value = null;
      if (begin === null) return;
      const end = timeAt(event);
      if (Math.abs(scale.x(end) - scale.x(begin)) >= DRAG_PX_MIN) {
        range.value = { fromMs: Math.min(begin, end), toMs: Math.max(begin, end) };
      }
    },
    onDblClick: (): void => {
      range.value = null;
    },
  };
  const drag = dragFrom.value === null ? null : { fromMs: dragFrom.value, toMs: at };
  return { at, cursorMs, drag, handlers };
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

interface LegendProps {
  readonly data: ChartData;
  readonly hidden: Signal<ReadonlySet<string>>;
  readonly at: number;
}

/**
 * The legend: a button for each line, which shows the line's price at the readout and hides or shows the
 * line.
 */
function Legend({ data, hidden, at }: LegendProps) {
  const toggle = (key: string): void => {
    const next = new Set(hidden.value);
    if (!next.delete(key)) next.add(key);
    hidden.value = next;
  };
  return (
    <ul class="chart-legend">
      {data.series.map((series) => (
        <li key={series.key}>
          <button
            type="button"
            aria-pressed={!hidden.value.has(series.key)}
            onClick={() => toggle(series.key)}
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

interface DrawingProps extends FrameProps {
  readonly shown: readonly ChartSeries[];
  readonly toMs: number;
  readonly cursorMs: number | null;
  /** The range that is being dragged. */
  readonly drag: Range | null;
}

function Drawing({ data, shown, scale, width, toMs, cursorMs, drag }: DrawingProps) {
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      <Frame scale={scale} data={data} width={width} />
      <g clip-path="url(#plot-area)">
        {shown.map((series) => (
          <SeriesPath key={series.key} series={series} all={data.series} scale={scale} toMs={toMs} />
        ))}
      </g>
      {cursorMs !== null && (
        <path class="chart-cursor" d={`M${scale.x(cursorMs)},${TOP}V${HEIGHT - BOTTOM}`} />
      )}
      {drag !== null && (
        <rect
          class="chart-drag"
          x={Math.min(scale.x(drag.fromMs), scale.x(drag.toMs))}
          y={TOP}
          width={Math.abs(scale.x(drag.toMs) - scale.x(drag.fromMs))}
          height={HEIGHT - TOP - BOTTOM}
        />
      )}
    </svg>
  );
}

interface FrameProps {
  readonly scale: Scale;
  readonly data: ChartData;
  readonly width: number;
}

/** The grid, the hatched gaps, and the marks of kickoff, goals and red cards. */
function Frame(props: FrameProps) {
  const right = props.width - RIGHT;
  return (
    <>
      <defs>
        <clipPath id="plot-area">
          <rect x={LEFT} y={TOP - 4} width={right - LEFT} height={HEIGHT - TOP - BOTTOM + 8} />
        </clipPath>
        <pattern id="gap" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path class="chart-hatch" d="M0,0V6" />
        </pattern>
      </defs>
      <Axes scale={props.scale} right={right} />
      <Gaps scale={props.scale} gaps={props.data.gaps} right={right} />
      <Marks scale={props.scale} marks={props.data.marks} right={right} />
    </>
  );
}

interface FramePartProps {
  readonly scale: Scale;
  /** Where the plot ends, in pixels. */
  readonly right: number;
}

function Axes({ scale, right }: FramePartProps) {
  const zone = parameter('timezone');
  const spanMs = scale.timeOf(right) - scale.timeOf(LEFT);
  return (
    <>
      {scale.rows.map((price) => (
        <g key={price}>
          <path class="chart-grid" d={`M${LEFT},${scale.y(price)}H${right}`} />
          <text class="chart-text" x={LEFT - 6} y={scale.y(price) + 4} text-anchor="end">
            {chosenPriceText(price)}
          </text>
        </g>
      ))}
      {scale.columns.map((atMs) => (
        <text
          key={atMs}
          class="chart-text"
          x={scale.x(atMs)}
          y={HEIGHT - 6}
          text-anchor={scale.x(atMs) > right - AXIS_LABEL_PX / 2 ? 'end' : 'middle'}
        >
          {axisTime(atMs, zone, spanMs)}
        </text>
      ))}
    </>
  );
}

function Gaps({ scale, right, gaps }: FramePartProps & Pick<ChartData, 'gaps'>) {
  const xOf = (atMs: number): number => Math.min(right, Math.max(LEFT, scale.x(atMs)));
  return gaps.map(({ fromMs, toMs, reason }) => (
    <rect
      key={fromMs}
      x={xOf(fromMs)}
      y={TOP}
      width={Math.max(0, xOf(toMs) - xOf(fromMs))}
      height={HEIGHT - TOP - BOTTOM}
      fill="url(#gap)"
    >
      <title>{matchTexts.gap(reason)}</title>
    </rect>
  ));
}

function Marks({ scale, right, marks }: FramePartProps & Pick<ChartData, 'marks'>) {
  const shown = marks.filter(({ atMs }) => scale.x(atMs) >= LEFT && scale.x(atMs) <= right);
  return shown.map(({ atMs, kind, text }) => (
    <g key={`${kind} ${atMs} ${text}`} class={`chart-mark mark-${kind}`}>
      <title>{text}</title>
      <path d={`M${scale.x(atMs)},${TOP}V${HEIGHT - BOTTOM}`} />
      {kind === 'card' ? (
        <rect x={scale.x(atMs) - 3} y={TOP - 12} width="7" height="10" rx="1" />
      ) : (
        <text class="chart-text" x={scale.x(atMs) + 3} y={TOP - 4}>
          {text}
        </text>
      )}
    </g>
  ));
}

interface SeriesPathProps {
  readonly series: ChartSeries;
  readonly all: readonly ChartSeries[];
  readonly scale: Scale;
  readonly toMs: number;
}

function SeriesPath({ series, all, scale, toMs }: SeriesPathProps) {
  const { points, key, closeMs } = series;
  const first = points.find(({ price }) => price !== null);
  const close = points.findLast(({ atMs, price }) => atMs === closeMs && price !== null);
  return (
    <g>
      <path
        class={`series ${classOf(key, all)}${SHARP_BOOKS.has(key) ? ' is-sharp' : ''}`}
        data-series={key}
        data-points={points.length}
        d={pathOf(points, scale, toMs)}
      />
      {key !== 'fair' && first !== undefined && (
        <circle
          class={`mark-open ${classOf(key, all)}`}
          cx={scale.x(first.atMs)}
          cy={scale.y(first.price!)}
          r="3"
        >
          <title>{`${matchTexts.opening} ${nameOf(key)} ${chosenPriceText(first.price!)}`}</title>
        </circle>
      )}
      {close !== undefined && (
        <rect
          class={`mark-close ${classOf(key, all)}`}
          x={scale.x(close.atMs) - 3}
          y={scale.y(close.price!) - 3}
          width="6"
          height="6"
        >
          <title>{`${matchTexts.close} ${nameOf(key)} ${chosenPriceText(close.price!)}`}</title>
        </rect>
      )}
    </g>
  );
}

/** A null ends the line; the next price begins a new one. The plot clips points outside the range. */
function pathOf(points: readonly ChartPoint[], { x, y }: Scale, toMs: number): string {
  let path = '';
  let isOpen = false;
  for (const { atMs, price } of points) {
    if (isOpen) path += `H${x(atMs)}`;
    if (price !== null) path += isOpen ? `V${y(price)}` : `M${x(atMs)},${y(price)}`;
    isOpen = price !== null;
  }
  return isOpen ? `${path}H${x(Math.max(toMs, points.at(-1)!.atMs))}` : path;
}

function classOf(key: string, all: readonly ChartSeries[]): string {
  if (key === 'fair') return 'series-fair';
  return `series-${all.findIndex((one) => one.key === key) % SERIES_CLASSES}`;
}

function nameOf(key: string): string {
  return key === 'fair' ? matchTexts.fairPrice : bookmakerName(key);
}

function priceTextAt({ points }: ChartSeries, atMs: number): string {
  const point = points.findLast((one) => one.atMs <= atMs);
  if (point === undefined) return '–';
  return point.price === null ? texts.board.suspended : chosenPriceText(point.price);
}

function valueText(series: ChartSeries, atMs: number): string {
  return `${nameOf(series.key)} ${priceTextAt(series, atMs)}`;
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

function timeAfterKey(key: string, at: number, times: readonly number[]): number | undefined {
  if (key === 'ArrowRight') return times.find((atMs) => atMs > at) ?? at;
  if (key === 'ArrowLeft') return times.findLast((atMs) => atMs < at) ?? at;
  if (key === 'Home') return times[0];
  return key === 'End' ? times.at(-1) : undefined;
}

function axisTime(atMs: number, timeZone: string, spanMs: number): string {
  const options: Intl.DateTimeFormatOptions =
    spanMs > 2 * DAY_MS
      ? { day: 'numeric', month: 'short' }
      : { hour: '2-digit', minute: '2-digit', ...(spanMs < 600_000 ? { second: '2-digit' } : {}) };
  return new Intl.DateTimeFormat(navigator.language, { ...options, timeZone }).format(atMs);
}
