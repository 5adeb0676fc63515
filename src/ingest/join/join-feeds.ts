// Connects the parts that join several sources, between their handlers and the applier.

import { JoinedIdentities } from '../../archive/joined-identities.ts';
import type { Clock } from '../../clock.ts';
import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import type { RejectReason } from '../../domain/reject-reasons.ts';
import type { SourceToOpen } from '../../feed/open-source.ts';
import type { BoundedLog, Log } from '../../log.ts';
import { PROGRAM_COMMAND } from '../../program-files.ts';
import { LeaderFixtures } from '../../replication/leader-fixtures.ts';
import type { Config } from '../../settings/config.ts';
import { counterIndex } from '../../store/counters.ts';
import type { SlateWriter } from '../../store/writer/writer.ts';
import type { Applier } from '../apply.ts';
import type { FeedParts, HandlerStore } from '../feed-handler.ts';
import type { SlateOutlet } from '../slate-outlet.ts';
import { FormerSlate } from './former-slate.ts';
import { Freshness } from './freshness.ts';
import { type JoinReport, joinReportOf } from './join-report.ts';
import { JoinRules } from './join-rules.ts';
import { MergedSlate, type MergedSlateOptions } from './merged-slate.ts';

/**
 * Maximum number of logged entries of FEED_MATCH for which no source has a fixture. `feed match` prints all
 * of them.
 */
const NAMED_NOTHING_SHOWN = 5;

export interface JoinedFeeds {
  readonly slate: MergedSlate;
  /** The parts that each source's messages pass through, in the order of FEED. */
  readonly parts: readonly FeedParts[];
  readonly report: () => JoinReport;
  /** Call it every second. It calls MergedSlate.tick, and removes former matches that no source names. */
  tick(nowMs: number): void;
  /**
   * Publishes the changes of the slate, even while a source is in the middle of a snapshot. That snapshot is
   * published when it is complete.
   */
  publish(): void;
  /** Gives matches the leader's name where that differs. Call it when this node is about to lead. */
  takeLeaderNames(): void;
}

/** What the operator joins and forbids, and where identities are kept over a restart. */
export interface JoiningOptions {
  readonly rules: JoinRules;
  readonly identities: JoinedIdentities;
  /** The leader's fixtures, while this node is a standby. */
  readonly leaderFixtures: LeaderFixtures;
}

export interface JoinFeedsOptions extends Pick<MergedSlateOptions, 'sendScore'> {
  readonly settings: Pick<Config, 'liveFreshnessMs' | 'prematchFreshnessMs'>;
  readonly writer: SlateWriter;
  readonly clock: Clock;
  readonly log: Log;
  readonly rejectLog: BoundedLog;
  readonly joining?: JoiningOptions | undefined;
  readonly applier: Applier;
  readonly outlet: SlateOutlet;
}

export function joinFeeds(feeds: readonly SourceToOpen[], options: JoinFeedsOptions): JoinedFeeds {
  const { writer, applier, outlet, clock, rejectLog, settings } = options;
  const {
    rules = new JoinRules(),
    identities = new JoinedIdentities(),
    leaderFixtures = new LeaderFixtures(),
  } = options.joining ?? {};
  const quotesOlder = counterIndex('quotes_older');
  const former = new FormerSlate(writer, applier);
  const { liveFreshnessMs: liveMs, prematchFreshnessMs: prematchMs } = settings;
  const slate = new MergedSlate({
    applier,
    outlet,
    names: feeds.map(({ name }) => name),
    rules,
    identities,
    leaderFixtures,
    freshness: new Freshness({ clock, liveMs, prematchMs }),
    reject: (reason: RejectReason, type: string) => {
      writer.facts.count(`rejected_${reason}`);
      rejectLog.warn('feed_message_rejected', { reason, type, count: 1 });
    },
    quoteOlder: () => writer.facts.tally(quotesOlder),
    completed: () => {
      former.suspendUnnamed(slate);
      showCompleted(slate, options);
    },
    sendScore: options.sendScore,
  });
  const openedAtMs = clock.wallMs();
  const depths = feeds.map(() => 0);
  function publish(): void {
    const published = writer.publish(clock.wallMs());
    if (published > 0) writer.facts.count('pages_published', published);
    outlet.flush();
  }
  return {
    slate,
    parts: feeds.map((feed, index) => ({
      target: slate.add(bookmakerMaskOf(feed)),
      store: storeOf(options, (depth) => {
        depths[index] = depth;
        return depths.reduce((sum, each) => sum + each, 0);
      }),
      outlet: null,
    })),
    report: () => joinReportOf(slate),
    publish,
    takeLeaderNames: () => {
      slate.takeLeaderNames();
      publish();
    },
    tick: (nowMs) => {
      slate.tick(nowMs);
      const hasWaited = nowMs - openedAtMs > prematchMs;
      if (slate.isHeld) return;
      if (hasWaited || slate.sources.every(({ isComplete }) => isComplete)) former.removeUnnamed(slate);
    },
  };
}

/** Publishes before the slate is marked complete, or a reader could find a complete slate without matches. */
function showCompleted(slate: MergedSlate, { writer, clock, outlet, log }: JoinFeedsOptions): void {
  writer.publish(clock.wallMs());
  outlet.replaced();
  writer.setSnapshotComplete();
  log.info('feeds_joined', { fixtures: writer.fixtureCount });
  warnOfNamedNothing(slate, log);
}

/** Logs entries of FEED_MATCH that name nothing, because most likely they are mistyped. */
function warnOfNamedNothing({ join: { namedNothing } }: MergedSlate, log: Log): void {
  if (namedNothing.length === 0) return;
  log.warn('feed_match_names_nothing', {
    count: namedNothing.length,
    first: namedNothing
      .slice(0, NAMED_NOTHING_SHOWN)
      .map(({ entry, source, event }) => `${entry} ${source} "${event}"`)
      .join(', '),
    fix: `Take the keys that \`${PROGRAM_COMMAND} feed match\` prints, or drop entries of matches that are over`,
  });
}

/**
 * The store for the handler of one of several sources. It does not mark the slate complete; the code that
 * joins the sources does.
 */
function storeOf({ writer, outlet }: JoinFeedsOptions, depthOf: (depth: number) => number): HandlerStore {
  return {
    facts: { setQueueDepth: (depth) => writer.facts.setQueueDepth(depthOf(depth)) },
    setSnapshotComplete: () => {},
    publish: (nowMs) => {
      const published = writer.publish(nowMs);
      outlet.flush();
      return published;
    },
  };
}

function bookmakerMaskOf({ bookmakers }: SourceToOpen): number {
  return BOOKMAKER_KEYS.reduce((mask, key, index) => (bookmakers.has(key) ? mask | (1 << index) : mask), 0);
}
