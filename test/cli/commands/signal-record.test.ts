// `overround signals` against a server that keeps a record: the table of the backtest, the server's answer as
// JSON, and its refusals.

import { expect, test } from 'bun:test';
import { eventWire, quoteWire } from '../../feed/wire.ts';
import { runCommand } from '../../support/command-line.ts';
import { until } from '../../support/condition.ts';
import { runService } from '../../support/running-service.ts';
import { nowText, ScriptedFeed } from '../../support/scripted-feed.ts';

const TOTALS = { market_type: 'totals', line: 2.5 };

function slate() {
  const at = nowText();
  return [
    eventWire(0, 'e1', { at, scheduled_at: nowText(36_000_000) }),
    quoteWire(0, 'e1', { ...TOTALS, at, bookmaker: 'pinnacle', prices: [1.95, 1.95] }),
    quoteWire(0, 'e1', { ...TOTALS, at, bookmaker: 'crown', prices: [2.08, 1.8] }),
  ];
}

test('signals prints the record as a table or as JSON, and refuses what the server refuses', async () => {
  using feed = new ScriptedFeed({ slate });
  await using service = await runService({ FEED: feed.url, HISTORY_DAYS: '1' });
  const overround = async (...words: string[]) => {
    const environment = { OVERROUND_URL: service.url, OVERROUND_API_KEY: service.key };
    const { code, output } = await runCommand(['signals', ...words], environment);
    return { code, lines: output };
  };
  await until('the signal is on record', async () =>
    (await overround('--group-by', 'bookmaker')).lines.some((line) => line.startsWith('crown')),
  );
  const { lines } = await overround('--group-by', 'bookmaker');
  expect(lines[0]).toMatch(/signals +edge +with close +CLV +beat close +settled +yield +95 % +median life/);
  expect(lines[1]).toMatch(/^crown +1 +4% +0 +0$/);
  const json = await overround('--json', '--in-play', 'false', '--min-edge', '2');
  expect(JSON.parse(json.lines[0]!)).toMatchObject({ kind: 'value', data: [{ key: 'all', signals: 1 }] });
  expect((await overround('--min-edge', '50')).lines).toEqual(['No signal on record passes']);
  expect((await overround('--group-by', 'colour')).code).toBe(2);
});
