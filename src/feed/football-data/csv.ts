// Reads the season files of football-data.co.uk into rows with the values by column name. Columns change from
// season to season, so they are found by the header. A byte order mark, empty trailing columns and blank
// lines occur. Pure.

/** One match: its non-empty cells, by the header's name. */
export type CsvRow = ReadonlyMap<string, string>;

/** @throws RangeError when the header lacks the columns that every season has */
export function rowsOf(text: string): CsvRow[] {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const names = cellsOf(header);
  const missing = ['Div', 'Date', 'HomeTeam', 'AwayTeam'].filter((name) => !names.includes(name));
  if (missing.length > 0) throw new RangeError(`the header has no ${missing.join(', ')}`);
  return lines
    .map((line) => new Map(cellsOf(line).flatMap((cell, index) => cellOf(names[index], cell))))
    .filter((row) => row.size > 0);
}

function cellOf(name: string | undefined, cell: string): [string, string][] {
  return name === undefined || name === '' || cell === '' ? [] : [[name, cell]];
}

/** Cells between commas; a quoted cell may hold commas and doubled quotes. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  for (const match of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    cells.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
  }
  return cells;
}
