// What a file holds of each fixture: how many ticks, from when to when, and what was last known of the
// match. Counted apart for callers that do not see the sharp bookmaker. Summaries of files are kept,
// within bounds.

import { BOOKMAKER_KEYS, isSharpBookmaker, type SportKey } from '../../domain/catalogue.ts';
import type { ColumnName } from '../files/parquet-file.ts';
import type { FixtureIds, Tick } from '../tick.ts';
import type { DayFile, TapeFiles } from './tape-files.ts';

/**
 * Fixtures of all kept summaries together. Full: the file used longest ago is counted again when needed.
 */
const KEPT_FIXTURES_MAX = 60_000;

export interface FixtureSummary {
  readonly eventId: string;
  readonly sport: SportKey;
  readonly league: string;
  readonly home: string;
  readonly away: string;
  readonly kickoffMs: number | null;
  readonly inPlay: boolean;
  /** Ticks without standing rows. */
  readonly ticks: number;
  /** When its first and its last tick were published, Unix ms. Infinite without ticks. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly ids: FixtureIds | undefined;
}

type BySight = Readonly<Record<'all' | 'common', ReadonlyMap<string, FixtureSummary>>>;
type Counted = { -readonly [Field in keyof FixtureSummary]: FixtureSummary[Field] };

const COLUMNS = [
  ...(['event_id', 'sport', 'league', 'home', 'away', 'kickoff'] as const),
  ...(['bookmaker', 'received_at', 'in_play', 'standing'] as const),
] satisfies readonly ColumnName[];

export class FixtureSummaries {
  readonly #files: TapeFiles;
  readonly #kept = new Map<string, BySight>();
  #keptCount = 0;

  constructor(files: TapeFiles) {
    this.#files = files;
  }

  /** The fixtures of a file, by event id. */
  async of(file: DayFile): Promise<BySight> {
    const key = `${file.path} ${file.bytes}`;
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const summaries = await this.#count(file);
    this.#kept.set(key, summaries);
    this.#keptCount += summaries.all.size;
    for (const [oldest, { all }] of this.#kept) {
      if (this.#keptCount <= KEPT_FIXTURES_MAX || oldest === key) break;
      this.#kept.delete(oldest);
      this.#keptCount -= all.size;
    }
    return summaries;
  }

  /** The summary of rows of one fixture that are in memory; null without rows. */
  ofRows(rows: readonly Tick[]): FixtureSummary | null {
    let counted: Counted | null = null;
    for (const tick of rows) {
      counted ??= emptyOf(tick, undefined);
      countRow(counted, tick);
    }
    return counted;
  }

  async #count(file: DayFile): Promise<BySight> {
    const all = new Map<string, Counted>();
    const common = new Map<string, Counted>();
    const ids = (await this.#files.open(file))?.ids;
    for await (const { rowCount, column } of this.#files.groups(file, COLUMNS)) {
      const columns = new Map<ColumnName, ArrayLike<unknown>>(COLUMNS.map((name) => [name, column(name)]));
      const value = (name: ColumnName, row: number): unknown => columns.get(name)![row];
      for (let row = 0; row < rowCount; row++) {
        const index = BOOKMAKER_KEYS.indexOf(String(value('bookmaker', row)));
        if (index < 0) continue;
        const eventId = String(value('event_id', row));
        for (const counted of isSharpBookmaker(index) ? [all] : [all, common]) {
          const kickoff = value('kickoff', row);
          const facts = {
            eventId,
            sport: value('sport', row) as SportKey,
            league: String(value('league', row)),
            home: String(value('home', row)),
            away: String(value('away', row)),
            kickoffMs: kickoff === null || kickoff === undefined ? null : Number(kickoff),
            inPlay: value('in_play', row) === true,
            receivedAtMs: Number(value('received_at', row)),
            standing: value('standing', row) === true,
          };
          let held = counted.get(eventId);
          if (held === undefined) {
            held = emptyOf(facts, ids?.get(eventId));
            counted.set(eventId, held);
          }
          countRow(held, facts);
        }
      }
    }
    return { all, common };
  }
}

type Facts = Pick<Tick, 'eventId' | 'sport' | 'league' | 'home' | 'away' | 'kickoffMs' | 'inPlay'> &
  Pick<Tick, 'receivedAtMs' | 'standing'>;

function emptyOf(
  { eventId, sport, league, home, away, kickoffMs, inPlay }: Facts,
  ids: FixtureIds | undefined,
): Counted {
  const firstAtMs = Number.POSITIVE_INFINITY;
  const lastAtMs = Number.NEGATIVE_INFINITY;
  return { eventId, sport, league, home, away, kickoffMs, inPlay, ticks: 0, firstAtMs, lastAtMs, ids };
}

function countRow(held: Counted, facts: Facts): void {
  if (facts.standing) return;
  held.ticks += 1;
  held.firstAtMs = Math.min(held.firstAtMs, facts.receivedAtMs);
  if (facts.receivedAtMs < held.lastAtMs) return;
  held.lastAtMs = facts.receivedAtMs;
  held.league = facts.league;
  held.home = facts.home;
  held.away = facts.away;
  held.kickoffMs = facts.kickoffMs;
  held.inPlay = facts.inPlay;
}
