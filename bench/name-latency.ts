// How long single fixture queries take on a full slate, by class of query. Measures the CPU time of this
// thread, one query at a time. Every text is used once, so that no answer comes from a cache. The slate is
// made from the club table.

import { dlopen } from 'bun:ffi';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { allClubs } from '../src/names/club-table.ts';
import { FixtureIndex, type ResolvableFixture } from '../src/names/fixture-index.ts';
import { resolveFixture } from '../src/names/resolve-fixture.ts';
import { NameCache } from '../src/names/text/parse-name.ts';

const SEED = 20_260_101;
const WARM_UP_SHARE = 0.25;
const CLOCK_THREAD_CPUTIME_ID = 3;

const libc = dlopen('libc.so.6', { clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' } });
const timespec = new BigInt64Array(2);

/** Fixtures between clubs of one country and sport. */
function clubFixtures(count: number): ResolvableFixture[] {
  const byLeague = [
    ...Map.groupBy(allClubs(), ({ country, sport }) => `${country ?? 'World'}|${sport}`).values(),
  ];
  const pairs = byLeague.flatMap((clubs) =>
    clubs.flatMap((home, at) => {
      const away = clubs[(at + 1) % clubs.length]!;
      return away === home ? [] : [{ home, away }];
    }),
  );
  return Array.from({ length: count }, (_, index) => {
    const { home, away } = pairs[(index * 7) % pairs.length]!;
    return {
      eventNumber: index + 1,
      homeName: home.names[0]!,
      awayName: away.names[0]!,
      leagueName: `${home.country ?? 'World'} League`,
      sport: home.sport,
      scheduledAtMs: index * 3_600_000,
    };
  });
}

/** Queries by class, all different, in a fixed order. */
function queryClasses(fixtures: readonly ResolvableFixture[], count: number): Map<string, string[]> {
  const random = new Random(SEED);
  const other = new Map(allClubs().map(({ names }) => [names[0]!, names]));
  const otherName = (name: string): string => {
    const names = other.get(name)!;
    return names[random.index(names.length)]!;
  };
  const askers: Record<string, (fixture: ResolvableFixture) => string> = {
    canonical: ({ homeName }) => homeName,
    pair: ({ homeName, awayName }) => `${homeName} vs ${awayName}`,
    'other names': ({ homeName, awayName }) => `${otherName(awayName)} - ${otherName(homeName)}`,
    'typo alone': ({ homeName }) => slip(homeName, random),
    'typo in pair': ({ homeName, awayName }) => `${slip(homeName, random)} v ${awayName}`,
    'side by side': ({ homeName, awayName }) => `${homeName} ${awayName}`,
    'side by side, typos': ({ homeName, awayName }) => `${slip(homeName, random)} ${slip(awayName, random)}`,
    'in a question': ({ homeName, awayName }) => `who won ${homeName} against ${awayName} in the league?`,
    'not on the slate': ({ homeName, awayName }) => `${scramble(homeName)} vs ${scramble(awayName)}`,
  };
  return new Map(
    Object.entries(askers).map(([name, ask]) => {
      const asked = new Set<string>();
      for (let turn = 0; asked.size < count && turn < 4 * count; turn++)
        asked.add(ask(fixtures[random.index(fixtures.length)]!));
      return [name, [...asked]];
    }),
  );
}

/** A table of mean, p50, p95, p99 and worst per class of query, in microseconds of CPU time. */
export function latencyTable(fixtureCount: number, queriesPerClass: number): string[] {
  const fixtures = clubFixtures(fixtureCount);
  const index = new FixtureIndex(new NameCache());
  for (const fixture of fixtures) index.set(fixture);
  const lines = [
    `fixture query on ${fixtureCount} fixtures, CPU microseconds`,
    '| class of query | asked | mean | p50 | p95 | p99 | worst | over 2 ms |',
    '|---|---|---|---|---|---|---|---|',
  ];
  const classes = queryClasses(fixtures, queriesPerClass);
  // Runs part of the queries first, so that the code is compiled; the figures leave those out.
  for (const texts of classes.values())
    for (const text of texts.splice(0, texts.length * WARM_UP_SHARE)) resolveFixture(index, text);
  for (const [name, texts] of classes) {
    const times = Float64Array.from(texts, (text) => cpuMicros(() => resolveFixture(index, text))).sort();
    const at = (share: number): string =>
      times[Math.min(times.length - 1, Math.floor(share * times.length))]!.toFixed(0);
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    const slow = times.filter((time) => time > 2_000).length;
    lines.push(
      `| ${name} | ${times.length} | ${mean.toFixed(0)} | ${at(0.5)} | ${at(0.95)} | ${at(0.99)} | ${at(1)} | ${slow} |`,
    );
  }
  return lines;
}

function cpuMicros(run: () => unknown): number {
  const before = threadCpuMicros();
  run();
  return threadCpuMicros() - before;
}

/**
 * CPU time of this thread. process.threadCpuUsage counts in scheduler ticks of 4 ms, too coarse for one
 * query.
 */
function threadCpuMicros(): number {
  assert(libc.symbols.clock_gettime(CLOCK_THREAD_CPUTIME_ID, timespec) === 0, 'there is a CPU clock');
  return Number(timespec[0]) * 1e6 + Number(timespec[1]) / 1e3;
}

/** Swaps two neighbouring letters of the longest word. */
function slip(name: string, random: Random): string {
  const word = name.split(/\s+/).reduce((left, right) => (right.length > left.length ? right : left));
  if (word.length < 4) return name;
  const at = 1 + random.index(word.length - 3);
  return name.replace(word, word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2));
}

/** A real name with its vowels replaced, which is the name of no club. */
function scramble(name: string): string {
  const letters = [...name];
  return letters.map((letter, at) => (/[aeiou]/.test(letter) ? 'aeiou'[at % 5]! : letter)).join('');
}
