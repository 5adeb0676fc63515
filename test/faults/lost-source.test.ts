// One of several sources is lost while matches that only it has are in play. Its prices are suspended,
// because nothing confirms them. That does not show that a match is over: no bookmaker has suspended
// anything, and the clock has stopped only because the source is lost.

import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS } from '../../src/clock.ts';
import { eventWire, quoteWire, stateWire } from '../feed/wire.ts';
import { createKeys } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * Longer than the clock of a second half may stop, while no price is open, before the match counts as
 * finished.
 */
const STANDS_SINCE_MS = 10 * MINUTE_MS;

/** A match in its second half, with a stopped clock and a price of one bookmaker. */
class OneMatchFeed {
  status = 'open';
  readonly feed: ScriptedFeed;

  constructor(event: string, bookmaker: string) {
    const kickedOffAt = nowText(-70 * MINUTE_MS);
    this.feed = new ScriptedFeed({
      slate: () => {
        const [at, stateAt] = [nowText(), nowText(-STANDS_SINCE_MS)];
        return [
          eventWire(0, event, { at: stateAt, scheduled_at: kickedOffAt }),
          stateWire(0, event, { at: stateAt, clock: '2h 60' }),
          quoteWire(0, event, { at, bookmaker, status: this.status }),
        ];
      },
    });
  }

  [Symbol.dispose](): void {
    this.feed.stop();
  }
}

test('losing a source ends no match; a message of the source that all prices are suspended does end it', async () => {
  using folder = temporaryFolder();
  using lost = new OneMatchFeed('e1', 'crown');
  using other = new OneMatchFeed('e2', 'sbobet');
  const bookmakers = [
    { key: 'crown', name: 'Crown', class: 'asian', feed: 'websocket' },
    { key: 'sbobet', name: 'SBOBET', class: 'sharp', feed: 'websocket-2' },
  ];
  const BOOKMAKERS = join(folder.path, 'bookmakers.json');
  writeFileSync(BOOKMAKERS, JSON.stringify({ bookmakers }));
  const FEED = `${lost.feed.url},${other.feed.url}`;
  await using server = new ServerProcess({ FEED, BOOKMAKERS, LIVE_FRESHNESS_S: '1' });
  await server.logged(/feeds_joined/);
  const [, url] = await server.logged(/ listening url="([^"]+)"/);
  const [key] = await createKeys(server.dataDir, 'enterprise', 1);
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
    return (await response.json()) as T;
  };
  const { data } = await get<{ data: { id: string; home_team: { name: string } }[] }>('/v1/events');
  const { id } = data.find(({ home_team }) => home_team.name === 'Home of e1')!;
  const seen = async () => {
    const { status } = await get<{ status: string }>(`/v1/events/${id}`);
    const { odds } = await get<{ odds: { status: string }[] }>(`/v1/events/${id}/odds`);
    return { status, quotes: odds.map((quote) => quote.status) };
  };
  await until('its price is open', async () => (await seen()).quotes[0] === 'open');
  lost.feed.answersSnapshots = false;
  lost.feed.skip();
  await until('its price is suspended', async () => (await seen()).quotes[0] === 'suspended');
  expect(await seen()).toEqual({ status: 'live', quotes: ['suspended'] });
  lost.status = 'suspended';
  lost.feed.answersSnapshots = true;
  lost.feed.snapshot();
  await until('its bookmaker has pulled it', async () => (await seen()).status === 'finished');
}, 120_000);
