// The tabs: board, value, arbitrage.

import { countText } from '../data/number-words.ts';
import { parameter, setParameter } from '../data/view.ts';
import { texts } from '../texts.ts';
import { foundSignals, signalBook } from './state.ts';

const TABS = ['board', 'value', 'arbitrage'] as const;

export function Tabs() {
  const chosen = parameter('tab');
  return (
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
    </nav>
  );
}

function Count({ kind }: { readonly kind: 'value' | 'arbitrage' }) {
  if (signalBook.summary.value === null) return null;
  return <span class="tab-count">{countText(foundSignals(kind).length)}</span>;
}
