// What a search for signals left out, and why.

import { countText } from '../data/number-words.ts';
import { texts } from '../texts.ts';

export function Excluded({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  if (parts.length === 0) return null;
  const words = parts.map(([reason, count]) => `${countText(count)} ${texts.excluded[reason] ?? reason}`);
  return <p class="pane-note quiet">{texts.leftOut(words.join(', '))}</p>;
}
