// ops/asvs.json has a judgement on every requirement of OWASP ASVS 5.0, levels 1 and 2, and names only tests
// that exist.

import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { readAsvs } from '../scripts/asvs.ts';

const ROOT = new URL('../', import.meta.url).pathname;

/** The number of requirements of levels 1 and 2 in the list that ASVS 5.0.0 itself has. */
const REQUIREMENTS = 253;

test('every requirement of ASVS level 1 and 2 has a judgement, and nothing else has one', async () => {
  const { requirements, tests, by_construction, open, not_applicable } = await readAsvs();
  expect(new Set(requirements).size).toBe(REQUIREMENTS);
  const judged = [
    ...Object.values(tests).flat(),
    ...[by_construction, open, not_applicable].flat().flatMap(({ points }) => points),
  ];
  expect(new Set(judged)).toEqual(new Set(requirements));
});

test('every test file that is named for requirements of ASVS exists, and names each requirement once', async () => {
  const { tests } = await readAsvs();
  expect(Object.keys(tests).filter((path) => !/^test\//.test(path) || !existsSync(ROOT + path))).toEqual([]);
  for (const [path, points] of Object.entries(tests)) {
    expect([path, new Set(points).size]).toEqual([path, points.length]);
  }
});

test('a requirement of ASVS that does not apply or holds by construction is in no other list', async () => {
  const { tests, by_construction, open, not_applicable } = await readAsvs();
  const once = [...by_construction, ...not_applicable].flatMap(({ points }) => points);
  const others = new Set([...Object.values(tests).flat(), ...open.flatMap(({ points }) => points)]);
  expect(new Set(once).size).toBe(once.length);
  expect(once.filter((point) => others.has(point))).toEqual([]);
  for (const { why } of [...by_construction, ...open, ...not_applicable]) expect(why).not.toBe('');
});
