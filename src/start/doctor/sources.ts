// Checks the price sources and the clock: whether each source is reachable and accepts its key, and how far
// this machine's clock is from theirs.

import { existsSync } from 'node:fs';
import { type Clock, toIsoText } from '../../clock.ts';
import { BOOKMAKERS } from '../../domain/catalogue.ts';
import { HIDDEN_PRICES_FIX, hiddenPricesText } from '../../feed/bookmaker-owners.ts';
import { FEED_AHEAD_MS_MAX } from '../../limits.ts';
import type { Config } from '../../settings/config.ts';
import {
  type FeedSetting,
  feedNames,
  PULL_SOURCES,
  type PullSourceName,
} from '../../settings/feed-settings.ts';
import { requireRecordings } from '../requirements.ts';
import { bad, type Finding, ok, warn, whyOf } from './finding.ts';

/** A source that takes longer counts as unreachable. */
const ANSWER_WITHIN_MS = 5_000;
/** The Date header gives whole seconds only, so small differences mean nothing. */
const SKEW_WARN_MS = 2_000;
/** Files of the services that set the clock. One of them exists if such a service runs. */
const CLOCK_KEEPERS = ['/run/systemd/timesync/synchronized', '/run/chrony/chronyd.pid', '/run/ntpd.pid'];

/** A request that is free at the source, and that the source refuses if the key is wrong. */
const KEY_TRIALS: Readonly<
  Partial<Record<PullSourceName, (key: string) => { path: string; headers?: Record<string, string> }>>
> = {
  'the-odds-api': (key) => ({ path: `/v4/sports?${new URLSearchParams({ apiKey: key })}` }),
  'api-football': (key) => ({ path: '/status', headers: { 'x-apisports-key': key } }),
};

interface Heard {
  readonly finding: Finding;
  /** How far the source's clock is ahead of this one; null if the source sent no time. */
  readonly aheadMs: number | null;
}

/** @returns a finding for each source, and one for the clock */
export async function examineSources(config: Config, clock: Clock): Promise<Finding[]> {
  const names = feedNames(config.feeds);
  const heard = await Promise.all(
    config.feeds.map((feed, index) => hear(feed, { config, clock, about: `feed ${names[index]}` })),
  );
  const skews = heard.map(({ aheadMs }) => aheadMs).filter((aheadMs) => aheadMs !== null);
  const hidden = hiddenPricesText(config, BOOKMAKERS);
  return [
    ...heard.map(({ finding }) => finding),
    ...(hidden === null ? [] : [warn('bookmakers', hidden, HIDDEN_PRICES_FIX)]),
    clockFinding(skews, clock.wallMs()),
  ];
}

interface Hearing {
  readonly config: Config;
  readonly clock: Clock;
  readonly about: string;
}

async function hear(feed: FeedSetting, { config, clock, about }: Hearing): Promise<Heard> {
  try {
    if (feed.kind === 'simulator') {
      return { finding: ok(about, 'simulated prices; FEED names a real source'), aheadMs: null };
    }
    if (feed.kind === 'replay') {
      await requireRecordings({ ...config, feeds: [feed] });
      return { finding: ok(about, `the recording ${feed.path} can be read`), aheadMs: null };
    }
    if (feed.kind === 'websocket') {
      await openOnce(feed.url, config.feedToken);
      return { finding: ok(about, 'it accepts the connection'), aheadMs: null };
    }
    if (feed.kind === 'betfair') {
      const { aheadMs } = await ask(config.betfair.apiUrl, {}, clock);
      return { finding: ok(about, 'it answers; the session is tried when the server starts'), aheadMs };
    }
    return await hearPolled(feed.kind, { config, clock, about });
  } catch (error) {
    const toDo = 'Check the address in FEED or its settings, and that this machine may reach it';
    return { finding: bad(about, `it does not answer: ${whyOf(error)}`, toDo), aheadMs: null };
  }
}

async function hearPolled(kind: PullSourceName, { config, clock, about }: Hearing): Promise<Heard> {
  const { url, apiKey } = config.pull[kind];
  const trial = KEY_TRIALS[kind]?.(apiKey ?? '');
  const { status, text, aheadMs } = await ask(url + (trial?.path ?? '/'), trial?.headers ?? {}, clock);
  const { key } = PULL_SOURCES[kind];
  if (key === null) return { finding: ok(about, 'it answers, and needs no key'), aheadMs };
  if (trial === undefined) {
    return { finding: ok(about, 'it answers; the key is tried when the server starts'), aheadMs };
  }
  const isRefused = status === 401 || status === 403 || /"errors":\s*\{\s*"token"/.test(text);
  if (isRefused) {
    return { finding: bad(about, 'it refuses the key', `Check ${key}`), aheadMs };
  }
  if (status >= 400) return { finding: warn(about, `it answers ${status}`, 'Try again later'), aheadMs };
  return { finding: ok(about, 'it accepts the key'), aheadMs };
}

async function ask(url: string, headers: Record<string, string>, clock: Clock) {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  const date = Date.parse(response.headers.get('date') ?? '');
  // Add half a second: the header gives whole seconds, so on average it was written that much after the time
  // it shows.
  const aheadMs = Number.isNaN(date) ? null : date + 500 - clock.wallMs();
  return { status: response.status, text: await response.text(), aheadMs };
}

/** Resolves once the connection is open. */
async function openOnce(url: string, token: string | null): Promise<void> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(url, { headers });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(
    () => reject(new Error(`no connection within ${ANSWER_WITHIN_MS} ms`)),
    ANSWER_WITHIN_MS,
  );
  socket.addEventListener('open', () => resolve());
  socket.addEventListener('error', () => reject(new Error('the connection was refused')));
  try {
    await promise;
  } finally {
    clearTimeout(late);
    socket.close();
  }
}

function clockFinding(skews: readonly number[], nowMs: number): Finding {
  const worst = skews.toSorted((a, b) => Math.abs(b) - Math.abs(a))[0];
  const now = toIsoText(nowMs);
  if (worst === undefined) {
    const keeper = CLOCK_KEEPERS.some((path) => existsSync(path))
      ? 'set by a service of this machine'
      : 'not checked';
    return ok('clock', `${now}, ${keeper}: no source reports its time`);
  }
  const found = `${now}, ${Math.abs(Math.round(worst / 1000))} s ${worst > 0 ? 'behind' : 'ahead of'} its source`;
  const toDo = 'Synchronise the clock: timedatectl set-ntp true, or run chrony';
  // Messages stamped further ahead than this are refused (docs/guide/reliability.md).
  if (worst > FEED_AHEAD_MS_MAX) return bad('clock', found, toDo);
  return Math.abs(worst) > SKEW_WARN_MS ? warn('clock', found, toDo) : ok('clock', found);
}
