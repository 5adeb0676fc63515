// The amount that can be staked at the price, over HTTP: by exchange and line, in the exchange's currency. A
// sharp exchange is shown only to tiers that see its prices. match_info shows the amount for the full-time
// 1x2.

import { expect, test } from 'bun:test';
import { liquidityWire, stateWire } from '../feed/wire.ts';
import { call } from '../support/call.ts';
import { eventMessage, HELLO_AT, quoteMessage } from '../support/recording-file.ts';
import { type Asker, ToolService } from './tool-service.ts';

const AT = '2026-03-10T11:59:00.000Z';
const EVENT = eventMessage(
  { key: 'm', home: 'Lyon', away: 'Lille', league: 'Ligue 1', scheduledAt: '2026-03-10T20:00:00.000Z' },
  AT,
);

test('GET /v1/events/{id}/liquidity and match_info show the amount that can be staked at the price', async () => {
  const { seq: _first, ...ofCrown } = liquidityWire(0, 'm', { at: AT });
  const { seq: _second, ...ofPinnacle } = liquidityWire(0, 'm', {
    at: AT,
    bookmaker: 'pinnacle',
    currency: 'GBP',
  });
  const { seq: _third, ...ofNobody } = liquidityWire(0, 'nobody', { at: AT });
  const wires = [
    EVENT,
    quoteMessage('m', { bookmaker: 'crown', line: -0.75, prices: [1.9, 2.05] }, AT),
    ofCrown,
    ofPinnacle,
    ofNobody,
    stateWire(0, 'm', { at: AT, status: 'scheduled', score: null, clock: null }),
  ];
  await using service = await ToolService.play(wires, HELLO_AT);
  const { id } = (await service.events())[0]!;
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
  const liquidity = async (asker: Asker): Promise<unknown> => {
    const headers = await service.headersOf(asker);
    return (await call(`${service.url}/v1/events/${id}/liquidity`, { headers })).body;
  };
  expect(await liquidity('keyless')).toEqual({ event_id: id, exchanges: [crown] });
  expect(await liquidity('enterprise')).toEqual({ event_id: id, exchanges: [crown, pinnacle] });
  const asked = await service.answer('keyless', 'match_info', { query: id });
  const { lines, ...head } = crown;
  const { sizes, matched } = lines[0]!;
  expect(asked.liquidity as unknown).toEqual([{ ...head, sizes, matched }]);
});
