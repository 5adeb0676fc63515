// The result of every bench: one table of figures, each with its baseline and its aim.

import { cpus } from 'node:os';

/**
 * `times` is for a ratio that is the figure itself, such as the cost at 4,000 fixtures over the cost at 100.
 */
type Unit = 'ns' | 'per second' | 'MB' | 'bytes' | 'times';

export interface Aim {
  /** What the aim limits: the figure, in its unit, or the figure divided by its baseline. */
  readonly of: 'value' | 'ratio';
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  /** The cost of the simple version, in the same unit; null if there is no such version. */
  readonly baseline: number | null;
  readonly aim: Aim | null;
}

const HEADINGS = ['figure', 'here', 'baseline', 'ratio', 'aim', ''];
const TIME_UNITS: readonly (readonly [string, number])[] = [
  ['s', 1e9],
  ['ms', 1e6],
  ['us', 1e3],
  ['ns', 1],
];

/** The figure divided by its baseline; null if it has no baseline. */
function ratioOf({ value, baseline }: Figure): number | null {
  return baseline === null ? null : value / baseline;
}

/** Whether the aim is met; null if there is no aim. */
function isMet(figure: Figure): boolean | null {
  return figure.aim === null ? null : excessOf(figure, figure.aim) <= 1;
}

/** How much of its bound a figure takes up: above 1 the aim is not met. */
function excessOf(figure: Figure, { of, atLeast = 0, atMost }: Aim): number {
  const measured = of === 'value' ? figure.value : ratioOf(figure);
  if (measured === null) throw new Error(`Cannot judge ${figure.name}: its aim needs a baseline`);
  return atMost === undefined ? atLeast / measured : measured / atMost;
}

/** One figure for each aim: the one that is nearest to missing it, or misses it by most. */
export function worstOfEachAim(figures: readonly Figure[]): Figure[] {
  const worst = new Map<Aim, Figure>();
  for (const figure of figures) {
    const { aim } = figure;
    if (aim === null) continue;
    const former = worst.get(aim);
    if (former === undefined || excessOf(figure, aim) > excessOf(former, aim)) worst.set(aim, figure);
  }
  return [...worst.values()];
}

/** A Markdown table with aligned columns, readable both in a terminal and on a page. */
export function tableOf(figures: readonly Figure[]): string {
  return markdownTable([
    HEADINGS,
    ...figures.map((figure) => {
      const { name, value, unit, baseline } = figure;
      const met = isMet(figure);
      return [
        name.replaceAll('|', '/'),
        amount(value, unit),
        baseline === null ? '' : amount(baseline, unit),
        ratioOf(figure)?.toPrecision(2) ?? '',
        aimText(figure),
        met === null ? '' : met ? 'met' : 'NOT MET',
      ];
    }),
  ]);
}

/** A Markdown table of rows of text; the first row is the headings. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`,
  );
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return lines.join('\n');
}

/** The machine and the time: the first line of every page of figures. */
export function machineLine(atMs: number): string {
  const [first] = cpus();
  const date = new Date(atMs).toISOString().slice(0, 10);
  return `${cpus().length} cores, ${first?.model ?? 'unknown'}, Bun ${Bun.version}, ${date}.`;
}

/** A figure for people: three digits and a unit. */
export function amount(value: number, unit: Unit): string {
  if (unit === 'times') return value.toPrecision(3);
  if (unit === 'bytes') return `${Number(value.toPrecision(3))} bytes`;
  if (unit === 'MB') return `${Math.round(value)} MB`;
  if (unit === 'per second') return `${Math.round(value).toLocaleString('en-US')}/s`;
  const [name, size] = TIME_UNITS.find(([, least]) => value >= least) ?? ['ns', 1];
  return `${Number((value / size).toPrecision(3))} ${name}`;
}

/** The middle value; for an even number of values, the upper of the two in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the given share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  return quantileOf(
    values.toSorted((left, right) => left - right),
    share,
  );
}

export function quantileOf(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function aimText({ unit, aim }: Figure): string {
  if (aim === null) return '';
  const [word, bound] = aim.atLeast === undefined ? ['at most', aim.atMost!] : ['at least', aim.atLeast];
  return aim.of === 'ratio' ? `${word} ${bound} times` : `${word} ${amount(bound, unit)}`;
}
