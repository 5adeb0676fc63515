// Every column of a page is copied with the page, and every quote column moves with its row. The columns are
// found by their length, so a new column is tested as soon as it is in the layout.

import { expect, test } from 'bun:test';
import { CLOCK_BYTES_MAX } from '../../../src/limits.ts';
import { attachStore, createStore, pageCount, type StoreViews } from '../../../src/store/layout.ts';
import { copyPage } from '../../../src/store/writer/page-columns.ts';
import { insertQuoteRow, removeQuoteRow } from '../../../src/store/writer/quote-rows.ts';

const ROWS = 7;
const USED = 5;
/** With this capacity, different kinds of columns have different lengths. */
const CAPACITY = {
  fixtures: 5,
  quotesPerFixture: ROWS,
  openingsPerFixture: 3,
  entities: 64,
  arenaBytes: 2_048,
  gracePublishes: 3,
  departures: 2,
};
const PAGES = pageCount(CAPACITY);
/** Columns that are set by the caller of copyPage. */
const NOT_COPIED = ['version', 'pageGeneration'];

type Column = Uint8Array | Int16Array | Int32Array | Float64Array;

function columnsOf(views: StoreViews, length: number): [string, Column][] {
  return Object.entries(views).filter(
    (entry): entry is [string, Column] =>
      ArrayBuffer.isView(entry[1]) && (entry[1] as Column).length === length,
  );
}

/** A store whose page and quote columns count through 250 values, so that pages and rows differ. */
function filled(): StoreViews {
  const views = attachStore(createStore(1_000, CAPACITY));
  for (const length of [PAGES, PAGES * ROWS, PAGES * CLOCK_BYTES_MAX]) {
    for (const [, column] of columnsOf(views, length))
      for (let at = 0; at < length; at++) column[at] = 1 + (at % 250);
  }
  views.quoteCount.fill(USED);
  views.clockByteCount.fill(CLOCK_BYTES_MAX);
  return views;
}

function rowsOf(column: Column, page: number, count: number): number[] {
  return [...column.subarray(page * ROWS, page * ROWS + count)];
}

test('a page is copied completely, except for its version and generation', () => {
  const views = filled();
  copyPage(views, 3, 8);
  const single = columnsOf(views, PAGES).filter(([name]) => !NOT_COPIED.includes(name));
  expect(single.length).toBeGreaterThan(15);
  expect(single.filter(([, column]) => column[8] !== column[3]).map(([name]) => name)).toEqual([]);
  const quotes = columnsOf(views, PAGES * ROWS);
  expect(quotes.length).toBeGreaterThan(5);
  for (const [name, column] of quotes)
    expect([name, rowsOf(column, 8, USED)]).toEqual([name, rowsOf(column, 3, USED)]);
  const clock = (page: number) => [
    ...views.clockBytes.subarray(page * CLOCK_BYTES_MAX, (page + 1) * CLOCK_BYTES_MAX),
  ];
  expect(clock(8)).toEqual(clock(3));
});

test('inserting and removing a row moves every quote column', () => {
  const views = filled();
  const before = columnsOf(views, PAGES * ROWS).map(
    ([name, column]) => [name, rowsOf(column, 2, USED)] as const,
  );
  insertQuoteRow(views, 2, 2 * ROWS + 1);
  for (const [index, [name, column]] of columnsOf(views, PAGES * ROWS).entries()) {
    const rows = before[index]![1];
    const moved = rowsOf(column, 2, USED + 1);
    expect([name, moved[0], moved.slice(2)]).toEqual([name, rows[0], rows.slice(1)]);
  }
  removeQuoteRow(views, 2, 2 * ROWS + 1);
  for (const [index, [name, column]] of columnsOf(views, PAGES * ROWS).entries())
    expect([name, rowsOf(column, 2, USED)]).toEqual([name, before[index]![1]]);
});
