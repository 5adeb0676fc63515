// A server restarts while its feed is away: it serves the earlier slate from the first second, as stale,
// until the feed's own slate replaces it. A stored slate that cannot be used is set aside and ignored.

import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import { createLog } from '../../src/log.ts';
import { Slate } from '../../src/query/slate/slate.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { keepSlate } from '../../src/start/data/slate-file.ts';
import { createStore } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { OddsApiStandIn } from '../feed/the-odds-api/stand-in.ts';
import { until } from '../support/condition.ts';
import { oddsApiMatch } from '../support/odds-api-match.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { ScriptedFeed } from '../support/scripted-feed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The ways in which a stored slate can be unusable. */
const DAMAGES: readonly (readonly [string, (text: string) => string])[] = [
  ['cut short', (text) => text.slice(0, -40)],
  ['of a newer format', (text) => text.replace('"format":1', '"format":9')],
  ['hours old', (text) => text.replace(/"savedAtMs":\d+/, '"savedAtMs":1700000000000')],
  ['of a time to come', (text) => text.replace(/"savedAtMs":\d+/, '"savedAtMs":4100000000000')],
  ['garbage', () => 'no slate at all'],
  ['of fixtures in another shape', ofAnotherShape],
];

/** Fixtures in a shape that this release does not know, under the right format number and checksum. */
function ofAnotherShape(text: string): string {
  const [header = '', ...fixtures] = text.split('\n');
  const body = [...fixtures.slice(0, -1), '{"match":{}}'].join('\n');
  const checksum = new Bun.CryptoHasher('sha256').update(body).digest('hex');
  return `${JSON.stringify({ ...JSON.parse(header), checksum })}\n${body}`;
}

interface Seen {
  readonly ids: readonly string[];
  /** Each fixture's odds. */
  readonly odds: readonly unknown[];
  readonly stale: readonly boolean[];
}

async function idsOf(service: RunningService): Promise<readonly string[]> {
  const { data } = await service.get<{ data: { id: string }[] }>('/v1/events');
  return data.map(({ id }) => id).sort();
}

async function seenOf(service: RunningService): Promise<Seen> {
  const ids = await idsOf(service);
  const answers = [];
  for (const id of ids) {
    answers.push(await service.get<{ stale: boolean; odds: unknown[] }>(`/v1/events/${id}/odds`));
  }
  return { ids, odds: answers.map(({ odds }) => odds), stale: answers.map(({ stale }) => stale) };
}

test.concurrent('the last slate is served, stale, until the feed is back; one that cannot be used is set aside, named, and ignored', async () => {
  using folder = temporaryFolder();
  using feed = new ScriptedFeed();
  const settings = { FEED: feed.url, DATA_DIR: folder.path };
  let before: Seen;
  let epoch: string;
  {
    await using first = await runService(settings);
    before = await seenOf(first);
    epoch = (await first.get<{ cursor: string }>('/v1/odds')).cursor.split('-')[0]!;
    expect(before.stale).toEqual([false, false]);
  }
  await expectDamagedSetAside(readFileSync(join(folder.path, 'slate.ndjson'), 'utf8'), feed.url);
  feed.answersSnapshots = false;
  await using second = await runService(settings);
  expect(await seenOf(second)).toEqual({ ...before, stale: [true, true] });
  expect(await second.get('/health')).toMatchObject({ status: 'starting', feed_live: false });
  expect((await second.get<{ cursor: string }>('/v1/odds')).cursor.split('-')[0]).not.toBe(epoch);
  await until('the feed is connected', () => feed.connections > 1);
  feed.answersSnapshots = true;
  feed.snapshot();
  await until('the feed replaces it', async () => (await seenOf(second)).stale.every((stale) => !stale));
  expect((await seenOf(second)).ids).toEqual(before.ids);
  // At its stop the server cannot write these files. It must leave no drafts of them that would fill the
  // disk.
  const names = ['slate.ndjson', 'buckets.bin'].map((name) => join(folder.path, name));
  await until('the first buckets are kept', () => existsSync(names[1]!));
  for (const path of names) {
    rmSync(path, { force: true });
    mkdirSync(join(path, 'in the way'), { recursive: true });
  }
  await second[Symbol.asyncDispose]();
  expect(readdirSync(folder.path).filter((name) => name.endsWith('.draft'))).toEqual([]);
}, 120_000);

test.concurrent('with several sources, their whole slate is served before the first of them is back', async () => {
  using folder = temporaryFolder();
  using feed = new ScriptedFeed();
  using polled = new OddsApiStandIn(() => Date.now());
  const kickoffMs = Math.ceil(Date.now() / 60_000) * 60_000 + 7_200_000;
  polled.creditsLeft = 20_000;
  polled.fixtures = [oddsApiMatch(kickoffMs)];
  const settings = {
    FEED: `the-odds-api,${feed.url}`,
    DATA_DIR: folder.path,
    THE_ODDS_API_URL: polled.url,
    THE_ODDS_API_KEY: OddsApiStandIn.KEY,
    THE_ODDS_API_SPORTS: 'soccer_epl',
  };
  let before: Seen | null = null;
  {
    await using first = await runService(settings);
    await until('both have brought what they have', async () => {
      before = await seenOf(first);
      return before.ids.length === 3;
    });
  }
  polled.fault = () => new Response('<html>', { status: 500 });
  feed.answersSnapshots = false;
  await using second = await runService(settings);
  expect(await seenOf(second)).toEqual({ ...before!, stale: [true, true, true] });
  expect(await second.get('/health')).toMatchObject({ status: 'starting', feed_live: false });
  // One source is back. The server waits for the other one, then serves the slate of the first; the earlier
  // prices of the other stay, suspended.
  const kept = (await second.get<{ data: { id: string; home_team: { name: string } }[] }>('/v1/events')).data;
  const ofPolled = kept.find(({ home_team }) => home_team.name === 'Brentford')!.id;
  const statusesOf = async (id: string): Promise<readonly string[]> => {
    const { odds } = await second.get<{ odds: { status: string }[] }>(`/v1/events/${id}/odds`);
    return [...new Set(odds.map(({ status }) => status))];
  };
  await until('the feed is connected', () => feed.connections > 1);
  feed.answersSnapshots = true;
  feed.snapshot();
  await until(
    'the feed has replaced what was its own',
    async () => !(await seenOf(second)).stale.some(Boolean),
  );
  expect((await seenOf(second)).ids).toEqual(before!.ids);
  for (const { id } of kept) expect(await statusesOf(id)).toEqual([id === ofPolled ? 'suspended' : 'open']);
  expect(await second.get('/health')).toMatchObject({ status: 'degraded', feed_live: false });
  // The other source is back too, with prices of another match. A fixture that no source lists any more
  // leaves the slate.
  polled.fixtures = [oddsApiMatch(kickoffMs, 'Everton')];
  polled.fault = () => null;
  await until('what nobody names has gone', async () => !(await idsOf(second)).includes(ofPolled));
  const after = await seenOf(second);
  expect(after.stale).toEqual([false, false, false]);
  for (const id of after.ids) expect(await statusesOf(id)).toEqual(['open']);
  expect(await second.get('/health')).toMatchObject({ status: 'ok', feed_live: true });
}, 120_000);

/** Expects that the text of a slate file is restored, and that each damage to it is found. */
async function expectDamagedSetAside(text: string, FEED: string): Promise<void> {
  using kept = temporaryFolder();
  const path = join(kept.path, 'slate.ndjson');
  writeFileSync(path, text);
  const config = loadConfig({ FEED, DATA_DIR: kept.path });
  const restored = async () => {
    const storeBuffer = createStore(0);
    const said: string[] = [];
    const log = createLog({
      clock: systemClock,
      json: true,
      level: 'info',
      write: (line) => said.push(line),
    });
    await keepSlate({ storeBuffer, config, log })();
    const slate = new Slate(new SlateReader(storeBuffer), { liveMs: 60_000, prematchMs: 300_000 });
    return { isReady: slate.isReady(systemClock.wallMs()), said: said.join() };
  };
  expect(await restored()).toEqual({ isReady: true, said: expect.stringContaining('slate_restored') });
  for (const [what, damage] of DAMAGES) {
    const damaged = damage(text);
    writeFileSync(path, damaged);
    expect([what, await restored()]).toEqual([
      what,
      { isReady: false, said: expect.stringMatching(/slate_set_aside.*slate\.ndjson\.unused/) },
    ]);
    expect([what, readFileSync(`${path}.unused`, 'utf8'), existsSync(path)]).toEqual([what, damaged, false]);
  }
}
