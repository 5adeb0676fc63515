// How often questions with names are answered correctly, by class of query and set of names: `bun run names
// accuracy`. For each set, a slate is made of its clubs, each with one opponent. "Present" questions are
// about clubs on the slate. "Absent" questions are about clubs that were taken off it; the only correct
// answer to them is no match. The alias list of openfootball/clubs is read from a folder beside the
// repository. A hash splits its countries into two halves, and rules and tables were made only from the first
// half.

import { existsSync, readFileSync } from 'node:fs';
import { assert } from '../../src/errors.ts';
import { BASKETBALL_LEAGUES, FOOTBALL_LEAGUES } from '../../src/feed/simulator/league-table.ts';
import { clubsOfTeam } from '../../src/names/clubs-of-team.ts';
import type { FixtureIndex, ResolvableFixture } from '../../src/names/fixture-index.ts';
import { countryOfLeague } from '../../src/names/league-language.ts';
import type { Evidence } from '../../src/names/resolution.ts';
import { resolveFixture } from '../../src/names/resolve-fixture.ts';
import { parseName } from '../../src/names/text/parse-name.ts';
import { recordingPath } from '../support/recordings.ts';
import { FEED_SPELLINGS } from './feed-spellings.ts';
import { indexOfFixtures } from './index-of-fixtures.ts';

export interface NamedClub {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly league: string;
  readonly sport: number;
}

interface Tally {
  asked: number;
  right: number;
  ambiguous: number;
  notFound: number;
  wrong: number;
}

export interface Answer {
  readonly set: string;
  readonly query: string;
  readonly kind: string;
  readonly outcome: 'right' | 'ambiguous' | 'notFound' | 'wrong';
  /**
   * Strength, confidence and evidence of the best candidate. `isBestRight` is whether that candidate is the
   * right club.
   */
  readonly strength: number;
  readonly confidence: number;
  readonly evidence: Evidence;
  readonly isBestRight: boolean;
  readonly got: string;
}

const ALIASES_PATH = new URL('../../../shared/data/names/openfootball_aliases.csv', import.meta.url);
const clubsByName = new Map<string, readonly number[]>();
export const DEVELOPMENT = 'openfootball, development half';
const keyByName = new Map<string, string>();
const START_MS = Date.parse('2026-11-21T12:00:00.000Z');

/** The sets of clubs by name, without sets whose files are missing. */
export function clubSets(): Map<string, NamedClub[]> {
  const sets = new Map<string, NamedClub[]>();
  const aliases = readAliases();
  if (aliases !== null) {
    sets.set(
      DEVELOPMENT,
      aliases.filter((club) => isDevelopment(club.league)),
    );
    sets.set(
      'openfootball, held-out half',
      aliases.filter((club) => !isDevelopment(club.league)),
    );
  }
  sets.set('simulator', simulatorClubs());
  sets.set('real feeds', feedClubs());
  const recorded = recordedClubs();
  if (recorded.length > 0) sets.set('recordings', recorded);
  return sets;
}

/**
 * Asks the questions of every class about one set.
 * @param every asks only about every second fixture and club if it is 2, and so on; the slates stay whole
 */
export function ask(set: string, clubs: readonly NamedClub[], every = 1): Answer[] {
  const answers: Answer[] = [];
  const full = slateOf(clubs);
  for (const [at, fixture] of full.fixtures.entries()) {
    if (at % every !== 0) continue;
    const [home, away] = full.clubsOf(fixture);
    for (const [club, other] of [
      [home, away],
      [away, home],
    ] as const) {
      const add = (kind: string, query: string, sameName = club.name): void => {
        answers.push(answerOf(set, kind, query, full.index, (found) => full.means(found, sameName, fixture)));
      };
      add('canonical alone', club.name);
      add('canonical with opponent', `${club.name} vs ${other.name}`);
      add('typo with opponent', `${slip(club.name)} vs ${other.name}`);
      add('typo alone', slip(club.name));
      for (const alias of club.aliases) {
        add('alias alone', alias, alias);
        add('alias with opponent', `${other.name} - ${alias}`, alias);
      }
    }
  }
  for (const half of [0, 1]) {
    const kept = clubs.filter((club) => hash(club.name) % 2 === half);
    const part = slateOf(kept);
    const never = (): boolean => false;
    const keptNames = new Set(kept.flatMap(({ name, aliases }) => [name, ...aliases]));
    const keptByLeague = Map.groupBy(kept, ({ league }) => league);
    clubs
      .filter((club) => hash(club.name) % 2 !== half)
      .forEach((club, at) => {
        if (at % every !== 0) return;
        // The club that could most easily be confused with the right one: another club of the same league.
        const rivals = keptByLeague.get(club.league) ?? [];
        const others = rivals.length > 1 ? rivals : kept;
        const opponent = others[(7 * at) % others.length]!.name;
        const isTwice = rivals.some((other) => areOneClub(club, other));
        // A text that is also exactly the name of a club on the slate means that club, so it is left out.
        const texts = [club.name, ...club.aliases].filter((text) => !keptNames.has(text));
        for (const text of [club.name, ...club.aliases]) {
          const answer = answerOf(set, 'absent alone, nothing skipped', text, part.index, never);
          answers.push(answer);
          if (isTwice || !texts.includes(text)) continue;
          answers.push({ ...answer, kind: 'absent alone' });
          answers.push(answerOf(set, 'absent with opponent', `${text} vs ${opponent}`, part.index, never));
        }
        if (!isTwice && texts.includes(club.name))
          answers.push(answerOf(set, 'absent with a typo', slip(club.name), part.index, never));
      });
  }
  return answers;
}

export function tallies(answers: readonly Answer[]): Map<string, Tally> {
  const byKind = new Map<string, Tally>();
  for (const { kind, outcome } of answers) {
    const tally = byKind.get(kind) ?? { asked: 0, right: 0, ambiguous: 0, notFound: 0, wrong: 0 };
    byKind.set(kind, tally);
    tally.asked++;
    tally[outcome]++;
  }
  return byKind;
}

/**
 * The half of the countries that the rules were made from, chosen by FNV-1a. The other half is only for
 * measuring.
 */
function isDevelopment(country: string): boolean {
  return hash(country) % 2 === 0;
}

function answerOf(
  set: string,
  kind: string,
  query: string,
  index: FixtureIndex,
  isRight: (eventNumber: number) => boolean,
): Answer {
  const found = resolveFixture(index, query);
  const best = found.best ?? found.alternatives[0] ?? null;
  const isBestRight = best !== null && isRight(best.eventNumber);
  const isAbsent = kind.startsWith('absent');
  let outcome: Answer['outcome'] = found.status === 'ambiguous' ? 'ambiguous' : 'notFound';
  if (found.status === 'matched') outcome = isBestRight ? 'right' : 'wrong';
  else if (isAbsent && found.status === 'not_found') outcome = 'right';
  const fixture = best === null ? undefined : index.fixture(best.eventNumber);
  return {
    set,
    query,
    kind,
    outcome,
    strength: best?.strength ?? 0,
    confidence: best?.confidence ?? 0,
    evidence: best?.evidence ?? 'alone',
    isBestRight,
    got: fixture === undefined ? '' : `${fixture.homeName} v ${fixture.awayName}`,
  };
}

function slateOf(clubs: readonly NamedClub[]) {
  const fixtures: ResolvableFixture[] = [];
  const byLeague = Map.groupBy(clubs, (club) => club.league);
  const clubByEvent = new Map<number, readonly [NamedClub, NamedClub]>();
  for (const [leagueName, list] of byLeague) {
    for (let at = 0; at + 1 < list.length; at += 2) {
      const eventNumber = fixtures.length + 1;
      const [home, away] = [list[at]!, list[at + 1]!];
      clubByEvent.set(eventNumber, [home, away]);
      fixtures.push({
        eventNumber,
        homeName: home.name,
        awayName: away.name,
        leagueName,
        sport: home.sport,
        scheduledAtMs: START_MS + 3_600_000 * at,
      });
    }
  }
  const clubsOf = (fixture: ResolvableFixture) => clubByEvent.get(fixture.eventNumber)!;
  return {
    fixtures,
    index: indexOfFixtures(fixtures),
    clubsOf,
    /** Whether the event is the right fixture, or one of a club that has exactly this name or alias. */
    means(eventNumber: number, text: string, fixture: ResolvableFixture): boolean {
      if (eventNumber === fixture.eventNumber) return true;
      return clubByEvent.get(eventNumber)!.some((club) => club.name === text || club.aliases.includes(text));
    },
  };
}

function readAliases(): NamedClub[] | null {
  if (!existsSync(ALIASES_PATH)) return null;
  const clubs = new Map<string, { name: string; aliases: string[]; league: string; sport: number }>();
  for (const line of readFileSync(ALIASES_PATH, 'utf8').trim().split('\n').slice(1)) {
    const [country, , name, alias] = splitCsv(line);
    const key = `${country}|${name}`;
    const club = clubs.get(key) ?? { name: name!, aliases: [], league: country!, sport: 0 };
    clubs.set(key, club);
    if (alias !== name && !club.aliases.includes(alias!)) club.aliases.push(alias!);
  }
  return [...clubs.values()];
}

/**
 * The list has some clubs twice, under a former and a present name. Two entries are one club if a name of
 * each has the same distinctive words, or if the table has both names for one club (Terek and Akhmat Grozny).
 */
function areOneClub(left: NamedClub, right: NamedClub): boolean {
  const ofLeft = knownClubs(left);
  if (knownClubs(right).some((club) => ofLeft.includes(club))) return true;
  const keys = new Set([left.name, ...left.aliases].map(wordsKey));
  return [right.name, ...right.aliases].some((name) => keys.has(wordsKey(name)));
}

/** The club in the table that has exactly this name, in the club's country; empty if several have it. */
function knownClubs({ name, league, sport }: NamedClub): readonly number[] {
  const key = `${league}|${name}`;
  const known = clubsByName.get(key);
  if (known !== undefined) return known;
  const country = countryOfLeague(league);
  const { clubs, sides, isNear } = clubsOfTeam(parseName(name), { sport, country });
  const named = sides > 0 ? clubs.slice(0, sides) : clubs;
  const sure = country === null || isNear || named.length !== 1 ? [] : named;
  clubsByName.set(key, sure);
  return sure;
}

/** The words of four letters and more without the numbers, sorted; all words if none is that long. */
function wordsKey(name: string): string {
  const known = keyByName.get(name);
  if (known !== undefined) return known;
  const words = parseName(name).words.map((word) => word.text);
  const long = words.filter((word) => word.length > 3 && !/^\d+$/.test(word));
  const key = (long.length > 0 ? long : words).sort().join(' ');
  keyByName.set(name, key);
  return key;
}

function simulatorClubs(): NamedClub[] {
  return [FOOTBALL_LEAGUES, BASKETBALL_LEAGUES].flatMap((leagues, sport) =>
    leagues.flatMap((league) =>
      league.teams.split('|').map((name) => ({ name, aliases: [], league: league.name, sport })),
    ),
  );
}

/** The simulator's clubs with the spellings of real feeds as their aliases. */
function feedClubs(): NamedClub[] {
  const clubs = simulatorClubs();
  for (const name of FEED_SPELLINGS.keys())
    assert(
      clubs.some((club) => club.name === name),
      `feed-spellings.ts: '${name}' is no club of the simulator`,
    );
  return clubs.map((club) => ({ ...club, aliases: FEED_SPELLINGS.get(club.name) ?? [] }));
}

function recordedClubs(): NamedClub[] {
  const clubs = new Map<string, NamedClub>();
  for (const name of ['brazil-2022.ndjson', 'premier-league-2024-25.ndjson']) {
    const path = recordingPath(name);
    if (path === null) continue;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (!line.includes('"type":"event"')) continue;
      const { league, home, away } = JSON.parse(line);
      for (const { name } of [home, away])
        clubs.set(name, { name, aliases: [], league: league.name, sport: 0 });
    }
  }
  return [...clubs.values()];
}

/** A typing slip in the longest word: two letters exchanged, one left out, doubled or replaced. */
function slip(name: string): string {
  const word = name.split(/\s+/).reduce((left, right) => (right.length > left.length ? right : left));
  if (word.length < 5) return name;
  const dice = hash(name);
  const at = 1 + (dice % (word.length - 3));
  const [before, letter, next, after] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)];
  const slipped = [next + letter, letter, letter + letter + next, neighbourOf(letter) + next][
    (dice >>> 8) % 4
  ]!;
  return name.replace(word, before + slipped + after);
}

/** The key to the right on a keyboard, at the end of a row the first key. */
function neighbourOf(letter: string): string {
  const row = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'].find((keys) => keys.includes(letter));
  return row === undefined ? letter : row[(row.indexOf(letter) + 1) % row.length]!;
}

function hash(text: string): number {
  let state = 2_166_136_261;
  for (let index = 0; index < text.length; index++)
    state = Math.imul(state ^ text.charCodeAt(index), 16_777_619);
  return state >>> 0;
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

function report(shown: string | undefined): void {
  const all: Answer[] = [];
  console.log('| names | class of query | asked | right | ambiguous | not found | wrongly matched |');
  console.log('|---|---|---|---|---|---|---|');
  for (const [set, clubs] of clubSets()) {
    const answers = ask(set, clubs);
    all.push(...answers);
    for (const [kind, tally] of tallies(answers)) {
      const percent = (count: number): string => `${((100 * count) / tally.asked).toFixed(2)} %`;
      const { right, ambiguous, notFound, wrong } = tally;
      const shares = [right, ambiguous, notFound, wrong].map(percent).join(' | ');
      console.log(`| ${set} | ${kind} | ${tally.asked} | ${shares} |`);
    }
  }
  if (shown === undefined) return;
  for (const each of all) {
    if (each.set.includes('held-out')) continue;
    if (`${each.set} ${each.kind} ${each.outcome}`.includes(shown))
      console.log(`${each.query} -> ${each.outcome} ${each.got} ${each.strength.toFixed(2)}`);
  }
}

if (import.meta.main) report(process.argv[2]);
