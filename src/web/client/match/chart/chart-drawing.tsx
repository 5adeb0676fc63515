// The drawing of a chart: the grid, gaps and marks, and the line of each bookmaker.

import { DAY_MS } from '../../../../clock.ts';
import { chosenPriceText } from '../../data/chosen-format.ts';
import { SHARP_BOOKS } from '../../data/page-settings.ts';
import { parameter } from '../../data/view.ts';
import { matchTexts } from '../match-texts.ts';
import { classOf, nameOf } from './chart-legend.tsx';
import { BOTTOM, HEIGHT, LEFT, type Range, RIGHT, type Scale, stepPath, TOP } from './scale.ts';
import type { ChartData, ChartSeries } from './tape.ts';

/** The widest label of the time axis. */
const AXIS_LABEL_PX = 80;

interface DrawingProps extends FrameProps {
  readonly shown: readonly ChartSeries[];
  readonly toMs: number;
  readonly cursorMs: number | null;
  /** The range that is being dragged. */
  readonly drag: Range | null;
}

export function Drawing({ data, shown, scale, width, toMs, cursorMs, drag }: DrawingProps) {
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
        d={stepPath(points, scale, toMs)}
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

function axisTime(atMs: number, timeZone: string, spanMs: number): string {
  const options: Intl.DateTimeFormatOptions =
    spanMs > 2 * DAY_MS
      ? { day: 'numeric', month: 'short' }
      : { hour: '2-digit', minute: '2-digit', ...(spanMs < 600_000 ? { second: '2-digit' } : {}) };
  return new Intl.DateTimeFormat(navigator.language, { ...options, timeZone }).format(atMs);
}
