// Which of our bookmakers each of a source's names or ids stands for.

/** Our bookmaker's key by the source's own key or id, as text. */
export type BookmakerMap = ReadonlyMap<string, string>;

/** One bookmaker of a roster: its key, and what each source calls it. */
export interface RosterBookmaker {
  readonly key: string;
  readonly sources: Readonly<Record<string, string | number>>;
}

/** The bookmakers of the default roster, with what the upstreams call them. Those that no upstream has are left out. */
export const DEFAULT_ROSTER_SOURCES: readonly RosterBookmaker[] = [
  { key: 'crown', sources: { isports: 3 } },
  { key: 'sbobet', sources: { isports: 31, 'api-football': 5 } },
  { key: 'macau', sources: { isports: 1 } },
  { key: 'pinnacle', sources: { 'the-odds-api': 'pinnacle', isports: 47, 'api-football': 4 } },
  { key: 'hkjc', sources: { isports: 48 } },
];

/** The bookmakers of a roster that a source has. */
export function bookmakerMapOf(source: string, roster: readonly RosterBookmaker[]): BookmakerMap {
  const map = new Map<string, string>();
  for (const { key, sources } of roster) {
    const name = sources[source];
    if (name !== undefined) map.set(String(name), key);
  }
  return map;
}
