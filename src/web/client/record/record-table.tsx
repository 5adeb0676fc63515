// The rows of the record, and the words for their keys.

import type { RecordRow } from '../../../contract/record/signal-record.ts';
import { countText, signedText, twoDigitText } from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { texts } from '../texts.ts';
import { recordTexts } from './record-texts.ts';
import type { RowGroup } from './state.ts';

type Column = keyof typeof recordTexts.columns;

interface RecordTableProps {
  readonly rows: readonly RecordRow[];
  readonly group: RowGroup;
}

export function RecordTable({ rows, group }: RecordTableProps) {
  return (
    <ScrollRegion label={recordTexts.title}>
      <table class="plain-table record-table">
        <thead>
          <tr>
            <th scope="col">{group === 'none' ? recordTexts.title : recordTexts.groups[group]}</th>
            {(Object.keys(recordTexts.columns) as Column[]).map((column) => (
              <th key={column} scope="col" class="number" title={recordTexts.hints[column]}>
                {recordTexts.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.key} row={row} name={nameOf(row.key, group)} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Row({ row, name }: { readonly row: RecordRow; readonly name: string }) {
  return (
    <tr data-key={row.key}>
      <th scope="row">{name}</th>
      <td class="number">{countText(row.signals)}</td>
      <td class="number">{signedText(row.mean_edge_pct)}</td>
      <td class="number record-clv">{known(row.mean_clv_pct, signedText)}</td>
      <td class="number">{countText(row.closed_with_clv)}</td>
      <td class="number">{known(row.beat_close_pct, twoDigitText)}</td>
      <td class="number">{countText(row.settled)}</td>
      <td class="number">{known(row.yield_pct, signedText)}</td>
      <td class="number">
        <Interval row={row} />
      </td>
    </tr>
  );
}

function Interval({
  row: { settled, yield_low_pct: low, yield_high_pct: high },
}: {
  readonly row: RecordRow;
}) {
  if (low === null || high === null) {
    return (
      <>
        <Unknown />
        {settled > 0 && <span class="quiet record-word">{recordTexts.tooFew}</span>}
      </>
    );
  }
  return (
    <>
      {recordTexts.range(signedText(low), signedText(high))}
      {low <= 0 && high >= 0 && <span class="quiet record-word">{recordTexts.unclear}</span>}
    </>
  );
}

function known(value: number | null, textOf: (value: number) => string) {
  return value === null ? <Unknown /> : textOf(value);
}

function Unknown() {
  return (
    <>
      <span aria-hidden="true">{recordTexts.unknown}</span>
      <span class="visually-hidden">{recordTexts.unknownWords}</span>
    </>
  );
}

/** A row's key in words. */
function nameOf(key: string, group: RowGroup): string {
  if (group === 'none') return recordTexts.all;
  if (group === 'bookmaker') return bookmakerName(key);
  if (group === 'market_type') return texts.markets[key] ?? key;
  if (group !== 'edge') return key;
  const [from = '', to] = key.split('-').map((text) => countText(Number.parseInt(text, 10)));
  return to === undefined ? recordTexts.edgeFrom(from) : recordTexts.edgeRange(from, to);
}
