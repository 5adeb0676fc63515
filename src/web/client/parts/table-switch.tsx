// The button that switches between a chart and its table.

import type { Signal } from '@preact/signals';
import { texts } from '../texts.ts';

export function TableSwitch({ isTable }: { readonly isTable: Signal<boolean> }) {
  return (
    <button
      type="button"
      class="quiet-button"
      onClick={() => {
        isTable.value = !isTable.value;
      }}
    >
      {isTable.value ? texts.match.chart : texts.match.table}
    </button>
  );
}
