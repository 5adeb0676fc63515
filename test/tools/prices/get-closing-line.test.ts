// get_closing_line for a match that is neither on the slate nor on the tape any more: by its id, the tool
// gives the closing prices that the archive keeps, as REST does.

import { expect, test } from 'bun:test';
import { DAY_MS, toIsoText } from '../../../src/clock.ts';
import { decodeId, encodeId, entityNumber } from '../../../src/domain/ids.ts';
import { closingAnswer, type HistoryParts } from '../../../src/history/past/closing-answers.ts';
import { NO_HISTORY } from '../../../src/query/lists/history-calls.ts';
import { packQuoteKey } from '../../../src/store/quote-key.ts';
import { tapeCalls, tapeIn } from '../../history/tape-folder.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { football, T0 } from '../made-up-slate.ts';
import { toolsOver } from '../scanning-slate.ts';
import { PAID, WireSlate } from '../wire-slate.ts';

const OLD = encodeId('event', entityNumber('event', 0, 'old'));
const KICKOFF_MS = T0 - 20 * DAY_MS;
const KEYLESS = { ...PAID, tier: 'free', keyId: null } as const;

function toolsWithArchive() {
  const wires = new WireSlate();
  wires.feed([football('ars-che', 'Arsenal', 'Chelsea', '2026-03-02T15:00:00Z')], T0);
  const price = { pricesE4: [20_000, 34_000, 41_000], closedAtMs: KICKOFF_MS - 1, confirmedAtMs: KICKOFF_MS };
  const tape = tapeIn(new MemoryFolder());
  const parts: HistoryParts = {
    ...{ tape, monotonicMs: () => 0, sleep: async () => undefined, scores: async () => null },
    frozen: async (eventId) =>
      decodeId('event', eventId) !== decodeId('event', OLD)
        ? null
        : { kickoffMs: KICKOFF_MS, sport: 0, prices: [{ key: packQuoteKey(0, 0, 0, 0), ...price }] },
  };
  const closing = (asked: Parameters<typeof closingAnswer>[1]) => closingAnswer(parts, asked);
  const history = { ...NO_HISTORY, ...tapeCalls(tape), closing };
  return toolsOver({ queries: { ...wires.queries, history } });
}

test('a match that only its id still finds has its closing prices, as over REST', async () => {
  const tools = toolsWithArchive();
  const found = await tools('get_closing_line', { query: ` ${OLD} ` });
  expect(found).toMatchObject({
    ...{ status: 'ok', match: null, kickoff_at: toIsoText(KICKOFF_MS) },
    closing: [{ market_type: '1x2', prices: { home: 2, draw: 3.4, away: 4.1 } }],
  });
  expect(String(found.summary)).toStartWith(`${OLD}: 1 closing price on record; `);
  const narrowed = await tools('get_closing_line', { query: OLD, markets: ['totals'] });
  expect(narrowed).toMatchObject({ status: 'ok', closing: [] });
});

test('an id that neither the tape nor the archive has is not found, and a plan that ends earlier is named', async () => {
  const tools = toolsWithArchive();
  const unknown = encodeId('event', entityNumber('event', 0, 'unknown'));
  const absent = await tools('get_closing_line', { query: unknown });
  expect(absent).toMatchObject({ status: 'not_found', kickoff_at: null, closing: [] });
  const words = await tools('get_closing_line', { query: 'Nowhere vs Nobody' });
  expect(words).toMatchObject({ status: 'not_found', closing: [] });
  const limited = tools('get_closing_line', { query: OLD }, T0, KEYLESS);
  await expect(limited).rejects.toMatchObject({ code: 'plan_limit' });
});
