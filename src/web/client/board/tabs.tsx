// Board, value, arbitrage.

import { parameter, setParameter } from '../data/view.ts';
import { texts } from '../texts.ts';

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
        </button>
      ))}
    </nav>
  );
}
