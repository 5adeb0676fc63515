// `overround arbs` and `value` on a slate with more fixtures than one scan scores: signals on any day and in
// any league are found, and the number of scored fixtures is shown.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/clock.ts';
import { eventWire, quoteWire, type WireMessage } from '../feed/wire.ts';
import { runCommand } from '../support/command-line.ts';
import { nowText } from '../support/scripted-feed.ts';
import { ToolService } from '../tools/tool-service.ts';

const WINNER = { market_type: '1x2', line: null };
/**
 * In how many days each fixture kicks off; null if it has no kickoff yet. One day has more fixtures than one
 * scan scores.
 */
const FIXTURES = [
  ...Array.from({ length: 130 }, () => 2),
  ...Array.from({ length: 40 }, () => 3),
  ...Array.from({ length: 40 }, () => 50),
  null,
];
/**
 * The fixtures with arbitrage, each with a different margin; two on the crowded day, in different leagues.
 */
const ARBITRAGE = [7, 128, 140, 209, 210];

function slate(): WireMessage[] {
  const at = nowText();
  const noon = Date.parse(`${at.slice(0, 10)}T12:00:00Z`);
  return FIXTURES.flatMap((days, index) => {
    const league = { key: `l${index % 2}`, name: `League ${index % 2 === 0 ? 'One' : 'Two'}` };
    const kickoff = days === null ? null : new Date(noon + days * DAY_MS).toISOString();
    const away = ARBITRAGE.includes(index) ? 2.9 + ARBITRAGE.indexOf(index) / 50 : 2.7;
    return [
      eventWire(0, `e${index}`, { at, league, scheduled_at: kickoff }),
      quoteWire(0, `e${index}`, { at, ...WINNER, bookmaker: 'crown', prices: [3.1, 3.1, 2.8] }),
      quoteWire(0, `e${index}`, { at, ...WINNER, bookmaker: 'sbobet', prices: [2.8, 2.8, away] }),
    ];
  });
}

let service: ToolService;

beforeAll(async () => {
  service = await ToolService.play(slate(), nowText());
});
afterAll(() => service[Symbol.asyncDispose]());

async function overround(...words: string[]): Promise<string> {
  const environment = {
    OVERROUND_URL: service.url,
    OVERROUND_API_KEY: await service.keyOf('enterprise'),
  };
  const { code, output, errors } = await runCommand(words, environment);
  expect([code, errors]).toEqual([0, []]);
  return output.join('\n');
}

test('the whole slate is scanned in parts; the strongest signals come first, and fixtures not scored are counted', async () => {
  const [once, all, two, text, day] = await Promise.all([
    overround('arbs', '--json'),
    overround('arbs', '--all', '--json'),
    overround('arbs', '--all', '--json', '--limit', '2'),
    overround('arbs', '--all'),
    overround('arbs', '--all', '--json', '--date', nowText(2 * DAY_MS).slice(0, 10)),
  ]);
  expect(JSON.parse(once)).toMatchObject({ count: FIXTURES.length, not_scored: FIXTURES.length - 100 });
  const scan = JSON.parse(all);
  expect(scan).toMatchObject({
    count: FIXTURES.length,
    not_scored: 1,
    with_signal: 4,
    returned: 4,
    truncated: false,
  });
  const margins = scan.entries.map((entry: Entry) => entry.hits.opportunities[0]!.margin_pct);
  expect(margins).toEqual([...margins].sort((one, other) => other - one));
  expect(new Set(scan.entries.map(({ event_id }: Entry) => event_id)).size).toBe(4);
  expect(JSON.parse(two)).toMatchObject({ with_signal: 4, returned: 2, truncated: true });
  expect(JSON.parse(two).entries).toMatchObject(
    scan.entries.slice(0, 2).map(({ event_id }: Entry) => ({ event_id })),
  );
  expect(text).toContain('Scored 210 of 211 fixtures in 4 scans, 4 of them with arbitrage.');
  expect(JSON.parse(day)).toMatchObject({ count: 130, not_scored: 0, with_signal: 2 });
});

interface Entry {
  readonly event_id: string;
  readonly hits: { readonly opportunities: readonly { readonly margin_pct: number }[] };
}
