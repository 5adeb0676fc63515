// The saved views of a visitor who is logged in. The list is loaded when it is first opened.

import { signal } from '@preact/signals';
import { recall } from '../data/choices.ts';
import { texts } from '../texts.ts';

const panel = signal<typeof import('./saved-views.tsx').SavedViews | null>(null);

export function ViewsChoice() {
  if (recall('signed-in') === null) return null;
  const SavedViews = panel.value;
  const open = async (): Promise<void> => {
    panel.value ??= (await import('./saved-views.tsx')).SavedViews;
  };
  return (
    <details class="choice-list" onToggle={() => void open()}>
      <summary class="choice">{texts.views.title}</summary>
      <div class="choice-panel saved-views">{SavedViews !== null && <SavedViews />}</div>
    </details>
  );
}
