// The rosters in the repository.

import { describe, expect, test } from 'bun:test';
import { bookmakerNumber } from '../../src/domain/ids.ts';
import { readRoster, readyRosterNames } from '../../src/start/roster.ts';

describe('built-in rosters', () => {
  test.each([...readyRosterNames()])('the built-in roster %s is valid and has distinct numbers', (name) => {
    const bookmakers = readRoster(name);
    expect(new Set(bookmakers.map(({ key }) => bookmakerNumber(key))).size).toBe(bookmakers.length);
    // The roster `prediction-markets` has one bookmaker for each of several sources.
    const source = name.startsWith('the-odds-api') ? 'the-odds-api' : name;
    const isOf = ({ key, sources }: (typeof bookmakers)[number]): boolean =>
      sources[name === 'prediction-markets' ? key : source] !== undefined;
    expect(bookmakers.every(isOf)).toBe(true);
  });

  test('the built-in rosters are those listed in docs/guide/feeds.md', async () => {
    const page = await Bun.file(new URL('../../docs/guide/feeds.md', import.meta.url)).text();
    const table = page.slice(page.indexOf('\nReady rosters are files')).split('\n\n')[1]!;
    const listed = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map((row) => row[1]!);
    expect([...readyRosterNames()].sort()).toEqual(listed.sort());
    // If a row states how many bookmakers it has, the number is right.
    const counted = [...table.matchAll(/^\| `([\w-]+)` \| (\d+) /gm)];
    expect(counted.length).toBeGreaterThan(3);
    for (const [, name, count] of counted)
      expect([name, readRoster(name!).length]).toEqual([name, Number(count)]);
  });
});
