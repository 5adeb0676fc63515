// The operator's rules for fixtures of several sources (FEED_MATCH): which are the same and which are not.
// Fixtures are given by the sources' own keys, as `overround feed match` prints them.

import { messageOf } from '../../errors.ts';
import { nearestWord } from '../../nearest-word.ts';
import { isObject } from '../../parse-json.ts';

/** A fixture: the source's name, `|` and its key there. */
type FixtureKey = string;

/** A fixture that an entry of the file names. */
export interface NamedFixture {
  /** Such as `join[0]`. */
  readonly entry: string;
  readonly source: string;
  readonly event: string;
}

export class JoinRules {
  /** Every fixture that the file names, by its key. */
  readonly named = new Map<FixtureKey, NamedFixture>();
  /** The partners of each fixture, one in each other source. */
  readonly #partners = new Map<FixtureKey, Map<string, FixtureKey>>();
  readonly #forbidden = new Set<string>();

  /** The fixture of a source that the operator's rules join with this one, or null. */
  partnerOf(fixture: FixtureKey, source: string): FixtureKey | null {
    return this.#partners.get(fixture)?.get(source) ?? null;
  }

  isForbidden(one: FixtureKey, other: FixtureKey): boolean {
    return this.#forbidden.has(pairKey(one, other));
  }

  /**
   * Joins two fixtures.
   * @throws Error if one is joined already, with another fixture of the other's source
   */
  join(one: FixtureKey, other: FixtureKey): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const partners = this.#partners.get(from) ?? new Map<string, FixtureKey>();
      const held = partners.get(sourceOf(to));
      if (held !== undefined && held !== to) {
        throw new Error(
          `joins ${shown(from)} with both ${shown(held)} and ${shown(to)}, allowed is only one`,
        );
      }
      this.#partners.set(from, partners.set(sourceOf(to), to));
    }
  }

  forbid(one: FixtureKey, other: FixtureKey): void {
    this.#forbidden.add(pairKey(one, other));
  }
}

const FIELDS = ['join', 'never'] as const;

/**
 * Reads `{"join": [{"isports": "1", "betfair": "2"}], "never": [...]}`; either list may be missing.
 * @param sources names of the running sources
 * @throws Error that names the entry and the allowed values
 */
export function joinRulesOf(file: unknown, sources: readonly string[]): JoinRules {
  if (!isObject(file)) throw new Error('allowed is an object {"join": [...], "never": [...]}');
  const extra = Object.keys(file).find((name) => !FIELDS.some((field) => field === name));
  if (extra !== undefined)
    throw new Error(`there is no field "${extra}", allowed are ${FIELDS.join(' and ')}`);
  const rules = new JoinRules();
  for (const field of FIELDS) {
    const entries = file[field] ?? [];
    if (!Array.isArray(entries)) throw new Error(`${field} is ${JSON.stringify(entries)}, allowed is a list`);
    entries.forEach((entry: unknown, index) => {
      const at = `${field}[${index}]`;
      const [one, other] = pairOf(entry, at, sources);
      for (const key of [one, other]) {
        const source = sourceOf(key);
        rules.named.set(key, { entry: at, source, event: key.slice(source.length + 1) });
      }
      if (field === 'never') rules.forbid(one, other);
      else {
        try {
          rules.join(one, other);
        } catch (error) {
          throw new Error(`${at} ${messageOf(error)}`);
        }
      }
    });
  }
  const both = (Array.isArray(file.never) ? file.never : []).findIndex((entry: unknown, index) => {
    const [one, other] = pairOf(entry, `never[${index}]`, sources);
    return rules.partnerOf(one, sourceOf(other)) === other;
  });
  if (both >= 0) throw new Error(`never[${both}] is in join too; remove one of the two entries`);
  return rules;
}

function pairOf(entry: unknown, at: string, sources: readonly string[]): readonly [FixtureKey, FixtureKey] {
  const keys = isObject(entry) ? Object.entries(entry) : [];
  for (const [source, key] of keys) {
    if (!sources.includes(source)) {
      const nearest = nearestWord(source, sources)?.word;
      throw new Error(`${at} names "${source}", which does not run; the nearest that does is "${nearest}"`);
    }
    if (typeof key !== 'string' || key === '') {
      throw new Error(
        `${at}.${source} is ${JSON.stringify(key)}, allowed is the fixture's key in that source, a text`,
      );
    }
  }
  const [one, other] = keys.map(([source, key]) => `${source}|${String(key)}`);
  if (one === undefined || other === undefined || keys.length !== 2) {
    throw new Error(
      `${at} is ${JSON.stringify(entry)}, allowed is a fixture of two sources such as {"isports": "1", "betfair": "2"}`,
    );
  }
  return [one, other];
}

function pairKey(one: FixtureKey, other: FixtureKey): string {
  return one < other ? `${one}\n${other}` : `${other}\n${one}`;
}

function sourceOf(fixture: FixtureKey): string {
  return fixture.slice(0, fixture.indexOf('|'));
}

function shown(fixture: FixtureKey): string {
  return `${sourceOf(fixture)} "${fixture.slice(sourceOf(fixture).length + 1)}"`;
}
