// Resolving names: the time of single queries on a full slate, a fixture query over 1,000 fixtures compared
// with a plain similarity ratio, the worst inputs found, and building the index.

import { bench, do_not_optimize, group } from 'mitata';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import type { FixtureIndex, ResolvableFixture } from '../src/names/fixture-index.ts';
import { resolveFixture } from '../src/names/resolve-fixture.ts';
import { createTeamIndex } from '../src/names/team-index.ts';
import { NameCache } from '../src/names/text/parse-name.ts';
import { indexOfFixtures } from '../test/names/index-of-fixtures.ts';
import { latencyTable } from './name-latency.ts';

const SEED = 20_260_101;
const QUERIES = 64;

/**
 * The slowest queries that were found: many possible readings, words that many clubs share, letters with many
 * spellings.
 */
const WORST: readonly string[] = [
  'Manchestr Untied & Hove Albio, Nottinghm / Forst with Wolverhampon and Tottnham to Westhm or Liverpol',
  'marton selham calford and halburg polfield & tormouth or wesbridge',
  'city united and town rovers & athletic wanderers or sporting real',
  'man sal sun tor val ver',
  'man-'.repeat(60),
  'al-bar-car-dun-far-gar-ham vs kin-lan-mar-nor-pal and por-red-san',
  'united '.repeat(40),
  'ma. ba. ca. sa. wa. ha. la. fa. ga. pa. ra. da.',
  '\ufdfa'.repeat(200),
  'a'.repeat(1_000_000),
  'vs '.repeat(1_000),
];

export function define(size: 'smoke' | 'full'): void {
  const latencies = size === 'smoke' ? latencyTable(50, 8) : latencyTable(4_096, 800);
  if (size === 'full') console.log(latencies.join('\n'));
  const fixtures = makeFixtures(size === 'smoke' ? 50 : 1_000);
  const cache = new NameCache();
  const index = indexOfFixtures(fixtures, cache);
  const random = new Random(SEED + 1);
  const asked = Array.from({ length: QUERIES }, () => fixtures[random.index(fixtures.length)]!);
  const pairs = asked.map((fixture) => `who won ${slip(fixture.homeName, random)} vs ${fixture.awayName}?`);
  const singles = asked.map((fixture) => slip(fixture.homeName, random));
  // More different words than an index caches, so that none is answered from the cache.
  const unseen = Array.from({ length: 16 * fixtures.length }, (_, at) => {
    const { homeName, awayName } = fixtures[at % fixtures.length]!;
    return `${slip(homeName, random)} vs ${slip(awayName, random)}`;
  });
  checkAnswers(index, asked, pairs);

  group(`fixture query, ${fixtures.length} fixtures`, () => {
    let next = 0;
    bench('two teams', () => do_not_optimize(resolveFixture(index, pairs[next++ % QUERIES]!)));
    bench('one team', () => do_not_optimize(resolveFixture(index, singles[next++ % QUERIES]!)));
    bench('two teams, words not asked before', () =>
      do_not_optimize(resolveFixture(index, unseen[next++ % unseen.length]!)),
    );
    bench('two teams, similarity ratio over every fixture', () =>
      do_not_optimize(naiveResolve(fixtures, pairs[next++ % QUERIES]!)),
    ).baseline(true);
  });
  group('worst inputs', () => {
    for (const text of WORST) {
      bench(`${text.slice(0, 32)} (${text.length})`, () => do_not_optimize(resolveFixture(index, text)));
    }
  });
  group(`index of ${fixtures.length} fixtures`, () => {
    bench('build', () => do_not_optimize(indexOfFixtures(fixtures)));
    bench('rebuild, names known', () => do_not_optimize(indexOfFixtures(fixtures, cache)));
  });
}

function checkAnswers(
  index: FixtureIndex,
  asked: readonly ResolvableFixture[],
  pairs: readonly string[],
): void {
  for (let at = 0; at < asked.length; at++) {
    const { status, best } = resolveFixture(index, pairs[at]!);
    assert(status === 'matched', `"${pairs[at]}" has one answer`);
    assert(best!.eventNumber === asked[at]!.eventNumber, `"${pairs[at]}" finds its fixture`);
  }
  const teams = createTeamIndex(asked.map((fixture) => ({ name: fixture.homeName, sport: 0 })));
  assert(teams.search(asked[0]!.homeName)[0]!.entry.name === asked[0]!.homeName, 'a team finds itself');
}

/** Fixtures between teams that all have different names, made from the syllables and words of real ones. */
function makeFixtures(count: number): ResolvableFixture[] {
  const random = new Random(SEED);
  const starts =
    'ba be bra cal car che dor dun est far gar gil ham hal ips kel kin lan lei lin liv lon man mar mel nor ola pal per por red ros sal san sel sol sun tar tor val ver vil wal wes wol yor'.split(
      ' ',
    );
  const ends =
    'ton ham ford burg field pool chester mouth bridge wick dale stadt grad ville sk ov ino eda ona ia'.split(
      ' ',
    );
  const suffixes = [
    '',
    '',
    '',
    ...'United City FC Athletic Town Rovers SC CF Wanderers Sporting 1904'.split(' '),
  ];
  const pick = (list: readonly string[]): string => list[random.index(list.length)]!;
  const names = new Set<string>();
  const places = new Set<string>();
  while (names.size < 2 * count) {
    const place = pick(starts) + pick(starts) + pick(ends);
    if (places.has(place)) continue;
    places.add(place);
    names.add(`${place[0]!.toUpperCase()}${place.slice(1)} ${pick(suffixes)}`.trim());
  }
  const list = [...names];
  return Array.from({ length: count }, (_, index) => ({
    eventNumber: index + 1,
    homeName: list[2 * index]!,
    awayName: list[2 * index + 1]!,
    leagueName: 'League',
    sport: 0,
    scheduledAtMs: index * 3_600_000,
  }));
}

/** Swaps two letters, as in a typing error. */
function slip(name: string, random: Random): string {
  const at = 2 + random.index(Math.max(1, name.split(' ')[0]!.length - 4));
  return name.slice(0, at) + name[at + 1]! + name[at]! + name.slice(at + 2);
}

/** The baseline: the Ratcliff-Obershelp ratio, as in Python's difflib, of the text and "home vs away". */
function naiveResolve(fixtures: readonly ResolvableFixture[], text: string): number {
  let best = -1;
  let bestRatio = 0;
  const query = text.toLowerCase();
  for (let index = 0; index < fixtures.length; index++) {
    const name = `${fixtures[index]!.homeName} vs ${fixtures[index]!.awayName}`.toLowerCase();
    const ratio = (2 * commonLetters(query, name)) / (query.length + name.length);
    if (ratio > bestRatio) {
      bestRatio = ratio;
      best = index;
    }
  }
  return best;
}

function commonLetters(left: string, right: string): number {
  if (left === '' || right === '') return 0;
  let length = 0;
  let leftEnd = 0;
  let rightEnd = 0;
  let previous = new Uint16Array(right.length + 1);
  for (let at = 1; at <= left.length; at++) {
    const current = new Uint16Array(right.length + 1);
    for (let other = 1; other <= right.length; other++) {
      if (left[at - 1] !== right[other - 1]) continue;
      current[other] = previous[other - 1]! + 1;
      if (current[other]! > length) {
        length = current[other]!;
        leftEnd = at;
        rightEnd = other;
      }
    }
    previous = current;
  }
  if (length === 0) return 0;
  return (
    length +
    commonLetters(left.slice(0, leftEnd - length), right.slice(0, rightEnd - length)) +
    commonLetters(left.slice(leftEnd), right.slice(rightEnd))
  );
}
