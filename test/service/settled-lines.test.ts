// Lines that a real exchange settled are played as closing lines through a whole server. GET
// /v1/events/{id}/settlement must settle each as the exchange did.

import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SPORT_KEYS } from '../../src/domain/catalogue.ts';
import { encodeId, entityNumber } from '../../src/domain/ids.ts';
import { DATABASE_NAME } from '../../src/storage/database.ts';
import { eventWire, quoteWire, resultWire, stateWire } from '../feed/wire.ts';
import { until } from '../support/condition.ts';
import { runService } from '../support/running-service.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';

const SETTLED = '../shared/data/series/settlement/settled-2020-24.json';

/** A row: market, period, home line or total, side, how the exchange settled it, and the result. */
type Row = readonly [string, string, number | null, string, string, string];
interface SettledEvent {
  readonly event: string;
  readonly sport: (typeof SPORT_KEYS)[number];
  readonly score: readonly [number, number];
  readonly half_time: readonly [number, number] | null;
  readonly extra_time: boolean | null;
  readonly rows: readonly Row[];
}

interface Answer {
  readonly settlement: readonly {
    readonly market_type: string;
    readonly period: string;
    readonly line: number | null;
    readonly outcomes: readonly { readonly outcome: string; readonly result: string }[];
  }[];
}

/** The matches with the most lines: two thousand rows in all. */
const FOOTBALL_EVENTS = 12;
const BASKETBALL_EVENTS = 6;

function prematch({ event, sport, rows }: SettledEvent): Record<string, unknown>[] {
  const at = nowText();
  const lines = new Map(rows.map((row) => [row.slice(0, 3).join(' '), row]));
  const quotes = [...lines.values()].map(([market_type, period, line]) => {
    const prices = market_type === '1x2' && sport === 'football' ? [2.6, 3.2, 2.8] : [1.95, 1.95];
    return quoteWire(0, event, { at, market_type, period, line, prices });
  });
  return [eventWire(0, event, { at, sport, scheduled_at: nowText(3_600_000) }), ...quotes];
}

function idOf({ sport, event }: SettledEvent): string {
  return encodeId('event', entityNumber('event', SPORT_KEYS.indexOf(sport), event));
}

/** How many half-time scores the server has stored. */
function halfTimesIn(dataDir: string): number {
  using database = new Database(join(dataDir, DATABASE_NAME), { readonly: true, strict: true });
  return database.query<{ count: number }, []>('SELECT count(*) AS count FROM half_time_scores').get()!.count;
}

test.skipIf(!existsSync(SETTLED))(
  `settles every line as an exchange did (skipped without ${SETTLED})`,
  async () => {
    const { events } = JSON.parse(readFileSync(SETTLED, 'utf8')) as { events: SettledEvent[] };
    const usable = events
      .filter(({ score, rows, extra_time }) => score !== null && rows.length > 0 && extra_time !== true)
      .toSorted((one, other) => other.rows.length - one.rows.length);
    const chosen = [
      ...usable.filter(({ sport }) => sport === 'football').slice(0, FOOTBALL_EVENTS),
      ...usable.filter(({ sport }) => sport === 'basketball').slice(0, BASKETBALL_EVENTS),
    ];
    using feed = new ScriptedFeed({ slate: () => chosen.flatMap(prematch) });
    await using service = await runService({ FEED: feed.url, HISTORY_DAYS: '1' });
    for (const one of chosen) {
      // A line without a tick before its match begins has no closing price.
      await until(`the tape has ${one.event}`, async () => {
        const response = await service.fetch(`/v1/events/${idOf(one)}/history`);
        await response.arrayBuffer();
        return response.ok;
      });
    }
    for (const { event, half_time } of chosen) {
      feed.send(stateWire(0, event, { status: 'live', clock: '1h 1', score: [0, 0] }));
      if (half_time !== null)
        feed.send(stateWire(0, event, { status: 'live', clock: 'ht', score: [...half_time] }));
    }
    const halves = chosen.filter(({ half_time }) => half_time !== null).length;
    await until('scores at half time were seen', () => halfTimesIn(service.dataDir) === halves);
    for (const { event, score } of chosen) {
      feed.send(resultWire(0, event, { score: [...score], red_cards: [0, 0], finished_at: nowText() }));
    }
    const seen = new Map<string, number>();
    for (const one of chosen) {
      const { event, half_time, rows } = one;
      const path = `/v1/events/${idOf(one)}/settlement`;
      const settled = rows.filter(([, period]) => period === 'full_time' || half_time !== null);
      const lineCount = new Set(settled.map((row) => row.slice(0, 3).join(' '))).size;
      await until(`${event} is settled`, async () => {
        const response = await service.fetch(path);
        if (response.status !== 200) {
          await response.arrayBuffer();
          return false;
        }
        // The result of a match may be stored a moment before its last lines.
        const { settlement } = (await response.json()) as Answer;
        return settlement.length >= lineCount;
      });
      const { settlement } = await service.get<Answer>(path);
      for (const [market, period, line, side, , expected] of rows) {
        const found = settlement.find(
          (one) => one.market_type === market && one.period === period && one.line === line,
        );
        const result = found?.outcomes.find(({ outcome }) => outcome === side)?.result;
        const wanted = period === 'full_time' || half_time !== null ? expected : undefined;
        expect([event, market, line, side, result]).toEqual([event, market, line, side, wanted]);
        seen.set(`${market} ${result}`, (seen.get(`${market} ${result}`) ?? 0) + 1);
      }
    }
    for (const result of ['win', 'half_win', 'push', 'half_loss', 'loss'])
      expect(seen.get(`asian_handicap ${result}`)).toBeGreaterThan(10);
  },
);
