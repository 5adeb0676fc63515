// What the page's HTML says about the service.

import type { PageSettings } from '../../page.ts';

/** The settings of this page. @throws when the HTML is not the one that goes with this script */
function readSettings(): PageSettings {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="overround"]');
  if (meta === null) throw new Error('Assertion failed: the page has its settings');
  return JSON.parse(meta.content) as PageSettings;
}

export const pageSettings: PageSettings = readSettings();

const BOOKMAKER_NAMES = new Map(pageSettings.bookmakers.map(({ key, name }) => [key, name]));

/** Display name of a bookmaker. */
export function bookmakerName(key: string): string {
  return BOOKMAKER_NAMES.get(key) ?? key;
}
