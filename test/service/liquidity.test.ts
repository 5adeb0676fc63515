// The size at the price over HTTP: per exchange and line, in its currency; a sharp exchange only for tiers
// that see its prices; and in match_info for the full-time 1x2.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { liquidityWire, stateWire } from '../feed/wire.ts';
import { eventMessage, HELLO_AT, quoteMessage, writeRecording } from '../support/recording-file.ts';
import { runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const AT = '2026-03-10T11:59:00.000Z';
const EVENT = eventMessage(
  { key: 'm', home: 'Lyon', away: 'Lille', league: 'Ligue 1', scheduledAt: '2026-03-10T20:00:00.000Z' },
  AT,
);

test('GET /v1/events/{id}/liquidity and match_info', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'made-up.ndjson');
  const { seq: _first, ...ofCrown } = liquidityWire(0, 'm', { at: AT });
  const { seq: _second, ...ofPinnacle } = liquidityWire(0, 'm', {
    at: AT,
    bookmaker: 'pinnacle',
    currency: 'GBP',
  });
  const { seq: _third, ...ofNobody } = liquidityWire(0, 'nobody', { at: AT });
  writeRecording(path, [
    EVENT,
    quoteMessage('m', { bookmaker: 'crown', line: -0.75, prices: [1.9, 2.05] }, AT),
    ofCrown,
    ofPinnacle,
    ofNobody,
    { ...stateWire(0, 'm', { at: AT, status: 'scheduled', score: null, clock: null }), seq: 6 },
  ]);
  await using service = await runService({
    DATA_DIR: folder.path,
    FEED: `replay:${path}`,
    FEED_NOW: HELLO_AT,
  });
  const { data } = await service.get<{ data: { id: string }[] }>('/v1/events');
  const id = data[0]!.id;
  const crown = {
    bookmaker: 'crown',
    currency: 'USD',
    as_of: AT,
    lines: [
      {
        market_type: '1x2',
        period: 'full_time',
        line: null,
        sizes: { home: 120.5, draw: 80, away: 0 },
        matched: 1_000,
      },
      {
        market_type: 'totals',
        period: 'full_time',
        line: 2.5,
        sizes: { over: 33, under: 12.25 },
        matched: null,
      },
    ],
  };
  const pinnacle = { ...crown, bookmaker: 'pinnacle', currency: 'GBP' };
  const keyless = await fetch(`${service.url}/v1/events/${id}/liquidity`);
  expect(await keyless.json()).toEqual({ event_id: id, exchanges: [crown] });
  expect(await service.get<unknown>(`/v1/events/${id}/liquidity`)).toEqual({
    event_id: id,
    exchanges: [crown, pinnacle],
  });
  const asked = await fetch(`${service.url}/v1/mcp/match_info`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: id }),
  });
  const { lines, ...head } = crown;
  const { sizes, matched } = lines[0]!;
  expect(((await asked.json()) as { liquidity: unknown }).liquidity).toEqual([{ ...head, sizes, matched }]);
});
