// Makes an index of the names of given fixtures.

import { FixtureIndex, type ResolvableFixture } from '../../src/names/fixture-index.ts';
import { NameCache } from '../../src/names/text/parse-name.ts';

/** @param cache passed to several indexes, so that the names they share are parsed once */
export function indexOfFixtures(
  fixtures: readonly ResolvableFixture[],
  cache: NameCache = new NameCache(),
): FixtureIndex {
  const index = new FixtureIndex(cache);
  for (const fixture of fixtures) index.set(fixture);
  return index;
}
