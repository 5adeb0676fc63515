// The tabs: board, the kinds of signals, and the link to the record; on the board also the markets, the order
// and the height of its rows.

import { useEffect, useRef } from 'preact/hooks';
import { countText } from '../data/number-words.ts';
import { SHOWN_KINDS, type SignalKind } from '../data/signal-book.ts';
import { parameter, setParameter } from '../data/view.ts';
import { Segments } from '../parts/one-of.tsx';
import { TimeMachineButton } from '../past/time-machine.tsx';
import { foundCounts } from '../signals/found-signals.ts';
import { texts } from '../texts.ts';
import { Choice } from './filters.tsx';
import { marketTab } from './layout.ts';
import { signalBook } from './state.ts';

const TABS = ['board', ...SHOWN_KINDS] as const;

export function Tabs() {
  const chosen = parameter('tab');
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the tabs are wider than the window, so scroll to the chosen one.
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen]);
  return (
    <div class="tab-line">
      <nav ref={tabs} class="tabs" aria-label={texts.board.tabList}>
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
        <section class="row-choices" aria-label={texts.board.rowChoices}>
          <Segments
            label={texts.board.marketTabList}
            options={Object.entries(texts.board.marketTabs)}
            value={marketTab()}
            onChoose={(value) => setParameter('markets', value)}
          />
          <Choice name="sort" label={texts.board.sort} options={Object.entries(texts.board.sorts)} />
          <Toggle
            name="starred"
            value="only"
            mark="★"
            words={texts.board.onlyStarred}
            hint={texts.board.onlyStarredHint}
          />
          <TimeMachineButton />
          <Toggle name="density" value="roomy" off="compact" words={texts.board.roomy} />
        </section>
      )}
    </div>
  );
}

interface ToggleProps {
  readonly name: 'starred' | 'density';
  /** The parameter's value while the button is pressed, and while it is not. */
  readonly value: string;
  readonly off?: string;
  /** A symbol that is shown instead of the words where there is no room for them. */
  readonly mark?: string;
  readonly words: string;
  readonly hint?: string;
}

function Toggle({ name, value, off = '', mark, words, hint }: ToggleProps) {
  const isOn = parameter(name) === value;
  return (
    <button
      type="button"
      class={`chip chip-${name}`}
      aria-pressed={isOn}
      aria-label={words}
      title={hint}
      onClick={() => setParameter(name, isOn ? off : value)}
    >
      {mark !== undefined && <span aria-hidden="true">{mark} </span>}
      <span class={mark === undefined ? undefined : 'chip-words'}>{words}</span>
    </button>
  );
}

function Count({ kind }: { readonly kind: SignalKind }) {
  if (signalBook.summary.value === null) return null;
  return <span class="tab-count">{countText(foundCounts[kind].value)}</span>;
}
