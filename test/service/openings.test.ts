// Openings over HTTP: the first price of each quote key stays unchanged, whatever the feed sends later, and
// after a restart.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { encodeId } from '../../src/domain/ids.ts';
import type { WireMessage } from '../feed/wire.ts';
import { until } from '../support/condition.ts';
import {
  eventMessage,
  HELLO_AT,
  type Message,
  quoteMessage,
  writeRecording,
} from '../support/recording-file.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { ScriptedFeed } from '../support/scripted-feed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Opening {
  readonly event_id: string;
  readonly source: string;
  readonly opening: readonly Readonly<Record<string, unknown>>[];
}

const MADE_AT = '2026-03-09T00:00:00.000Z';
const MATCH = { league: 'Ligue 1', scheduledAt: '2026-03-10T20:00:00.000Z' };
const EVENT = eventMessage({ key: 'm', home: 'Lyon', away: 'Lille', ...MATCH }, MADE_AT);
const FIRST_AT = '2026-03-09T01:00:00.000Z';
const LATER_AT = '2026-03-09T02:00:00.000Z';
const LAST_AT = '2026-03-10T11:00:00.000Z';
/** A match with a price whose source also states the line at which the market opened. */
const UPSTREAM: readonly Message[] = [
  eventMessage({ key: 'u', home: 'Nice', away: 'Lens', ...MATCH }, MADE_AT),
  {
    ...quoteMessage('u', { bookmaker: 'crown', line: -0.5, prices: [1.9, 2] }, LATER_AT),
    ...{ opening: [1.85, 2.05], opening_line: -1, opened_at: FIRST_AT },
  },
];

test('an opening is the first price at its line, in every format, and survives a restart and snapshots with other prices', async () => {
  using folder = temporaryFolder();
  const dataDir = folder.path;
  const first = await served(dataDir, [
    EVENT,
    ...UPSTREAM,
    quoteMessage('m', { bookmaker: 'crown', line: -0.75, prices: [1.9, 2.05] }, FIRST_AT),
    quoteMessage('m', { bookmaker: 'pinnacle', line: -0.5, prices: [1.8, 2.1] }, FIRST_AT),
    quoteMessage('m', { bookmaker: 'crown', line: -0.75, prices: [1.5, 2.7] }, LATER_AT),
    quoteMessage('m', { bookmaker: 'crown', line: -0.5, prices: [1.7, 2.3] }, LATER_AT),
  ]);
  const crown = { bookmaker: 'crown', market_type: 'asian_handicap', period: 'full_time', format: 'decimal' };
  const quarter = {
    ...crown,
    line: -0.75,
    handicap_components: [-0.5, -1],
    prices: { home: 1.9, away: 2.05 },
    opened_at: FIRST_AT,
  };
  const half = {
    ...crown,
    line: -0.5,
    handicap_components: null,
    prices: { home: 1.7, away: 2.3 },
    opened_at: LATER_AT,
  };
  const sharp = { ...half, bookmaker: 'pinnacle', prices: { home: 1.8, away: 2.1 }, opened_at: FIRST_AT };
  expect(first.all).toEqual({
    event_id: first.all.event_id,
    source: 'first_seen',
    opening: [quarter, half, sharp],
  });
  expect(first.keyless.opening).toEqual([quarter, half]);
  expect(first.batch).toEqual({ data: [first.all] });
  expect(first.malay.opening[0]!.prices).toEqual({ home: 0.9, away: -0.95 });
  expectUpstream(first);

  // With the same feed nothing changes. With another feed, known lines keep their first price, and a new line
  // gets its own first price. A line that is no longer quoted is left out until it is quoted again.
  let slate: readonly Message[] = [
    EVENT,
    ...UPSTREAM,
    quoteMessage('m', { bookmaker: 'crown', line: -0.75, prices: [3.5, 1.3] }, LAST_AT),
    quoteMessage('m', { bookmaker: 'crown', line: -1, prices: [2.2, 1.7] }, LAST_AT),
  ];
  const feed = new ScriptedFeed({ slate: () => slate as readonly WireMessage[], at: () => HELLO_AT });
  using _ = { [Symbol.dispose]: () => feed.stop() };
  const feedNowMs = Date.parse(HELLO_AT);
  await using service = await runService({ DATA_DIR: dataDir, FEED: feed.url }, { overrides: { feedNowMs } });
  const again = await openingsOf(service);
  const whole = { ...half, line: -1, prices: { home: 2.2, away: 1.7 }, opened_at: LAST_AT };
  expect(again.all.event_id).toBe(first.all.event_id);
  expect(again.all.opening).toEqual([whole, quarter]);
  expectUpstream(again);

  slate = [
    EVENT,
    quoteMessage('m', { bookmaker: 'crown', line: -0.5, prices: [9, 1.01] }, LAST_AT),
    quoteMessage('m', { bookmaker: 'crown', line: -1, prices: [9, 1.01] }, LAST_AT),
  ];
  feed.snapshot();
  await until('the other lines are quoted', async () => {
    const { opening } = await service.get<Opening>(`/v1/events/${again.all.event_id}/opening`);
    return Bun.deepEquals(opening, [whole, half]);
  });
});

interface Served {
  readonly all: Opening;
  readonly keyless: Opening;
  readonly malay: Opening;
  readonly batch: unknown;
  /** The opening lines and the openings of the other match. */
  readonly upstream: { readonly lines: unknown; readonly all: Opening } | null;
}

/** The opening line is the one that the source states, not the opening of the line that is quoted now. */
function expectUpstream({ upstream }: Served): void {
  expect(upstream!.all.source).toBe('first_seen');
  expect(upstream!.all.opening).toMatchObject([
    { line: -0.5, prices: { home: 1.9, away: 2 }, opened_at: LATER_AT },
  ]);
  expect(upstream!.lines).toMatchObject({
    source: 'upstream',
    lines: [
      {
        line: -1,
        opening: { home: 1.85, away: 2.05 },
        opened_at: FIRST_AT,
        current_line: -0.5,
        current: { home: 1.9, away: 2 },
      },
    ],
  });
}

/** Runs a service on this feed until it has stopped, and returns the openings as several callers see them. */
async function served(dataDir: string, messages: readonly Message[]): Promise<Served> {
  const path = join(dataDir, 'made-up.ndjson');
  writeRecording(path, messages);
  await using service: RunningService = await runService({
    DATA_DIR: dataDir,
    FEED: `replay:${path}`,
    FEED_NOW: HELLO_AT,
  });
  return await openingsOf(service);
}

async function openingsOf(service: RunningService): Promise<Served> {
  const { data } = await service.get<{ data: { id: string; home_team: { name: string } }[] }>('/v1/events');
  const idOf = (team: string) => data.find(({ home_team }) => home_team.name === team)?.id;
  const [id, upstreamId] = [idOf('Lyon')!, idOf('Nice')];
  const opening = `/v1/events/${id}/opening`;
  return {
    upstream:
      upstreamId === undefined
        ? null
        : {
            lines: await service.post('/v1/mcp/get_opening_line', { query: upstreamId }),
            all: await service.get(`/v1/events/${upstreamId}/opening`),
          },
    all: await service.get(opening),
    // The second id is the id of a fixture that is not on the slate, so that fixture is left out.
    batch: await service.post('/v1/openings/batch', { event_ids: [id, encodeId('event', 7)] }),
    keyless: (await (await fetch(service.url + opening)).json()) as Opening,
    malay: await service.get(`${opening}?format=malay`),
  };
}
