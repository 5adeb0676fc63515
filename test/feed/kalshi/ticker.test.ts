import { expect, test } from 'bun:test';
import { easternDate, tickerDate, titleTeams } from '../../../src/feed/kalshi/ticker.ts';

test('dates of tickers are in Eastern time', () => {
  // An example from the notes beside the samples: a game in the evening of 13 June in New York.
  expect(easternDate(Date.parse('2026-06-14T00:30:00Z'))).toBe('2026-06-13');
  expect(tickerDate('KXNBAGAME-26JUN13NYKSAS')).toBe('2026-06-13');
  expect(tickerDate('KXNBA-27')).toBeNull();
});

test.each([
  ['Vancouver vs Houston', ['Vancouver', 'Houston']],
  ['Indiana vs Chicago: Spread', ['Indiana', 'Chicago']],
  ['Game 5: New York at San Antonio', ['New York', 'San Antonio']],
  ['Reg Time: Arsenal vs Leeds', ['Arsenal', 'Leeds']],
  ['2027 Pro Basketball Champion', null],
])('titleTeams reads the teams of %p', (title, teams) => {
  expect(titleTeams(title)).toEqual(teams as [string, string] | null);
});
