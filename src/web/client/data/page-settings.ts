// The settings that the server put into the page's HTML.

import type { PageSettings } from '../../page.ts';

/** This page's settings. @throws when the HTML does not belong to this script */
function readSettings(): PageSettings {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="overround"]');
  if (meta === null) throw new Error('Assertion failed: the page has its settings');
  return JSON.parse(meta.content) as PageSettings;
}

export const pageSettings: PageSettings = readSettings();

const BOOKMAKER_NAMES = new Map(pageSettings.bookmakers.map(({ key, name }) => [key, name]));

/** Keys of the sharp bookmakers. */
export const SHARP_BOOKS: ReadonlySet<string> = new Set(
  pageSettings.bookmakers.filter((one) => one.class === 'sharp').map(({ key }) => key),
);

/** Keys of the betting exchanges. */
export const EXCHANGES: ReadonlySet<string> = new Set(
  pageSettings.bookmakers.filter((one) => one.isExchange).map(({ key }) => key),
);

/** A bookmaker's display name. */
export function bookmakerName(key: string): string {
  return BOOKMAKER_NAMES.get(key) ?? key;
}
