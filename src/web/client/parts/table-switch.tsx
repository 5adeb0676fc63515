// The button that switches between a chart and its table.

import type { Signal } from '@preact/signals';
import { matchTexts } from '../match/match-texts.ts';

export function TableSwitch({ isTable }: { readonly isTable: Signal<boolean> }) {
  return (
    <button
      type="button"
      class="quiet-button"
      onClick={() => {
        isTable.value = !isTable.value;
      }}
    >
      {isTable.value ? matchTexts.chart : matchTexts.table}
    </button>
  );
}
