// Opens the sources that the FEED setting names. The code of a source is loaded when the source is opened;
// otherwise every start would parse the code of all sources.

import { BOOKMAKERS } from '../domain/catalogue.ts';
import { assert } from '../errors.ts';
import type { Config } from '../settings/config.ts';
import type { FeedSetting, PullSourceName } from '../settings/feed-settings.ts';
import type { BetfairOptions } from './betfair/client.ts';
import { exchangeOf } from './bookmaker-owners.ts';
import type { SocketTools } from './contracts/live-socket.ts';
import { bookmakerMapOf } from './poll/bookmaker-map.ts';
import type { PolledSource } from './poll/source.ts';
import { SportChoice } from './poll/sport-choice.ts';
import type { SourceStatus } from './poll/status.ts';
import { pushStatus } from './push-status.ts';
import type { FeedSink, FeedSource } from './source.ts';

export type SourceSettings = Pick<
  Config,
  'betfair' | 'feedSpeed' | 'feedToken' | 'kalshi' | 'polymarket' | 'pull' | 'simulator'
> & {
  /**
   * When the service started, Unix ms. A restarted worker gets the same value, so that a replay or a
   * simulation continues instead of beginning again.
   */
  readonly startMs: number;
};

/** What a source gets besides its settings. */
export interface SourceTools extends SocketTools {
  /** Receives the source's state: from a polled source about once a second, from others when it changes. */
  readonly report: (status: SourceStatus) => void;
}

/** A configured source. */
export interface SourceToOpen {
  readonly feed: FeedSetting;
  /** Its name among the running sources. */
  readonly name: string;
  /** Keys of the roster's bookmakers whose prices come from this source. */
  readonly bookmakers: ReadonlySet<string>;
}

/**
 * Opens one of the configured sources.
 * @throws when it cannot be opened; the worker then ends and is restarted
 */
export async function openSource(
  { feed, name, bookmakers }: SourceToOpen,
  settings: SourceSettings,
  { sink, tools }: { readonly sink: FeedSink; readonly tools: SourceTools },
): Promise<FeedSource> {
  const { clock, log, random } = tools;
  const { feedSpeed: speed, startMs } = settings;
  switch (feed.kind) {
    case 'replay': {
      const { openReplay } = await import('./replay/client.ts');
      return openReplay({ path: feed.path, speed, startMs }, sink, {
        clock,
        onEnd: (isCut) => {
          if (!isCut) {
            log.info('recording_ended', { path: feed.path });
            return;
          }
          log.warn('recording_cut', { path: feed.path });
          tools.report(pushStatus({ name, state: 'stopped', reason: 'cut_short', nextTryAtMs: null }));
        },
      });
    }
    case 'websocket': {
      const { openWebSocket } = await import('./websocket/client.ts');
      return openWebSocket({ url: feed.url, name, token: settings.feedToken, ...tools }, sink);
    }
    case 'betfair': {
      const { openBetfair } = await import('./betfair/client.ts');
      return openBetfair(betfairOptions(settings, tools), sink);
    }
    case 'simulator': {
      const { openSimulator } = await import('./simulator/client.ts');
      return openSimulator({ ...settings.simulator, speed, originMs: startMs }, sink, clock);
    }
    default: {
      const { everyMs: forcedEveryMs } = settings.pull[feed.kind];
      const { openPoller } = await import('./poll/open-poller.ts');
      const source = await pullSource(feed.kind, settings, { tools, owned: bookmakers });
      const options = { clock, log, random: () => random.unit(), report: tools.report };
      return openPoller({ ...options, source, forcedEveryMs }, sink);
    }
  }
}

/**
 * Makes the source that a poller is opened with. `owned` are the keys of the bookmakers that it may quote.
 */
async function pullSource(
  name: PullSourceName,
  settings: SourceSettings,
  { tools, owned }: { readonly tools: SourceTools; readonly owned: ReadonlySet<string> },
): Promise<PolledSource> {
  if (name === 'kalshi' || name === 'polymarket') return contractSource(name, settings, { tools, owned });
  const { clock } = tools;
  const { url: baseUrl, apiKey, sports } = settings.pull[name];
  assert(apiKey !== null, 'the settings require the key of the source that FEED names');
  const roster = BOOKMAKERS.filter(({ key }) => owned.has(key));
  const bookmakers = bookmakerMapOf(name, roster);
  switch (name) {
    case 'the-odds-api': {
      const { theOddsApi } = await import('./the-odds-api/client.ts');
      return theOddsApi({ baseUrl, apiKey, sports, bookmakers, nowMs: () => clock.wallMs() });
    }
    case 'api-football': {
      const { apiFootball } = await import('./api-football/client.ts');
      return apiFootball({
        baseUrl,
        apiKey,
        sports: new SportChoice(sports),
        bookmakers,
        nowMs: () => clock.wallMs(),
      });
    }
    case 'isports': {
      const { isports } = await import('./isports/client.ts');
      return isports({ baseUrl, apiKey, sports: new SportChoice(sports), bookmakers });
    }
  }
}

/** Makes the source of a prediction market, which quotes as one bookmaker: the first that it may quote. */
async function contractSource(
  name: 'kalshi' | 'polymarket',
  settings: SourceSettings,
  { tools, owned }: { readonly tools: SourceTools; readonly owned: ReadonlySet<string> },
): Promise<PolledSource> {
  const roster = BOOKMAKERS.filter(({ key }) => owned.has(key));
  const [bookmaker] = bookmakerMapOf(name, roster).values();
  assert(bookmaker !== undefined, 'the roster has a bookmaker for each source that FEED names');
  const { url: baseUrl, sports } = settings.pull[name];
  const common = { baseUrl, bookmaker, sports: new SportChoice(sports) };
  if (name === 'polymarket') {
    const { polymarket } = await import('./polymarket/client.ts');
    return polymarket({ ...settings.polymarket, ...common, ...tools });
  }
  const { kalshi } = await import('./kalshi/client.ts');
  const { socketUrl, keyId, privateKey } = settings.kalshi;
  const socket =
    keyId === null || privateKey === null ? null : { ...tools, url: socketUrl, keyId, privateKey };
  return kalshi({ ...settings.kalshi, ...common, socket, nowMs: () => tools.clock.wallMs() });
}

function betfairOptions({ betfair }: SourceSettings, tools: SourceTools): BetfairOptions {
  const { appKey, session } = betfair;
  assert(appKey !== null && session !== null, 'the settings require what FEED=betfair needs');
  return { ...betfair, ...tools, appKey, session, bookmaker: exchangeOf(betfair) };
}
