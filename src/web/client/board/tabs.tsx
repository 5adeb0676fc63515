// The tabs: board, value, arbitrage, and the link to the record; on the board also the markets and the height
// of its rows.

import { countText } from '../data/number-words.ts';
import { SHOWN_KINDS, type SignalKind } from '../data/signal-book.ts';
import { parameter, setParameter } from '../data/view.ts';
import { TimeMachineButton } from '../past/time-machine.tsx';
import { foundSignals } from '../signals/found-signals.ts';
import { texts } from '../texts.ts';
import { Choice } from './filters.tsx';
import { signalBook } from './state.ts';

const TABS = ['board', ...SHOWN_KINDS] as const;

export function Tabs() {
  const chosen = parameter('tab');
  return (
    <div class="tab-line">
      <nav class="tabs" aria-label={texts.board.tabList}>
        {TABS.map((tab) => (
          <button
            key={tab}
            type="button"
            class="tab"
            aria-current={chosen === tab ? 'page' : undefined}
            onClick={() => setParameter('tab', tab)}
          >
            {texts.board.tabs[tab]}
            {tab !== 'board' && <Count kind={tab} />}
          </button>
        ))}
        <a class="tab" href="/record">
          {texts.board.tabs.record}
        </a>
      </nav>
      {chosen === 'board' && (
        <>
          <Segments name="markets" label={texts.board.marketTabList} options={texts.board.marketTabs} />
          <Choice name="sort" label={texts.board.sort} options={Object.entries(texts.board.sorts)} />
          <Toggle name="starred" value="only" words={texts.board.onlyStarred} />
          <Toggle name="finished" value="hide" words={texts.board.hideFinished} />
          <TimeMachineButton />
          <Segments name="density" label={texts.board.density} options={texts.board.densities} />
        </>
      )}
    </div>
  );
}

interface ToggleProps {
  readonly name: 'starred' | 'finished';
  /** The parameter's value while the button is pressed. */
  readonly value: string;
  readonly words: string;
}

function Toggle({ name, value, words }: ToggleProps) {
  const isOn = parameter(name) === value;
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={isOn}
      onClick={() => setParameter(name, isOn ? '' : value)}
    >
      {words}
    </button>
  );
}

interface SegmentsProps {
  readonly name: 'markets' | 'density';
  readonly label: string;
  readonly options: Readonly<Record<string, string>>;
}

/** A row of buttons of which one is chosen. */
function Segments({ name, label, options }: SegmentsProps) {
  const chosen = parameter(name);
  return (
    <fieldset class={`segments segments-${name}`}>
      <legend class="visually-hidden">{label}</legend>
      {Object.entries(options).map(([value, words]) => (
        <button
          key={value}
          type="button"
          aria-pressed={chosen === value}
          onClick={() => setParameter(name, value)}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}

function Count({ kind }: { readonly kind: SignalKind }) {
  if (signalBook.summary.value === null) return null;
  return <span class="tab-count">{countText(foundSignals(kind).length)}</span>;
}
