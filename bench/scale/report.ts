// The results as a section of docs/internals/performance.md, with a chart.

import { barChart } from '../bar-chart.ts';
import { type Figure, machineLine, markdownTable, tableOf } from '../figures.ts';

export interface ScaleRow {
  readonly question: 'poll' | 'list';
  readonly threads: number;
  readonly fixtures: number;
  readonly connections: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The processor time of the server process per request. */
  readonly costUs: number;
  readonly residentMb: number;
}

export interface ScaleResults {
  /** Unix ms. */
  readonly measuredAtMs: number;
  readonly rounds: number;
  readonly rows: readonly ScaleRow[];
  readonly figures: readonly Figure[];
}

const NAMES = { poll: 'odds of one fixture', list: 'events?limit=100' } as const;

/** The section of docs/internals/performance.md. */
export function partOf({ measuredAtMs, rounds, figures }: ScaleResults): string {
  return `${machineLine(measuredAtMs)} wrk and all servers on the same cores, 200 enterprise keys, answers of 15 quotes (about 3 KB);
medians of ${rounds} rounds. The cost is the processor time of the whole server process for each request.

![Cost as the slate grows](performance-scale.svg)

${tableOf(figures)}`;
}

/** The rows as a table, for the terminal. */
export function rowsOf(rows: readonly ScaleRow[]): string {
  const headings = [
    'asked',
    'threads',
    'fixtures',
    'connections',
    'a second',
    'p50 ms',
    'p99 ms',
    'cost us',
    'MB',
  ];
  return markdownTable([
    headings,
    ...rows.map((row) => [
      NAMES[row.question],
      String(row.threads),
      whole(row.fixtures),
      whole(row.connections),
      whole(row.perSecond),
      row.p50Ms.toFixed(2),
      row.p99Ms.toFixed(2),
      row.costUs.toFixed(1),
      whole(row.residentMb),
    ]),
  ]);
}

/**
 * On one HTTP thread: a group of bars for each question and number of connections, with the cost at each size
 * of slate.
 */
export function chartOf({ rows }: Pick<ScaleResults, 'rows'>): string {
  const groups = Map.groupBy(
    rows.filter(({ threads }) => threads === 1),
    ({ question, connections }) => `${NAMES[question]}, ${whole(connections)} connections`,
  );
  return barChart(
    [...groups].map(([name, each]) =>
      each.map(({ fixtures, costUs }) => ({
        label: `${name}: ${whole(fixtures)} fixtures`,
        value: costUs,
        text: `${costUs.toFixed(1)} us`,
        isOurs: true,
      })),
    ),
  );
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
