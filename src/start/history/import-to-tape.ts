// The commands that import prices of the past into the history.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { toIsoText } from '../../clock.ts';
import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { installedRoster } from '../../domain/roster.ts';
import { rowsOf } from '../../feed/football-data/csv.ts';
import { DEFAULT_BOOKMAKERS } from '../../feed/football-data/recording.ts';
import { bookmakerMapOf } from '../../feed/poll/bookmaker-map.ts';
import { type HistoryFolder, isImport } from '../../history/files/folder.ts';
import { LocalFolder } from '../../history/files/local-folder.ts';
import { type AddedToTape, addToTape } from '../../history/imports/add-to-tape.ts';
import { BetfairImport } from '../../history/imports/betfair-history.ts';
import { footballDataTape } from '../../history/imports/football-data.ts';
import {
  IMPORTED_NAMES,
  ImportError,
  importPaths,
  unpackedFile,
  valueAt,
  valueRanges,
} from '../../history/imports/import-files.ts';
import type { ImportedTape } from '../../history/imports/imported-tape.ts';
import { type OddsAnswer, OddsApiImport, oddsAnswerOf, sportOf } from '../../history/imports/the-odds-api.ts';
import { lockFile } from '../../storage/file-lock.ts';
import { readRoster, readyRosterNames } from '../roster.ts';
import { openTape } from './export-tape.ts';

/** A file in the history folder. An import locks it while it adds to the history. */
const LOCK_NAME = 'import.lock';

/** What an import did, for the operator. */
export interface TapeImport extends AddedToTape {
  readonly fixtures: number;
  readonly leftOut: ReadonlyMap<string, number>;
  /** How to import the bookmakers that the roster does not have; null if there is nothing to say. */
  readonly bookmakerAdvice: string | null;
}

/** Imports answers of The Odds API's historical endpoint. @throws ImportError */
export async function importOddsApi(folder: HistoryFolder, paths: readonly string[]): Promise<TapeImport> {
  const roster = bookmakerMapOf('the-odds-api', installedRoster().bookmakers);
  const files = await indexed(importPaths(paths, IMPORTED_NAMES.theOddsApi));
  const order = files
    .flatMap(({ path, sports, answers }) =>
      answers.map((answer) => ({ path, sport: onlyOf(sports), ...answer })),
    )
    .sort((left, right) => left.atMs - right.atMs);
  const reading = new OddsApiImport(roster, new Set(files.flatMap(({ sports }) => [...sports])));
  const read = answerReader();
  let together: (OddsAnswer & { readonly sport: string | null })[] = [];
  for (const [place, { path, sport, index, atMs }] of order.entries()) {
    const answer = answerAt(path, await read(path, index));
    if (answer !== null) together.push({ ...answer, sport });
    if (order[place + 1]?.atMs === atMs) continue;
    reading.add(atMs, together);
    together = [];
  }
  const done = await added(folder, reading.finish());
  return { ...done, bookmakerAdvice: rosterAdvice(unmappedIn(done.leftOut)) };
}

/** Imports Betfair's historical stream files. @throws ImportError */
export async function importBetfair(
  folder: HistoryFolder,
  { paths, commission }: { readonly paths: readonly string[]; readonly commission: number },
): Promise<TapeImport> {
  const bookmaker = bookmakerMapOf('betfair', installedRoster().bookmakers).values().next().value;
  if (bookmaker === undefined) {
    throw new Error('Cannot import Betfair: the roster has no such bookmaker; BOOKMAKERS=betfair has it');
  }
  const reading = new BetfairImport({ bookmaker, commission });
  for (const path of importPaths(paths, IMPORTED_NAMES.betfair)) {
    const bytes = await unpackedFile(path);
    for (const range of valueRanges(bytes)) {
      try {
        reading.add(valueAt(bytes, range));
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        throw new ImportError(path, 'a line is not JSON');
      }
    }
    reading.endFile();
  }
  return await added(folder, reading.finish());
}

/** Imports season files of football-data.co.uk. @throws ImportError */
export async function importSeasons(
  folder: HistoryFolder,
  {
    paths,
    bookmakers,
  }: { readonly paths: readonly string[]; readonly bookmakers: readonly (readonly [string, string])[] },
): Promise<TapeImport> {
  const known = [...DEFAULT_BOOKMAKERS, ...bookmakers].filter(([, key]) => BOOKMAKER_KEYS.includes(key));
  const rows = [];
  for (const path of importPaths(paths, IMPORTED_NAMES.footballData)) {
    try {
      rows.push(...rowsOf(new TextDecoder().decode(await unpackedFile(path))));
    } catch (error) {
      throw error instanceof RangeError ? new ImportError(path, error.message) : error;
    }
  }
  const done = await added(folder, footballDataTape(rows, new Map(known)));
  const [unmapped] = unmappedIn(done.leftOut);
  const bookmakerAdvice =
    unmapped === undefined
      ? null
      : `To import such a bookmaker, name one of the roster for it: --books ${unmapped}=${BOOKMAKER_KEYS[0]}`;
  return { ...done, bookmakerAdvice };
}

/** The source's names of bookmakers that the roster does not have. */
function unmappedIn(leftOut: ReadonlyMap<string, number>): string[] {
  const prefix = 'unmapped_bookmaker ';
  return [...leftOut.keys()]
    .filter((reason) => reason.startsWith(prefix))
    .map((reason) => reason.slice(prefix.length));
}

/** Which ready roster has the most of these bookmakers of The Odds API. */
function rosterAdvice(unmapped: readonly string[]): string | null {
  if (unmapped.length === 0) return null;
  const counted = readyRosterNames().map((name) => {
    const map = bookmakerMapOf('the-odds-api', readRoster(name));
    return { name, count: unmapped.filter((bookmaker) => map.has(bookmaker)).length };
  });
  const most = counted.reduce((left, right) => (right.count > left.count ? right : left));
  const lacks = `The roster lacks ${unmapped.length} bookmakers of these files`;
  return most.count === 0
    ? `${lacks}; docs/guide/feeds.md says how to write a roster`
    : `${lacks}; BOOKMAKERS=${most.name} has ${most.count} of them. Import and start the server with it`;
}

/**
 * Adds what was read to the history.
 * @throws Error when another import adds to the folder; in a bucket that is not noticed
 */
async function added(folder: HistoryFolder, tape: ImportedTape): Promise<TapeImport> {
  const unlock = folder instanceof LocalFolder ? lockOf(folder) : () => undefined;
  try {
    await folder.removeDrafts(isImport);
    const own = await (await openTape(folder)).time.own('all');
    const added = await addToTape(folder, tape, (atMs) => own.has(atMs));
    return { ...added, fixtures: tape.fixtures, leftOut: tape.leftOut, bookmakerAdvice: null };
  } finally {
    unlock();
  }
}

function lockOf({ name }: LocalFolder): () => void {
  mkdirSync(name, { recursive: true });
  const unlock = lockFile(join(name, LOCK_NAME));
  if (unlock !== null) return unlock;
  throw new Error(`Cannot import: another import adds to ${name}. Nothing was added; run this one again`);
}

/**
 * Each file with the sports, the positions and the times of its answers. The answers are added in the order
 * of their times, whatever the order of the files.
 */
async function indexed(paths: readonly string[]) {
  const files: { path: string; sports: Set<string>; answers: { index: number; atMs: number }[] }[] = [];
  for (const path of paths) {
    const bytes = await unpackedFile(path);
    const sports = new Set<string>();
    const answers = valueRanges(bytes).flatMap((range, index) => {
      const answer = answerAt(path, readValue(path, bytes, range));
      if (answer === null) return [];
      const sport = sportOf(answer.events);
      if (sport !== null) sports.add(sport);
      return [{ index, atMs: answer.timestampMs }];
    });
    files.push({ path, sports, answers });
  }
  return files;
}

/**
 * The sport of an answer without fixtures, which does not show its sport. It is the sport of the other
 * answers in its file; null if they have several sports.
 */
function onlyOf(sports: ReadonlySet<string>): string | null {
  return sports.size === 1 ? [...sports][0]! : null;
}

/**
 * Returns a function that reads one answer of a file. It keeps the latest file in memory, because answers of
 * one file mostly follow each other.
 */
function answerReader(): (path: string, index: number) => Promise<unknown> {
  let held = { path: '', bytes: new Uint8Array(), ranges: valueRanges(new Uint8Array()) };
  return async (path, index) => {
    if (path !== held.path) {
      const bytes = new Uint8Array(await unpackedFile(path));
      held = { path, bytes, ranges: valueRanges(bytes) };
    }
    return readValue(path, held.bytes, held.ranges[index]!);
  };
}

function readValue(path: string, bytes: Uint8Array, range: ReturnType<typeof valueRanges>[number]): unknown {
  try {
    return valueAt(bytes, range);
  } catch {
    throw new ImportError(path, `it is not JSON near byte ${range.start}`);
  }
}

function answerAt(path: string, value: unknown): OddsAnswer | null {
  try {
    return oddsAnswerOf(value);
  } catch (error) {
    throw error instanceof RangeError ? new ImportError(path, error.message) : error;
  }
}

/**
 * What an import did, as lines of text.
 * @param keptFromMs Unix ms; the server removes older days. Null: the history is switched off
 */
export function importText(done: TapeImport, keptFromMs: number | null): string[] {
  const { added: ticks, hidden, known, fixtures, days, left, leftOut, bookmakerAdvice } = done;
  const lines = [
    `Added ${ticks} ticks of ${fixtures} fixtures${days === null ? '' : `, ${days[0]} to ${days[1]}`}; ${known} were there already`,
  ];
  if (hidden > 0) {
    lines.push(`${hidden} of them are of times that the server recorded itself; answers do not show them`);
  }
  const reasons = [...leftOut].sort(([, left], [, right]) => right - left);
  for (const [reason, count] of reasons) lines.push(`Left out: ${count} ${reason}`);
  if (bookmakerAdvice !== null) lines.push(bookmakerAdvice);
  const [first] = left;
  if (first !== undefined) {
    lines.push(
      `Could not remove ${left.length} files that this import replaced, such as ${first}. A server does not read them, but other programs do`,
    );
  }
  if (keptFromMs === null) {
    lines.push(
      'HISTORY_DAYS is 0, so the history is switched off and a server shows none of it. Set it to the number of days to keep',
    );
    return lines;
  }
  const keptFrom = toIsoText(keptFromMs).slice(0, 10);
  if (ticks + known > 0 && days !== null && days[0] < keptFrom) {
    lines.push(
      `HISTORY_DAYS keeps days from ${keptFrom} on: a server removes older ones. Set it higher to keep them`,
    );
  }
  return lines;
}
