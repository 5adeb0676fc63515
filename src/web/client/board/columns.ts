// Which bookmakers have a column, and in which order: those the visitor chose, or all that the caller's tier
// may see.

import { computed } from '@preact/signals';
import { pageSettings } from '../data/page-settings.ts';
import { chosenBookmakers } from '../data/view.ts';
import { mirror } from './state.ts';

const ALL = pageSettings.bookmakers.map(({ key }) => key);

/**
 * Bookmaker keys in the visitor's order, or in catalogue order. A bookmaker without any quote, such as one
 * hidden by the tier, has no column.
 */
export const columns = computed<readonly string[]>(() => {
  void mirror.listVersion.value;
  const chosen = chosenBookmakers();
  const quoted = new Set<string>();
  for (const { quotes } of mirror.fixtures()) {
    for (const { bookmaker } of quotes.values()) quoted.add(bookmaker);
    if (quoted.size === ALL.length) break;
  }
  return (chosen.length === 0 ? ALL : chosen).filter((key) => quoted.has(key));
});

/** The chosen bookmakers; undefined for all. */
export const chosenBooks = computed<ReadonlySet<string> | undefined>(() => {
  const chosen = chosenBookmakers();
  return chosen.length === 0 ? undefined : new Set(chosen);
});
