// How well the names that people and feeds really use are resolved, by kind of name, on random slates: `bun
// test/names/kinds-of-name.ts`. There are several lists, each written before the rules were read. A hash
// splits the clubs of each list into two halves: rules may be made from the answers of the first, and only
// the figures of the second are read. The tables were extended after the first list was written, but not
// after the second.

import { readFileSync } from 'node:fs';
import { SPORT_BASKETBALL, SPORT_FOOTBALL } from '../../src/domain/catalogue.ts';
import { allClubs, clubsNamed } from '../../src/names/club-table.ts';
import type { FixtureIndex, ResolvableFixture } from '../../src/names/fixture-index.ts';
import { resolveFixture } from '../../src/names/resolve-fixture.ts';
import { createLeagueIndex } from '../../src/names/team-index.ts';
import { foldText } from '../../src/names/text/fold-text.ts';
import { parseName } from '../../src/names/text/parse-name.ts';
import { isOneSlip, isTwoSlips } from '../../src/names/text/word-similarity.ts';
import { indexOfFixtures } from './index-of-fixtures.ts';

type Part = `${(typeof LISTS)[ListFile]}${'tuned on' | 'held out'}`;

interface ListedClub {
  readonly part: Part;
  readonly spellings: readonly string[];
  readonly leagues: readonly string[];
  readonly sport: number;
  readonly texts: readonly { readonly kind: string; readonly text: string }[];
}

interface KindTally {
  asked: number;
  matched: number;
  wrong: number;
  /** How many answers are `ambiguous` and have the right fixture among the first three. */
  offered: number;
}

interface KindAnswer {
  readonly part: Part;
  readonly kind: string;
  readonly text: string;
  readonly outcome: 'matched' | 'wrong' | 'offered' | 'missed';
  readonly meant: string;
  readonly got: string;
}

const LISTS = {
  'held-out-names.txt': '',
  'held-out-names-2.txt': 'second list, ',
  'held-out-names-3.txt': 'third list, ',
} as const;
type ListFile = keyof typeof LISTS;
const PARTS = Object.values(LISTS).flatMap((list) => [`${list}tuned on`, `${list}held out`] as const);
/**
 * The kind of a name that a basketball team shares with a football club. If the football club is not on the
 * slate, the right answer is to ask.
 */
export const FOOTBALL_TOO = 'name of a football club';
const SLATES = 24;
const FIRST_KICKOFF_MS = Date.parse('2026-11-21T12:00:00.000Z');

export function readClubList(file: ListFile): ListedClub[] {
  const clubs: ListedClub[] = [];
  let leagues: string[] = [];
  let sport = SPORT_FOOTBALL;
  for (const line of linesOf(file)) {
    const heading = /^\[(.+); (football|basketball)\]$/.exec(line);
    if (heading !== null) {
      leagues = heading[1]!.split(' = ');
      sport = heading[2] === 'basketball' ? SPORT_BASKETBALL : SPORT_FOOTBALL;
      continue;
    }
    const [spellings, ...kinds] = line.split(' | ');
    const texts = kinds.flatMap((each) => {
      const [kind, list] = each.split(': ') as [string, string];
      return list.split('; ').map((text) => ({ kind, text }));
    });
    const names = spellings!.split(' / ');
    const half = halfOf(names[0]!);
    const part: Part = `${LISTS[file]}${half}`;
    clubs.push({ part, spellings: names, leagues, sport, texts });
  }
  return clubs;
}

/** Asks for every club of the list, on slates of some leagues, and for absent clubs, which must not match. */
export function askKinds(clubs: readonly ListedClub[], slates = SLATES): KindAnswer[] {
  const answers: KindAnswer[] = [];
  for (let slate = 0; slate < slates; slate++) answers.push(...askSlate(clubs, randomOf(slate + 1)));
  return answers;
}

function askSlate(clubs: readonly ListedClub[], random: () => number): KindAnswer[] {
  const answers: KindAnswer[] = [];
  const present: { club: ListedClub; eventNumber: number }[] = [];
  const absent: ListedClub[] = [];
  const fixtures: ResolvableFixture[] = [];
  for (const list of Map.groupBy(clubs, (club) => club.leagues[0]!).values()) {
    const leagueName = pick(list[0]!.leagues, random);
    const drawn = random() < 0.55 ? list.filter(() => random() < 0.7) : [];
    if (drawn.length % 2 === 1) drawn.pop();
    for (let at = 0; at < drawn.length; at += 2) {
      const eventNumber = fixtures.length + 1;
      const [home, away] = [drawn[at]!, drawn[at + 1]!];
      const names = [pick(home.spellings, random), pick(away.spellings, random)];
      fixtures.push({
        eventNumber,
        homeName: names[0]!,
        awayName: names[1]!,
        leagueName,
        sport: home.sport,
        scheduledAtMs: FIRST_KICKOFF_MS + 3_600_000 * at,
      });
      present.push({ club: home, eventNumber }, { club: away, eventNumber });
    }
    absent.push(...list.filter((club) => !drawn.includes(club)));
  }
  const index = indexOfFixtures(fixtures);
  const clubsByText = Map.groupBy(
    present.flatMap(({ club }) => textsOf(club).map((text) => ({ club, text }))),
    ({ text }) => text,
  );
  // Whether another club of the slate has this text too, or a text that resembles it ("fenerbahec" beside two
  // clubs Fenerbahce).
  const isShared = (text: string, club: ListedClub): boolean => {
    return [foldText(text, 200), nearTextOf(club, text)].some((each) =>
      (clubsByText.get(each) ?? []).some((other) => other.club !== club),
    );
  };
  for (const { club, eventNumber } of present) {
    const spellings = club.spellings.map((text) => ({ kind: 'another slate', text }));
    for (const { kind, text } of [...spellings, ...club.texts]) {
      if (isShared(text, club)) continue;
      const near = nearTextOf(club, text);
      const asked = [text, near].some((each) => isOfFootballToo(each, club)) ? FOOTBALL_TOO : kind;
      answers.push(answerOf(index, { club, kind: asked, text }, eventNumber));
    }
  }
  for (const club of absent) {
    const spellings = club.spellings.map((text) => ({ kind: '', text }));
    for (const { text } of [...spellings, ...club.texts]) {
      if (!isShared(text, club)) answers.push(answerOf(index, { club, kind: 'absent', text }, null));
    }
  }
  return answers;
}

function answerOf(
  index: FixtureIndex,
  { club, kind, text }: { club: ListedClub; kind: string; text: string },
  meant: number | null,
): KindAnswer {
  const found = resolveFixture(index, text);
  const candidates = [...(found.best === null ? [] : [found.best]), ...found.alternatives];
  const isOffered =
    found.status === 'ambiguous' && candidates.slice(0, 3).some(({ eventNumber }) => eventNumber === meant);
  let outcome: KindAnswer['outcome'] = isOffered ? 'offered' : 'missed';
  if (found.status === 'matched') outcome = found.best!.eventNumber === meant ? 'matched' : 'wrong';
  const nameOf = (eventNumber: number | undefined): string => {
    const fixture = eventNumber === undefined ? undefined : index.fixture(eventNumber);
    return fixture === undefined ? '' : `${fixture.homeName} v ${fixture.awayName} (${fixture.leagueName})`;
  };
  const got = candidates
    .slice(0, 3)
    .map(({ eventNumber, strength }) => `${nameOf(eventNumber)} ${strength.toFixed(2)}`);
  return {
    part: club.part,
    kind,
    text,
    outcome,
    meant: meant === null ? club.spellings[0]! : nameOf(meant),
    got: `${found.status}: ${got.join('; ')}`,
  };
}

interface Trap {
  readonly team: string;
  readonly league: string;
  readonly sport: number;
  readonly text: string;
}

export function readTraps(): Trap[] {
  return linesOf('held-out-traps.txt').flatMap((line) => {
    const [where, texts] = line.split(' | ');
    const [team, league, sport] = where!.split(' / ');
    return texts!.split('; ').map((text) => ({
      team: team!,
      league: league!,
      sport: sport === 'basketball' ? SPORT_BASKETBALL : SPORT_FOOTBALL,
      text,
    }));
  });
}

/**
 * Asks each trap (a text that resembles the name of a team, but means another club) on a slate with that team
 * and two others, once with the league's name and once with a code for it.
 */
export function askTraps(traps: readonly Trap[]): KindAnswer[] {
  return traps.flatMap(({ team, league, sport, text }) =>
    [league, 'L1'].map((leagueName) => {
      const row = { leagueName, sport, scheduledAtMs: FIRST_KICKOFF_MS };
      const index = indexOfFixtures([
        { eventNumber: 1, homeName: team, awayName: 'Opponent', ...row },
        { eventNumber: 2, homeName: 'Somebody', awayName: 'Nobody', ...row },
      ]);
      const club = { part: halfOf(team), spellings: [team], leagues: [league], sport, texts: [] };
      return answerOf(
        index,
        { club, kind: league === leagueName ? 'trap' : 'trap, league unknown', text },
        null,
      );
    }),
  );
}

interface LeagueQuestion {
  readonly slate: readonly { readonly name: string; readonly sport: number }[];
  readonly text: string;
  /**
   * The name of the league that is meant; `?` if the right answer is a question, `-` if no league of the
   * slate is meant.
   */
  readonly meant: string;
}

export function readLeagueQuestions(): LeagueQuestion[] {
  let slate: { name: string; sport: number }[] = [];
  const questions: LeagueQuestion[] = [];
  for (const line of linesOf('held-out-leagues.txt')) {
    if (line.startsWith('slate ')) {
      slate = line
        .slice(6)
        .split('; ')
        .map((each) => {
          const [, name, sport] = /^(.+) \((football|basketball)\)$/.exec(each)!;
          return { name: name!, sport: sport === 'basketball' ? SPORT_BASKETBALL : SPORT_FOOTBALL };
        });
      continue;
    }
    const [text, meant] = line.split(' -> ') as [string, string];
    questions.push({ slate, text, meant });
  }
  return questions;
}

/**
 * The answer (the name of a league, `?` for a question, or `-` for no league), and the names that were
 * offered.
 */
export function answerLeague({ slate, text }: LeagueQuestion): { answer: string; offered: string[] } {
  const found = createLeagueIndex(slate).resolve(text);
  const offered = [...(found.best === null ? [] : [found.best]), ...found.alternatives].map(
    ({ entry }) => entry.name,
  );
  const answer =
    found.status === 'matched' ? found.best!.entry.name : found.status === 'ambiguous' ? '?' : '-';
  return { answer, offered };
}

/** Whether the question was about a name that only one club of the slate has. */
export function isOfOneClub({ kind }: KindAnswer): boolean {
  return kind !== 'absent' && kind !== FOOTBALL_TOO && !kind.startsWith('trap');
}

export function tally(answers: readonly KindAnswer[]): KindTally {
  const count = (outcome: KindAnswer['outcome']): number =>
    answers.filter((answer) => answer.outcome === outcome).length;
  return {
    asked: answers.length,
    matched: count('matched'),
    wrong: count('wrong'),
    offered: count('offered'),
  };
}

/**
 * Whether a football club in the table has the name of this basketball team, as with "Fenerbahce". A
 * misspelling such as "fenerbahec" may then mean either.
 */
function isOfFootballToo(text: string, { sport }: ListedClub): boolean {
  if (sport !== SPORT_BASKETBALL) return false;
  return clubsNamed(parseName(text)).some((club) => allClubs()[club]!.sport === SPORT_FOOTBALL);
}

/** The folded texts of the clubs, and the nearest text of each text. Each slate asks for them again. */
const textsByClub = new WeakMap<ListedClub, readonly string[]>();
const nearByClub = new WeakMap<ListedClub, Map<string, string>>();

/**
 * Another text of the club that differs from this one by at most two slips; otherwise the folded text itself.
 */
function nearTextOf(club: ListedClub, text: string): string {
  const known = nearByClub.get(club) ?? new Map<string, string>();
  nearByClub.set(club, known);
  const near = known.get(text) ?? nearestText(foldText(text, 200), textsOf(club));
  known.set(text, near);
  return near;
}

function nearestText(text: string, texts: readonly string[]): string {
  const others = texts.filter((other) => other !== text && other.length > 4 && text.length > 4);
  return others.find((other) => isOneSlip(text, other) || isTwoSlips(text, other)) ?? text;
}

function textsOf(club: ListedClub): readonly string[] {
  const known = textsByClub.get(club);
  if (known !== undefined) return known;
  const texts = [...club.spellings, ...club.texts.map(({ text }) => text)];
  const folded = [...new Set(texts.map((text) => foldText(text, 200)))];
  textsByClub.set(club, folded);
  return folded;
}

function linesOf(file: string): string[] {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function halfOf(name: string): 'tuned on' | 'held out' {
  let state = 2_166_136_261;
  for (let index = 0; index < name.length; index++)
    state = Math.imul(state ^ name.charCodeAt(index), 16_777_619);
  return (state >>> 0) % 2 === 0 ? 'tuned on' : 'held out';
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!;
}

/** Marsaglia's xorshift, 32 bits. */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

function report(shown: string | undefined): void {
  const answers = [
    ...askKinds(readClubList('held-out-names.txt')),
    ...askTraps(readTraps()),
    ...askKinds(readClubList('held-out-names-2.txt')),
    ...askKinds(readClubList('held-out-names-3.txt')),
  ];
  console.log('| part | kind | asked | right at first | wrong | not matched: offered in the first three |');
  console.log('|---|---|---|---|---|---|');
  for (const part of PARTS) {
    const own = answers.filter((answer) => answer.part === part);
    const present = own.filter(isOfOneClub);
    const groups = [...Map.groupBy(own, ({ kind }) => kind)];
    for (const [kind, list] of [...groups, ['all present', present] as const]) {
      const { asked, matched, wrong, offered } = tally(list);
      const percent = (count: number, of: number): string =>
        `${((100 * count) / Math.max(1, of)).toFixed(2)} %`;
      const left = asked - matched - wrong;
      console.log(
        `| ${part} | ${kind} | ${asked} | ${percent(matched, asked)} | ${percent(wrong, asked)} | ${percent(offered, left)} of ${left} |`,
      );
    }
  }
  const questions = readLeagueQuestions();
  const good = questions.filter((question) => answerLeague(question).answer === question.meant);
  console.log(`leagues: ${good.length} of ${questions.length} as meant`);
  if (shown === undefined) return;
  if (shown === 'leagues') {
    for (const question of questions) {
      const { answer, offered } = answerLeague(question);
      if (answer !== question.meant)
        console.log(`${question.text} -> ${answer} (${offered.join('; ')}), meant ${question.meant}`);
    }
  }
  const lines = new Map<string, number>();
  for (const { part, kind, text, outcome, meant, got } of answers) {
    if (part.endsWith('held out') && !kind.startsWith('trap')) continue;
    if (!`${kind} ${outcome}`.includes(shown)) continue;
    const line = `[${kind}] ${text} -> ${outcome}; meant ${meant}; ${got}`;
    lines.set(`${kind}|${text}`, lines.get(`${kind}|${text}`) ?? 0);
    if (lines.get(`${kind}|${text}`) === 0) console.log(line);
    lines.set(`${kind}|${text}`, lines.get(`${kind}|${text}`)! + 1);
  }
}

if (import.meta.main) report(process.argv[2]);
