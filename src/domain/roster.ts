// The roster: the bookmakers that this service shows, in catalogue order. Unless the operator sets one, these
// are the seven of the contract. The thread that starts the service installs the roster before it loads
// anything else, and each worker inherits it through the environment data of node:worker_threads. So
// catalogue.ts can read it while it loads, and everything made from the catalogue (schemas, masks, columns)
// is constant within a thread.

import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** The class `retail` occurs only in an operator's roster. */
export const ROSTER_CLASSES = ['sharp', 'asian', 'retail'] as const;
export type BookmakerClass = (typeof ROSTER_CLASSES)[number];

export interface RosterBookmaker {
  readonly key: string;
  readonly name: string;
  readonly class: BookmakerClass;
  /**
   * The bookmaker's owner, given if several bookmakers have the same owner. Prices of a single owner are
   * never an arbitrage.
   */
  readonly group?: string;
  /** A betting exchange: its source says how much can be staked at its prices. */
  readonly exchange?: true;
  /** The bookmaker's key or id at each source. */
  readonly sources: Readonly<Record<string, string | number>>;
  /**
   * If several running sources have the bookmaker, its prices come from the first running source listed here.
   */
  readonly feed?: readonly string[];
}

export interface Roster {
  /** The value of BOOKMAKERS that the roster was read from; null for the contract's roster. */
  readonly origin: string | null;
  readonly bookmakers: readonly RosterBookmaker[];
}

/** The most bookmakers that a roster may have: an Int32 mask has one bit for each. */
export const ROSTER_BOOKMAKERS_MAX = 32;

export const CONTRACT_ROSTER: Roster = {
  origin: null,
  bookmakers: [
    { key: 'crown', name: 'Crown', class: 'asian', sources: { isports: 3 } },
    {
      key: 'sbobet',
      name: 'Sbobet',
      class: 'asian',
      sources: { isports: 31, 'api-football': 5 },
      feed: ['isports'],
    },
    { key: 'macau', name: 'Macau', class: 'asian', sources: { isports: 1 } },
    { key: 'm8bet', name: 'M8bet', class: 'asian', sources: {} },
    {
      key: 'pinnacle',
      name: 'Pinnacle',
      class: 'sharp',
      sources: { 'the-odds-api': 'pinnacle', isports: 47, 'api-football': 4 },
      // iSports no longer lists this bookmaker.
      feed: ['the-odds-api', 'api-football'],
    },
    { key: 'nova88', name: 'Nova88', class: 'asian', sources: {} },
    { key: 'hkjc', name: 'HKJC', class: 'asian', sources: { isports: 48 } },
  ],
};

const ENVIRONMENT_KEY = 'overround.roster';

/**
 * Installs the roster for this thread, which must not have loaded the catalogue yet, and for workers started
 * from now on.
 */
export function installRoster(roster: Roster): void {
  setEnvironmentData(ENVIRONMENT_KEY, roster as never);
}

export function installedRoster(): Roster {
  const installed = getEnvironmentData(ENVIRONMENT_KEY) as Roster | undefined;
  return installed ?? CONTRACT_ROSTER;
}

const KEY_FORM = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const NAME_CHARS_MAX = 60;
const FIELDS = ['key', 'name', 'class', 'group', 'exchange', 'sources', 'feed'];

/**
 * Parses the `bookmakers` of a roster file.
 * @throws Error that names the entry and says what is allowed
 */
export function bookmakersOf(file: unknown): readonly RosterBookmaker[] {
  if (!isRecord(file) || !Array.isArray(file.bookmakers)) {
    throw new Error('allowed is an object {"bookmakers": [...]}');
  }
  const extra = Object.keys(file).find((name) => name !== 'bookmakers');
  if (extra !== undefined) throw new Error(`there is no field "${extra}", allowed is only bookmakers`);
  const entries: readonly unknown[] = file.bookmakers;
  if (entries.length === 0 || entries.length > ROSTER_BOOKMAKERS_MAX) {
    throw new Error(`it has ${entries.length} bookmakers, allowed are 1 to ${ROSTER_BOOKMAKERS_MAX}`);
  }
  const bookmakers = entries.map(bookmakerOf);
  requireDistinct(bookmakers.map(({ key }) => key));
  requireDistinct(
    bookmakers.flatMap(({ sources }) => Object.entries(sources).map(([source, id]) => `${source}: ${id}`)),
  );
  return bookmakers;
}

function bookmakerOf(entry: unknown, index: number): RosterBookmaker {
  const at = `bookmakers[${index}]`;
  if (!isRecord(entry)) throw new Error(`${at} is ${JSON.stringify(entry)}, allowed is an object`);
  const extra = Object.keys(entry).find((name) => !FIELDS.includes(name));
  if (extra !== undefined) {
    throw new Error(`${at} has a field "${extra}", allowed are ${FIELDS.join(', ')}`);
  }
  const { key, name, group, exchange = false, sources = {}, feed } = entry;
  if (typeof key !== 'string' || !KEY_FORM.test(key)) {
    throw refused(`${at}.key`, key, '1 to 40 of a-z, 0-9, _ and -, the first a letter or digit');
  }
  if (typeof name !== 'string' || name.trim() === '' || name.length > NAME_CHARS_MAX) {
    throw refused(`${at}.name`, name, `a text of 1 to ${NAME_CHARS_MAX} characters`);
  }
  const bookmakerClass = ROSTER_CLASSES.find((word) => word === entry.class);
  if (bookmakerClass === undefined)
    throw refused(`${at}.class`, entry.class, `one of ${ROSTER_CLASSES.join(', ')}`);
  if (group !== undefined && (typeof group !== 'string' || !KEY_FORM.test(group))) {
    throw refused(`${at}.group`, group, 'formed like a key');
  }
  if (typeof exchange !== 'boolean') throw refused(`${at}.exchange`, exchange, 'true or false');
  return {
    key,
    name,
    class: bookmakerClass,
    ...(group === undefined ? {} : { group }),
    ...(exchange ? { exchange } : {}),
    sources: sourcesOf(sources, `${at}.sources`),
    ...(feed === undefined ? {} : { feed: feedOf(feed, `${at}.feed`) }),
  };
}

function feedOf(feed: unknown, at: string): readonly string[] {
  const names: readonly unknown[] = Array.isArray(feed) ? feed : [feed];
  if (names.length > 0 && names.every(isFeedName)) return names;
  throw refused(at, feed, 'the name of a source of FEED such as "isports", or a list of such names');
}

function isFeedName(name: unknown): name is string {
  return typeof name === 'string' && KEY_FORM.test(name);
}

function sourcesOf(sources: unknown, at: string): RosterBookmaker['sources'] {
  if (!isRecord(sources)) throw refused(at, sources, 'an object such as {"the-odds-api": "pinnacle"}');
  return Object.fromEntries(
    Object.entries(sources).map(([source, id]) => {
      const isName = typeof id === 'string' && id !== '' && id.length <= NAME_CHARS_MAX;
      if (isName || (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0)) return [source, id];
      throw refused(`${at}["${source}"]`, id, "the source's own key or id, a text or a whole number");
    }),
  );
}

function requireDistinct(words: readonly string[]): void {
  const twice = words.find((word, index) => words.indexOf(word) !== index);
  if (twice !== undefined) throw new Error(`"${twice}" is listed twice`);
}

function refused(at: string, value: unknown, allowed: string): Error {
  return new Error(`${at} is ${JSON.stringify(value) ?? 'missing'}, allowed is ${allowed}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The bookmakers of class `sharp`, as a mask of indexes; 0 for a roster that has none. */
export function sharpMaskOf(bookmakers: readonly RosterBookmaker[]): number {
  let mask = 0;
  bookmakers.forEach((bookmaker, index) => {
    if (bookmaker.class === 'sharp') mask |= 1 << index;
  });
  return mask;
}
