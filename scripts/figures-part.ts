// The table "At a glance" in docs/internals/performance.md: one figure of each kind, taken from the sections
// that benches wrote into that page and from the files in docs/internals/figures/.

import { amount, type Figure, markdownTable } from '../bench/figures.ts';

const INTERNALS = new URL('../docs/internals/', import.meta.url).pathname;

/** A cell in a table that a bench wrote. `row` has the first cells of its row. */
interface Cell {
  readonly what: string;
  readonly section: string;
  readonly row: readonly string[];
  readonly column: number;
  readonly unit: string;
}

/** A figure in a file that `bun run bench <word> --json` wrote. */
interface Kept {
  readonly what: string;
  readonly file: string;
  readonly name: string;
}

const ROWS: readonly (Cell | Kept)[] = [
  cell('polls of cached odds, one HTTP thread', 'bench:http', ['hit', 'Overround'], 2, ' a second'),
  cell('polls of cached odds at full load, 99th percentile', 'bench:http', ['hit', 'Overround'], 3, ' ms'),
  cell('polls of odds encoded for each', 'bench:http', ['miss', 'Overround'], 2, ' a second'),
  cell(
    'p99.9 of polls beside all other work, over a bare server',
    'bench:http',
    ['p99.9 / bare: all of it at once'],
    2,
    ' times',
  ),
  cell(
    'cost of a poll, 4,000 fixtures over 100',
    'bench:scale',
    ['cost of a poll, 4,000 fixtures / 100'],
    1,
    ' times',
  ),
  cell(
    'quotes from a socket until they can be read',
    'bench:feed',
    ['socket, NDJSON, bytes to readable'],
    1,
    '',
  ),
  cell(
    'streams: processor per frame, 1,000 readers',
    'bench:streams',
    ['processor per frame, 1000 readers of one view, events'],
    1,
    ' times a bare server',
  ),
  kept('signals: a tick of 500 fixtures in which one moved', 'signals', 'a tick: 1 moved'),
  kept('names: two teams among 1,000 fixtures', 'resolve', 'two teams'),
  kept('history: a fixture as it was at an instant', 'history-read', 'a fixture at an instant'),
];

function cell(what: string, section: string, row: readonly string[], column: number, unit: string): Cell {
  return { what, section, row, column, unit };
}

function kept(what: string, file: string, name: string): Kept {
  return { what, file, name };
}

/** The table, with the command that measures each row again. */
export async function figuresPart(): Promise<string> {
  const page = await Bun.file(`${INTERNALS}performance.md`).text();
  const rows = await Promise.all(ROWS.map((row) => ('file' in row ? keptRow(row) : cellRow(page, row))));
  const measured = rows.filter((row) => row !== null);
  return markdownTable([['figure', 'measured', 'command', 'on'], ...measured]);
}

/** The row for the figure in one cell of a bench's table; null if that section of the page is empty. */
function cellRow(page: string, { what, section, row, column, unit }: Cell): string[] | null {
  const from = page.indexOf(`<!-- written by bun run ${section} --write -->`);
  const part = page.slice(from, page.indexOf(`<!-- end of ${section} -->`));
  if (!part.includes('|')) return null;
  const cells = part
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .map((one) => one.trim())
        .slice(1, -1),
    )
    .find((found) => row.every((text, index) => found[index] === text));
  if (from < 0 || cells === undefined)
    throw new Error(`Cannot write the figures: ${section} has no row ${row}`);
  // The figure of the cell, without the details in brackets that some cells have.
  return [
    what,
    `${cells[column]!.replace(/ \(.*\)$/, '')}${unit}`,
    `\`bun run ${section}\``,
    /\d{4}-\d\d-\d\d/.exec(part)?.[0] ?? '',
  ];
}

async function keptRow({ what, file, name }: Kept): Promise<string[]> {
  const { atMs, figures } = (await Bun.file(`${INTERNALS}figures/${file}.json`).json()) as {
    readonly atMs: number;
    readonly figures: readonly Figure[];
  };
  const figure = figures.find((one) => one.name.endsWith(name));
  if (figure === undefined) throw new Error(`Cannot write the figures: ${file}.json has no ${name}`);
  const day = new Date(atMs).toISOString().slice(0, 10);
  return [what, amount(figure.value, figure.unit), `\`bun run bench ${file}\``, day];
}
