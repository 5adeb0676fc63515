// Accuracy of the name index on the alias list of openfootball/clubs, read from beside the repository: alias to
// canonical name within a country. Countries are split in two by a hash: rules were made looking at misses of the
// first half only. Run by itself it prints the figures and, with a country's name, that country's misses.

import { existsSync, readFileSync } from 'node:fs';
import { createTeamIndex, type EntryIndex, type NamedEntry } from '../../src/names/team-index.ts';

export interface AccuracyFigures {
  readonly rows: number;
  /** Share of rows whose canonical name comes first. */
  readonly top1: number;
  /** Share of rows answered with a wrong name as `matched`. */
  readonly confidentlyWrong: number;
  /** Share of rows answered as `matched`. */
  readonly matched: number;
  readonly misses: readonly string[];
}

export interface AliasRow {
  readonly country: string;
  readonly canonical: string;
  readonly alias: string;
}

const ALIASES_PATH = new URL('../../../shared/data/names/openfootball_aliases.csv', import.meta.url);

/** Every row of the list, or null when the list is not there. */
export function readAliases(): AliasRow[] | null {
  if (!existsSync(ALIASES_PATH)) return null;
  const lines = readFileSync(ALIASES_PATH, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => {
    const fields = splitCsv(line);
    return { country: fields[0]!, canonical: fields[2]!, alias: fields[3]! };
  });
}

/** The half of the countries that the rules were made on, by FNV-1a; the other half is held out. */
export function isDevelopment(country: string): boolean {
  let hash = 2_166_136_261;
  for (let index = 0; index < country.length; index++) {
    hash = Math.imul(hash ^ country.charCodeAt(index), 16_777_619);
  }
  return (hash >>> 0) % 2 === 0;
}

/** An alias that the list gives to several names counts as right with any of them. */
export function measure(rows: readonly AliasRow[]): AccuracyFigures {
  const pools = new Map<string, Set<string>>();
  const truths = new Map<string, Set<string>>();
  for (const { country, canonical, alias } of rows) {
    addTo(pools, country, canonical);
    addTo(truths, `${country}|${alias}`, canonical);
  }
  const indexes = new Map<string, EntryIndex<NamedEntry>>();
  for (const [country, names] of pools) {
    indexes.set(country, createTeamIndex([...names].map((name) => ({ name, sport: 0 }))));
  }
  let first = 0;
  let wrong = 0;
  let matched = 0;
  const misses: string[] = [];
  for (const { country, canonical, alias } of rows) {
    const index = indexes.get(country)!;
    const [top] = index.search(alias, { confidenceMin: 0 });
    const verdict = index.resolve(alias);
    const isRight = top !== undefined && truths.get(`${country}|${alias}`)!.has(top.entry.name);
    if (isRight) first++;
    if (verdict.status === 'matched') matched++;
    if (isRight) continue;
    if (verdict.status === 'matched') wrong++;
    misses.push(
      `${country}: ${alias} -> ${canonical}, got ${top?.entry.name ?? 'nothing'} ${top?.confidence.toFixed(2) ?? ''} (${verdict.status})`,
    );
  }
  const share = (count: number): number => count / rows.length;
  return {
    rows: rows.length,
    top1: share(first),
    confidentlyWrong: share(wrong),
    matched: share(matched),
    misses,
  };
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

function splitCsv(line: string): string[] {
  const fields: string[] = [];
  let field = '';
  let isQuoted = false;
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === ',' && !isQuoted) {
      fields.push(field);
      field = '';
    } else field += letter;
  }
  fields.push(field);
  return fields;
}

function report(country: string | undefined): void {
  const rows = readAliases();
  if (rows === null) {
    console.log('No alias list beside the repository: nothing measured');
    return;
  }
  const halves = {
    development: rows.filter((row) => isDevelopment(row.country)),
    holdout: rows.filter((row) => !isDevelopment(row.country)),
  };
  for (const [half, its] of Object.entries(halves)) {
    const { top1, confidentlyWrong, matched } = measure(its);
    const percent = (value: number): string => `${(100 * value).toFixed(2)} %`;
    console.log(
      `${half}: ${its.length} rows, top-1 ${percent(top1)}, confidently wrong ${percent(confidentlyWrong)}, matched ${percent(matched)}`,
    );
  }
  if (country === undefined) return;
  for (const miss of measure(rows.filter((row) => row.country === country)).misses) console.log(miss);
}

if (import.meta.main) report(process.argv[2]);
