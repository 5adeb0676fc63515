// What a reader with an older version gets: all later changes, however old the version is, as long as the
// ring of departures reaches back that far.

import { describe, expect, test } from 'bun:test';
import { BOOKMAKERS, isSharpBookmaker } from '../../src/domain/catalogue.ts';
import { DEPARTURES_MAX } from '../../src/limits.ts';
import { packQuoteKey } from '../../src/store/quote-key.ts';
import { SlateReader } from '../../src/store/reader.ts';
import {
  commonCountOf,
  lastVersionOf,
  nextCommonVersion,
  nextSharpVersion,
} from '../../src/store/versions.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { fixtureOf, smallStore } from './small-store.ts';

const OLD_S = 600;
const MESSAGES_PER_S = 5_000;
const WITHDRAWN_SHARE = 0.02;
const SHARP_KEY = packQuoteKey(
  1,
  0,
  0,
  BOOKMAKERS.findIndex((_, index) => isSharpBookmaker(index)),
);

describe('a version that is ten minutes old', () => {
  test('a reader with a version that is ten minutes old still gets all later changes, at 5,000 messages a second of which 2 % remove a fixture', () => {
    const buffer = smallStore({ departures: DEPARTURES_MAX });
    const writer = new SlateWriter(buffer);
    const reader = new SlateReader(buffer);
    writer.putFixture(fixtureOf(1));
    writer.publish(0);
    const since = reader.slateVersion();
    const departures = OLD_S * MESSAGES_PER_S * WITHDRAWN_SHARE;
    for (let count = 0; count < departures; count++) comeAndGo(writer);
    expect(reader.instant(since)?.departures).toHaveLength(departures);
    // The oldest row may be in the middle of being written, so the ring has one usable row less.
    for (let count = departures + 1; count < DEPARTURES_MAX; count++) comeAndGo(writer);
    expect(reader.instant(since)?.departures).toHaveLength(DEPARTURES_MAX - 1);
    comeAndGo(writer);
    expect(reader.instant(since)?.departures).toBeNull();
    expect(reader.instant(reader.slateVersion())?.departures).toEqual([]);
  });
});

function comeAndGo(writer: SlateWriter): void {
  writer.removeFixture(writer.slotOf(1));
  writer.putFixture(fixtureOf(1));
  writer.publish(0);
}

describe('versions', () => {
  test('up to 65,535 versions in a row with only sharp quotes do not change the count of common versions', () => {
    const buffer = smallStore();
    const writer = new SlateWriter(buffer);
    const reader = new SlateReader(buffer);
    const slot = writer.putFixture(fixtureOf(1));
    writer.publish(0);
    const before = reader.slateVersion();
    for (let count = 1; count <= 65_536; count++) {
      writer.quotes.putQuote(slot, SHARP_KEY, count, 1, 1, 0, count);
      writer.publish(0);
      if (count === 65_535) expect(commonCountOf(reader.slateVersion())).toBe(commonCountOf(before));
    }
    expect(reader.slateVersion()).toBe(nextCommonVersion(before));
  });

  test('lastVersionOf() is the last version that has the same count of common versions as the given one', () => {
    for (const version of [0, 65_536, 65_537, 9 * 65_536 + 77]) {
      const last = lastVersionOf(commonCountOf(version));
      expect(last).toBeGreaterThanOrEqual(version);
      expect(nextSharpVersion(last)).toBe(nextCommonVersion(version));
    }
  });
});
