// A uPlot chart as a component. A new chart is created only when its kind, its labels or the colour scheme
// change; new data and sizes are set in the existing chart. Lines differ by dash as well as by colour.

import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { isDark } from '../data/choices.ts';

export interface PlotLine {
  readonly label: string;
  /** Null is a gap in the line. */
  readonly values: readonly (number | null)[];
  /** Whether the line is drawn thicker than the others. */
  readonly isHeavy?: boolean;
}

export interface PlotProps {
  readonly label: string;
  readonly height: number;
  /** Unix seconds, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly PlotLine[];
  /**
   * `band`: the area between the first line (low) and the second (high), with the other lines drawn over it.
   */
  readonly kind: 'steps' | 'line' | 'bars' | 'band';
  readonly valueText: (value: number) => string;
  /** Formats a time given in Unix milliseconds. */
  readonly timeText: (ms: number) => string;
  /** A horizontal reference line, such as a limit. */
  readonly level?: number;
}

/** Distinct on light and dark ground. Where colours cannot be distinguished, the dash can. */
const COLOURS = ['#2f7ed8', '#c4621b', '#1f9d6b', '#b04fc4', '#8a7a1a', '#d2456b', '#3aa0a8', '#7a6cf0'];
const HALF_DAY_S = 43_200;
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]];

export function Plot(props: PlotProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const { times, lines, kind, height, label } = props;
  const shape = `${kind} ${lines.map((line) => line.label).join()} ${isDark()}`;
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    plot.current = new uPlot(optionsOf(props, element), dataOf(times, lines), element);
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape]);
  useEffect(() => {
    plot.current?.setData(dataOf(times, lines));
  }, [times, lines]);
  return <div ref={holder} class="plot" role="img" aria-label={label} />;
}

function dataOf(times: readonly number[], lines: readonly PlotLine[]): uPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])];
}

function optionsOf(props: PlotProps, element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const quiet = style.getPropertyValue('--quiet');
  const { kind, lines, level } = props;
  const accent = style.getPropertyValue('--accent');
  const colourOf = (index: number): string =>
    lines.length === 1 ? accent : COLOURS[index % COLOURS.length]!;
  return {
    width: element.clientWidth,
    height: props.height,
    legend: { show: lines.length > 1, live: false },
    cursor: { points: { show: false }, drag: { x: false, y: false } },
    // Bars are UTC days. Half a day of margin on both sides keeps the first and last bar whole.
    ...(kind === 'bars' ? { tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC') } : {}),
    scales: {
      x: {
        range: (_plot, first, last) =>
          kind === 'bars' ? [first - HALF_DAY_S, last + HALF_DAY_S] : [first, last],
      },
      y: { range: (_plot, low, high) => yRange(kind, low, Math.max(high, level ?? high)) },
    },
    axes: axesOf(props, { quiet, line: style.getPropertyValue('--line') }),
    series: [
      {},
      ...lines.map((line, index) => ({
        label: line.label,
        stroke: colourOf(index),
        width: line.isHeavy ? 2.5 : 1.25,
        dash: kind === 'bars' || line.isHeavy === true ? [] : DASHES[Math.floor(index / 2) % DASHES.length]!,
        points: { show: false },
        ...(kind === 'bars' ? { fill: colourOf(index) } : {}),
        ...pathsOf(kind),
      })),
    ],
    ...(kind === 'band'
      ? { bands: [{ series: [2, 1], fill: style.getPropertyValue('--accent-wash') }] }
      : {}),
    hooks: level === undefined ? {} : { draw: [(plot) => drawLevel(plot, level, quiet)] },
  };
}

function axesOf(
  { timeText, valueText }: PlotProps,
  { quiet, line }: { readonly quiet: string; readonly line: string },
): uPlot.Axis[] {
  const shared = { stroke: quiet, ticks: { show: false }, font: '12px system-ui, sans-serif' };
  return [
    {
      ...shared,
      grid: { show: false },
      space: 72,
      // Repeated labels are left out, because ticks that are seconds apart would show the same minute twice.
      values: (_plot, times) => withoutRepeats(times.map((seconds) => timeText(seconds * 1_000))),
    },
    {
      ...shared,
      grid: { stroke: line, width: 1 },
      size: 56,
      values: (_plot, values) => values.map((value) => valueText(value)),
    },
  ];
}

/** Keeps the first of equal neighbouring labels and leaves the others blank. */
function withoutRepeats(texts: readonly string[]): string[] {
  return texts.map((text, index) => (text === texts[index - 1] ? '' : text));
}

function pathsOf(kind: PlotProps['kind']): Pick<uPlot.Series, 'paths'> {
  if (kind === 'steps') return { paths: uPlot.paths.stepped!({ align: 1 }) };
  if (kind === 'bars') return { paths: uPlot.paths.bars!({ size: [0.6, 48] }) };
  return {};
}

function yRange(kind: PlotProps['kind'], low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  if (kind === 'bars') return [0, Math.max(1, high * 1.1)];
  const margin = (high - low) * 0.1 || Math.abs(high) * 0.02 || 1;
  return [kind === 'line' ? 0 : low - margin, high + margin];
}

function drawLevel(plot: uPlot, level: number, colour: string): void {
  const { ctx, bbox } = plot;
  const y = plot.valToPos(level, 'y', true);
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash([4, 4]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
