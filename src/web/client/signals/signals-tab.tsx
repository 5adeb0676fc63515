// Signals of one kind as they open and close: a table with sortable columns, filters, and what was left out
// and why.

import { useSignal } from '@preact/signals';
import { Choice } from '../board/filters.tsx';
import { follower, signalBook } from '../board/state.ts';
import { countText } from '../data/number-words.ts';
import { setting } from '../data/setting.ts';
import type { SignalKind } from '../data/signal-book.ts';
import { parameter, setParameter } from '../data/view.ts';
import { ConnectionNotice, Notice } from '../parts/notice.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { StickyLine } from '../parts/sticky-line.tsx';
import { texts } from '../texts.ts';
import { FILTERS, isFiltered } from './found-signals.ts';
import { leftOutText } from './left-out.ts';
import { SignalRow } from './signal-row.tsx';
import {
  holdRows,
  releaseRows,
  type SignalRows,
  type SignalSort,
  signalRows,
  signalSort,
  sortSignals,
} from './signal-rows.ts';

export function SignalsTab({ kind }: { readonly kind: SignalKind }) {
  const summary = signalBook.summary.value;
  const found = signalRows(kind);
  const isEmpty = found.rows.length === 0;
  const leftOut = summary === null ? null : leftOutText(summary.excluded, kind);
  if (parameter('at') !== '') return <Notice {...texts.signals.past} />;
  return (
    <section class="signals" aria-label={texts.signals[kind]}>
      <StickyLine follower={follower}>{texts.signals[kind]}</StickyLine>
      <ConnectionNotice follower={follower} isStrip={true} />
      <div class="signal-filters">
        <h2>{texts.signals[kind]}</h2>
        {kind !== 'low_hold' && <Choice name="min_edge" label={texts.signals.minEdge} options={EDGES} />}
        <Choice name="in_play" label={texts.signals.inPlay} options={texts.signals.inPlayChoices} />
        {found.isHeld && <span class="quiet">{texts.signals.held}</span>}
      </div>
      {summary === null && isEmpty && <p class="quiet late">{texts.signals.waiting}</p>}
      {summary?.note != null && <p class="tier-note">{summary.note}</p>}
      {summary !== null && isEmpty && <NoneNotice kind={kind} />}
      {!isEmpty && <SignalTable kind={kind} found={found} />}
      {leftOut !== null && <p class="pane-note quiet">{leftOut}</p>}
      {summary !== null && summary.left_out > 0 && (
        <p class="quiet">{texts.signals.leftOutFixtures(countText(summary.left_out))}</p>
      )}
    </section>
  );
}

function NoneNotice({ kind }: { readonly kind: SignalKind }) {
  if (!isFiltered()) return <Notice title={texts.signals.none[kind]} text={texts.signals.noneText} />;
  return (
    <Notice
      title={texts.signals.noneFound[kind]}
      text={texts.signals.noneText}
      action={{ label: texts.board.clearSearch, run: clearSearch }}
    />
  );
}

/** The widths of the columns in pixels. Fixed, so that one changed cell does not lay out all rows again. */
const WIDTHS = [84, null, 116, 212, 104, 100, 84, 60] as const;
/** Rows drawn at first: the ages of every drawn row change each second. A button shows the others. */
const ROWS_FIRST = 100;
/** Index of the column with the return of the bets when they settle. The table of low hold lacks it. */
const SETTLED_COLUMN = 4;

function SignalTable({ kind, found }: { readonly kind: SignalKind; readonly found: SignalRows }) {
  const isWhole = useSignal(false);
  const rows = isWhole.value ? found.rows : found.rows.slice(0, ROWS_FIRST);
  const widths = kind === 'low_hold' ? WIDTHS.toSpliced(SETTLED_COLUMN, 1) : WIDTHS;
  return (
    <ScrollRegion label={texts.signals[kind]}>
      <table class={`plain-table signal-table signals-${kind}`}>
        <colgroup>
          {widths.map((width, index) => (
            <col key={index} width={width ?? undefined} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <SortHead sort="size" hint={texts.signals.hints[kind]} isDown={kind !== 'low_hold'}>
              {texts.signals.sizes[kind]}
            </SortHead>
            <SortHead sort="kickoff">{texts.signals.match}</SortHead>
            <th scope="col">{texts.signals.bet}</th>
            <th scope="col">{kind === 'value' ? texts.signals.price : texts.signals.legs}</th>
            {kind !== 'low_hold' && (
              <th scope="col" title={texts.signals.settlesHints[kind]}>
                {texts.signals.settles[kind]}
              </th>
            )}
            <SortHead sort="oldest">{texts.signals.oldest}</SortHead>
            <SortHead sort="since" isDown>
              {texts.signals.since}
            </SortHead>
            <th scope="col">{texts.signals.details}</th>
          </tr>
        </thead>
        <tbody
          onPointerMove={({ pointerType }) => {
            if (pointerType === 'mouse') holdRows(kind, found);
          }}
          onPointerLeave={releaseRows}
        >
          {rows.map(({ signal, isClosed }) => (
            <SignalRow key={signal.id} signal={signal} isClosed={isClosed} />
          ))}
        </tbody>
      </table>
      {rows.length < found.rows.length && (
        <button type="button" class="quiet-button" onClick={setting(isWhole, true)}>
          {texts.signals.showOthers(countText(found.rows.length - rows.length))}
        </button>
      )}
    </ScrollRegion>
  );
}

interface SortHeadProps {
  readonly sort: SignalSort;
  readonly hint?: string;
  /** Whether the largest value of the column comes first. */
  readonly isDown?: boolean;
  readonly children: string;
}

/** A column head that sorts by its column. Each column has one order, the useful one. */
function SortHead({ isDown = false, ...props }: SortHeadProps) {
  const isChosen = signalSort() === props.sort;
  return (
    <th scope="col" aria-sort={isChosen ? (isDown ? 'descending' : 'ascending') : undefined}>
      <button type="button" class="sort" title={props.hint} onClick={() => sortSignals(props.sort)}>
        {props.children}
        <span aria-hidden="true">{isChosen ? (isDown ? ' ▾' : ' ▴') : ''}</span>
      </button>
    </th>
  );
}

function clearSearch(): void {
  for (const name of FILTERS) setParameter(name, '');
}

const EDGES = ['', '1', '2', '3', '5'].map(
  (value) => [value, value === '' ? texts.signals.anyEdge : texts.signals.edgeFrom(value)] as const,
);
