// Which bookmakers have a column: the chosen ones, or all that the caller's tier sees.

import { computed } from '@preact/signals';
import { pageSettings } from '../data/page-settings.ts';
import { listParameter } from '../data/view.ts';
import { mirror } from './state.ts';

const ALL = pageSettings.bookmakers.map(({ key }) => key);

/** Keys in catalogue order. A bookmaker without a quote anywhere, such as one that the tier leaves out, has none. */
export const columns = computed<readonly string[]>(() => {
  void mirror.listVersion.value;
  const chosen = listParameter('bookmakers');
  const quoted = new Set<string>();
  for (const { quotes } of mirror.fixtures()) {
    for (const { bookmaker } of quotes.values()) quoted.add(bookmaker);
    if (quoted.size === ALL.length) break;
  }
  return ALL.filter((key) => quoted.has(key) && (chosen.length === 0 || chosen.includes(key)));
});
