// Generates docs/reference/limits.md from the constants themselves: every capacity, its value and what
// happens when it is full. The text in the page is the comment above the constant, so a limit is described
// only where it is defined.

import { tiersSection } from './tiers-section.ts';

const ROOT = new URL('../', import.meta.url).pathname;

/**
 * Words in a comment that name something a client or an operator notices: an HTTP status, a refusal, missing
 * data.
 */
const NOTICED =
  /\b[45]\d\d\b(?! bytes)|\b(?:refused|fails|counted|given up|not start|not scored|bye|ends|closed|lasts|(?:is|are) valid|void|deleted|unavailable|spare bucket)\b/;
/**
 * Words that are in a comment only if the constant bounds a parameter or body. Such bounds are in the schemas
 * of /openapi.json, which /docs shows, so the page omits them.
 */
const IS_IN_SCHEMA =
  /with 4(?:00|22)\b|rejected at parse|rejected \(`|^The same\b|when the client requests no number/;
const TABLE_HEAD = ['| limit | value | meaning |', '|---|---|---|'];
/** A comment that is not indented, and the constant right below it. */
const DOCUMENTED = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const ([A-Z][A-Z0-9_]*)(?:: \w+)? =/g;
const FIELD = /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n((?: {2}readonly \w+: number;\n)+)/gm;

interface Limit {
  readonly name: string;
  readonly value: string;
}

/** A row of the page: the limits that one comment describes. */
interface LimitRow {
  readonly limits: readonly Limit[];
  readonly comment: string;
}

/** @returns the whole page @throws Error when a limit has no comment */
export async function limitsPage(): Promise<string> {
  const files = [...new Bun.Glob('src/**/*.ts').scanSync(ROOT)].sort();
  const own = files.filter(isLimitsFile);
  const values = await exportedValues(own);
  const sections: string[] = [];
  for (const file of own) {
    const rows = await rowsOfLimitsFile(file, values);
    const listed = rows.filter(isListed);
    if (listed.length > 0) sections.push(section(file, listed));
  }
  return `${[
    '# Limits',
    'The limits that a client or an operator notices, and what happens when one is reached. Bounds of parameters are\nin `/openapi.json`, those of messages in the [feed protocol](feed-protocol.md#what-is-refused).',
    tiersSection(),
    ...sections.sort(sharedFirst),
  ].join('\n\n')}\n`;
}

function isLimitsFile(path: string): boolean {
  return /(?:^|[/-])limits\.ts$/.test(path);
}

function sharedFirst(left: string, right: string): number {
  return Number(right.includes('`src/limits.ts`')) - Number(left.includes('`src/limits.ts`'));
}

/** All exports of the limits files, by name. Importing these files has no side effects. */
async function exportedValues(files: readonly string[]): Promise<Map<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const file of files) {
    const module = (await import(ROOT + file)) as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(module)) values.set(name, value);
  }
  return values;
}

/** Rows for the constants of a limits file, and for the fields of its limit tables. */
async function rowsOfLimitsFile(file: string, values: ReadonlyMap<string, unknown>): Promise<LimitRow[]> {
  const text = await Bun.file(ROOT + file).text();
  const rows = rowsOf(text, values);
  for (const [name, table] of values) {
    if (typeof table !== 'object' || table === null || !text.includes(`export const ${name}`)) continue;
    const comment = text.match(
      new RegExp(String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\nexport const ${name}\b`),
    )?.[1];
    if (comment === undefined) rows.push(...fieldRows(text, name, table as Record<string, unknown>));
    else rows.push({ limits: entriesOf(name, table as Record<string, unknown>), comment: plain(comment) });
  }
  const described = new Set(rows.flatMap(({ limits }) => limits.map(({ name }) => name.split('.')[0])));
  const bare = [...text.matchAll(/^export const (\w+)/gm)].map((match) => match[1]!);
  const missing = bare.filter((name) => !described.has(name));
  if (missing.length > 0)
    throw new Error(`Cannot write limits: in ${file}, ${missing.join(', ')} has no comment of its own`);
  return rows;
}

/** Rows for a table of limits whose fields are described in its interface. */
function fieldRows(text: string, name: string, table: Record<string, unknown>): LimitRow[] {
  const rows: LimitRow[] = [];
  for (const [, comment, fields] of text.matchAll(FIELD)) {
    const names = [...fields!.matchAll(/readonly (\w+):/g)].map((match) => match[1]!);
    const known = names.filter((field) => field in table);
    const limits = known.map((field) => ({ name: `${name}.${field}`, value: shown(field, table[field]) }));
    if (limits.length > 0) rows.push({ limits, comment: plain(comment!) });
  }
  return rows;
}

function entriesOf(name: string, table: Record<string, unknown>): Limit[] {
  return Object.entries(table).map(([key, value]) => ({ name: `${name}.${key}`, value: shown(key, value) }));
}

function rowsOf(text: string, values: ReadonlyMap<string, unknown>): LimitRow[] {
  return [...text.matchAll(DOCUMENTED)].flatMap(([, comment, name]) => {
    const value = values.get(name!);
    return typeof value === 'number'
      ? [{ limits: [{ name: name!, value: shown(name!, value) }], comment: plain(comment!) }]
      : [];
  });
}

/** Whether a client or an operator notices that the limit is reached, and reads about it nowhere else. */
function isListed({ comment }: LimitRow): boolean {
  return NOTICED.test(comment) && !IS_IN_SCHEMA.test(comment);
}

function plain(comment: string): string {
  return comment
    .replaceAll(/\n\s*\*\s?/g, ' ')
    .trim()
    .replaceAll('|', '\\|');
}

/** A value, with its unit if the name ends in one. */
function shown(name: string, value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([key, part]) => `${key} ${shown(key, part)}`)
      .join(', ');
  }
  if (typeof value !== 'number') return String(value);
  if (/bytes/i.test(name)) return bytesText(value);
  if (/Ms$|_MS\b|_MS_/.test(name)) return durationText(value);
  return value.toLocaleString('en-GB');
}

function bytesText(bytes: number): string {
  const units = [
    [1024 * 1024, 'MiB'],
    [1024, 'KiB'],
  ] as const;
  const unit = units.find(([size]) => bytes >= size && bytes % size === 0);
  return unit === undefined ? `${bytes.toLocaleString('en-GB')} B` : `${bytes / unit[0]} ${unit[1]}`;
}

function durationText(ms: number): string {
  const units = [
    [86_400_000, 'days'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ] as const;
  const unit =
    units.find(([size]) => ms >= 2 * size && ms % size === 0) ?? units.find(([size]) => ms === size);
  return unit === undefined ? `${ms.toLocaleString('en-GB')} ms` : `${ms / unit[0]} ${unit[1]}`;
}

function section(file: string, rows: readonly LimitRow[]): string {
  return [`## \`${file}\``, '', ...TABLE_HEAD, ...rows.map((row) => line(row))].join('\n');
}

function line({ limits, comment }: LimitRow): string {
  const names = limits.map(({ name }) => `\`${name}\``).join('<br>');
  return `| ${[names, limits.map(({ value }) => value).join('<br>'), comment].join(' | ')} |`;
}
