// The operator's rules for joins: what the file may contain, and that the rules take precedence over names.

import { describe, expect, test } from 'bun:test';
import { joinRulesOf } from '../../../src/ingest/join/join-rules.ts';
import { JoinDesk, matchWire } from './join-desk.ts';

const SOURCES = ['isports', 'betfair'];

describe('joinRulesOf', () => {
  test.each([
    [[], 'allowed is an object'],
    [{ joins: [] }, 'there is no field "joins", allowed are join and never'],
    [{ join: {} }, 'join is {}, allowed is a list'],
    [{ join: [{ isports: '1' }] }, 'join[0] is {"isports":"1"}, allowed is a fixture of two sources'],
    [
      { join: [{ isports: '1', betfiar: '2' }] },
      'join[0] names "betfiar", which does not run; the nearest that does is "betfair"',
    ],
    [
      { never: [{ isports: 1, betfair: '2' }] },
      "never[0].isports is 1, allowed is the fixture's key in that source, a text",
    ],
    [
      {
        join: [
          { isports: '1', betfair: '2' },
          { isports: '1', betfair: '3' },
        ],
      },
      'join[1] joins isports "1" with both betfair "2" and betfair "3", allowed is only one',
    ],
    [
      { join: [{ isports: '1', betfair: '2' }], never: [{ betfair: '2', isports: '1' }] },
      'never[0] is in join too; remove one of the two entries',
    ],
  ] as const)('joinRulesOf refuses %j', (file, why) => {
    expect(() => joinRulesOf(file, SOURCES)).toThrow(why);
  });
});

/** A desk with these rules and two sources with one fixture each. */
function deskOf(file: unknown, names: readonly [string, string], kickoffs = ['15:00', '15:00']): JoinDesk {
  const desk = new JoinDesk({
    bookmakers: [['crown'], ['pinnacle']],
    rules: (sources) => joinRulesOf(file, sources),
  });
  for (const [source, name] of names.entries()) {
    const scheduled_at = `2026-03-01T${kickoffs[source]}:00Z`;
    desk.snapshot(source, matchWire(source, `${source}-0`, [name, 'Fulham'], { scheduled_at }));
  }
  return desk;
}

describe('FEED_MATCH', () => {
  const pair = { 'source-0': '0-0', 'source-1': '1-0' };

  test('FEED_MATCH joins fixtures that names and kickoffs do not join', () => {
    expect(deskOf({}, ['Arsenal', 'Highbury Eleven']).joint.report().joined).toEqual([]);
    const { joined, apart } = deskOf(
      { join: [pair] },
      ['Arsenal', 'Highbury Eleven'],
      ['15:00', '19:00'],
    ).joint.report();
    expect([joined.length, apart.length]).toEqual([1, 0]);
  });

  test('a key that no source has is reported with its entry; keys that a source has are not', () => {
    const file = {
      join: [{ 'source-0': '0-0', 'source-1': 'isports-football-123' }],
      never: [{ 'source-0': 'gone', 'source-1': '1-0' }],
    };
    expect(deskOf({ join: [pair] }, ['Arsenal', 'Chelsea']).joint.report().named_nothing).toEqual([]);
    expect(deskOf(file, ['Arsenal', 'Chelsea']).joint.report().named_nothing).toEqual([
      { entry: 'join[0]', source: 'source-1', event: 'isports-football-123' },
      { entry: 'never[0]', source: 'source-0', event: 'gone' },
    ]);
  });

  test('FEED_MATCH separates fixtures that their names would join, and the report shows this', () => {
    expect(deskOf({}, ['Arsenal', 'Arsenal FC']).joint.report().joined).toHaveLength(1);
    const { joined, apart } = deskOf({ never: [pair] }, ['Arsenal', 'Arsenal FC']).joint.report();
    expect(joined).toEqual([]);
    expect(apart.map(({ why }) => why)).toEqual(['forbidden', 'forbidden']);
  });
});
