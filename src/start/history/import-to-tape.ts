// The commands that import prices of the past into the history.

import { toIsoText } from '../../clock.ts';
import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { installedRoster } from '../../domain/roster.ts';
import { rowsOf } from '../../feed/football-data/csv.ts';
import { DEFAULT_BOOKMAKERS } from '../../feed/football-data/recording.ts';
import { bookmakerMapOf } from '../../feed/poll/bookmaker-map.ts';
import type { HistoryFolder } from '../../history/files/folder.ts';
import { type AddedToTape, addToTape } from '../../history/imports/add-to-tape.ts';
import { BetfairImport } from '../../history/imports/betfair-history.ts';
import { footballDataTape } from '../../history/imports/football-data.ts';
import { ImportError, unpackedFile, valueAt, valueRanges } from '../../history/imports/import-files.ts';
import type { ImportedTape, Stood } from '../../history/imports/tape-recorder.ts';
import { type OddsAnswer, OddsApiImport, oddsAnswerOf } from '../../history/imports/the-odds-api.ts';
import { TapeReader } from '../../history/past/tape-reader.ts';

/** What an import did, for the operator. */
export interface TapeImport extends AddedToTape {
  readonly fixtures: number;
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Answers of The Odds API's historical endpoint. @throws ImportError */
export async function importOddsApi(folder: HistoryFolder, paths: readonly string[]): Promise<TapeImport> {
  const roster = bookmakerMapOf('the-odds-api', installedRoster().bookmakers);
  const files = await indexed(paths);
  const order = files
    .flatMap(({ path, answers }) => answers.map((answer) => ({ path, ...answer })))
    .sort((left, right) => left.atMs - right.atMs);
  const first = order[0];
  if (first === undefined) return await added(folder, new OddsApiImport(roster).finish());
  const reading = new OddsApiImport(roster, await stoodBefore(folder, first.atMs));
  const held = new HeldFile();
  for (const { path, index } of order) {
    const answer = answerAt(path, await held.answer(path, index));
    if (answer !== null) reading.add(answer);
  }
  return await added(folder, reading.finish());
}

/** Betfair's historical stream files. @throws ImportError */
export async function importBetfair(
  folder: HistoryFolder,
  { paths, commission }: { readonly paths: readonly string[]; readonly commission: number },
): Promise<TapeImport> {
  const bookmaker = bookmakerMapOf('betfair', installedRoster().bookmakers).values().next().value;
  if (bookmaker === undefined) {
    throw new Error('Cannot import Betfair: the roster has no such bookmaker; BOOKMAKERS=betfair has it');
  }
  const reading = new BetfairImport({ bookmaker, commission });
  for (const path of paths) {
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

/** Season files of football-data.co.uk. @throws ImportError */
export async function importSeasons(
  folder: HistoryFolder,
  {
    paths,
    bookmakers,
  }: { readonly paths: readonly string[]; readonly bookmakers: readonly (readonly [string, string])[] },
): Promise<TapeImport> {
  const known = [...DEFAULT_BOOKMAKERS, ...bookmakers].filter(([, key]) => BOOKMAKER_KEYS.includes(key));
  const rows = [];
  for (const path of paths) {
    try {
      rows.push(...rowsOf(new TextDecoder().decode(await unpackedFile(path))));
    } catch (error) {
      throw error instanceof RangeError ? new ImportError(path, error.message) : error;
    }
  }
  return await added(folder, footballDataTape(rows, new Map(known)));
}

async function added(folder: HistoryFolder, tape: ImportedTape): Promise<TapeImport> {
  return { ...(await addToTape(folder, tape)), fixtures: tape.fixtures, leftOut: tape.leftOut };
}

/** What stood on the tape just before an instant. */
async function stoodBefore(folder: HistoryFolder, atMs: number): Promise<Stood> {
  const tape = new TapeReader({
    ...{ folder, source: null, monotonicMs: () => 0 },
    onBroken: (path, error) => {
      throw new Error(`Cannot read ${path} of the history: ${String(error)}`);
    },
  });
  const slate = await tape.slateAt(atMs - 1, 'all');
  return (eventId) => slate.get(eventId)?.standing ?? [];
}

/**
 * Which answers files have, by their time: they are added in that order, whatever the order of the files.
 */
async function indexed(paths: readonly string[]) {
  const files: { path: string; answers: { index: number; atMs: number }[] }[] = [];
  for (const path of paths) {
    const bytes = await unpackedFile(path);
    const answers = valueRanges(bytes).flatMap((range, index) => {
      const atMs = answerAt(path, readValue(path, bytes, range))?.timestampMs;
      return atMs === undefined ? [] : [{ index, atMs }];
    });
    files.push({ path, answers });
  }
  return files;
}

/** The last file that was read: answers of one file mostly follow each other. */
class HeldFile {
  #path: string | null = null;
  #bytes = new Uint8Array();
  #ranges: ReturnType<typeof valueRanges> = [];

  async answer(path: string, index: number): Promise<unknown> {
    if (path !== this.#path) {
      this.#bytes = new Uint8Array(await unpackedFile(path));
      this.#ranges = valueRanges(this.#bytes);
      this.#path = path;
    }
    return readValue(path, this.#bytes, this.#ranges[index]!);
  }
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

/** What an import did, as lines of text. @param keptFromMs older days are removed by the server; Unix ms */
export function importText(done: TapeImport, keptFromMs: number): string[] {
  const { added: ticks, known, fixtures, days, leftOut } = done;
  const lines = [
    `Added ${ticks} ticks of ${fixtures} fixtures${days === null ? '' : `, ${days[0]} to ${days[1]}`}; ${known} were there already`,
  ];
  const reasons = [...leftOut].sort(([, left], [, right]) => right - left);
  for (const [reason, count] of reasons) lines.push(`Left out: ${count} ${reason}`);
  const keptFrom = toIsoText(keptFromMs).slice(0, 10);
  if (days !== null && days[0] < keptFrom) {
    lines.push(
      `HISTORY_DAYS keeps days from ${keptFrom} on: a server removes older ones. Set it higher to keep them`,
    );
  }
  return lines;
}
