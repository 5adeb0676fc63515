// What joins several sources, wired between their handlers and the applier.

import { JoinedIdentities } from '../../archive/joined-identities.ts';
import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import type { RejectReason } from '../../domain/reject-reasons.ts';
import type { OpenedFeed } from '../../feed/open-source.ts';
import { LeaderFixtures } from '../../replication/leader-fixtures.ts';
import { counterIndex } from '../../store/counters.ts';
import type { Applier } from '../apply.ts';
import type { HandlerStore } from '../feed-handler.ts';
import type { FeedParts, PipelineOptions } from '../pipeline.ts';
import type { SlateOutlet } from '../slate-outlet.ts';
import { FormerSlate } from './former-slate.ts';
import { Freshness } from './freshness.ts';
import { type JoinReport, joinReportOf } from './join-report.ts';
import { JoinRules } from './join-rules.ts';
import { MergedSlate, type MergedSlateOptions } from './merged-slate.ts';

export interface JoinedFeeds {
  readonly slate: MergedSlate;
  /** What each source's messages go through, in the order of FEED. */
  readonly parts: readonly FeedParts[];
  readonly report: () => JoinReport;
  /** Call it every second. */
  tick(nowMs: number): void;
  /** Publishes what was put on the slate, also while sources are in the middle of a snapshot: that is not on it. */
  publish(): void;
  /** Matches that the leader has under another name get that one: call it when this node is about to lead. */
  takeLeaderNames(): void;
}

export interface JoinFeedsOptions
  extends Pick<PipelineOptions, 'clock' | 'joining' | 'log' | 'rejectLog' | 'settings' | 'writer'>,
    Pick<MergedSlateOptions, 'tellScore'> {
  readonly applier: Applier;
  readonly outlet: SlateOutlet;
}

export function joinFeeds(feeds: readonly OpenedFeed[], options: JoinFeedsOptions): JoinedFeeds {
  const { writer, applier, outlet, clock, log, rejectLog, settings } = options;
  const identities = options.joining?.identities ?? new JoinedIdentities();
  const leaderFixtures = options.joining?.leaderFixtures ?? new LeaderFixtures();
  const quotesOlder = counterIndex('quotes_older');
  const former = new FormerSlate(writer, applier);
  const slate = new MergedSlate({
    applier,
    outlet,
    names: feeds.map(({ name }) => name),
    rules: options.joining?.rules ?? new JoinRules(),
    identities,
    leaderFixtures,
    freshness: new Freshness({
      clock,
      liveMs: settings.liveFreshnessMs,
      prematchMs: settings.prematchFreshnessMs,
    }),
    reject: (reason: RejectReason, type: string) => {
      writer.count(`rejected_${reason}`);
      rejectLog.warn('feed_message_rejected', { reason, type, count: 1 });
    },
    quoteOlder: () => writer.tally(quotesOlder),
    completed: () => {
      former.suspendUnnamed(slate);
      // Published before the slate counts as complete: else a reader could find a complete slate without matches.
      writer.publish(clock.wallMs());
      outlet.replaced();
      writer.setSnapshotComplete();
      log.info('feeds_joined', { fixtures: writer.fixtureCount });
    },
    tellScore: options.tellScore,
  });
  const openedAtMs = clock.wallMs();
  const depths = feeds.map(() => 0);
  function publish(): void {
    const published = writer.publish(clock.wallMs());
    if (published > 0) writer.count('pages_published', published);
    outlet.flush();
  }
  return {
    slate,
    parts: feeds.map((feed, index) => ({
      target: slate.add(ownsOf(feed)),
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
      const hasWaited = nowMs - openedAtMs > settings.prematchFreshnessMs;
      if (slate.isHeld) return;
      if (hasWaited || slate.sources.every(({ isComplete }) => isComplete)) former.removeUnnamed(slate);
    },
  };
}

/** The store as the handler of one of several sources sees it: the slate is complete and handed on by who joins them. */
function storeOf({ writer, outlet }: JoinFeedsOptions, depthOf: (depth: number) => number): HandlerStore {
  return {
    get fixtureCount() {
      return writer.fixtureCount;
    },
    count: (name, count) => writer.count(name, count),
    tally: (counter) => writer.tally(counter),
    flushTallies: () => writer.flushTallies(),
    setAppliedAt: (wallMs) => writer.setAppliedAt(wallMs),
    setCommonAppliedAt: (wallMs) => writer.setCommonAppliedAt(wallMs),
    setQueueDepth: (depth) => writer.setQueueDepth(depthOf(depth)),
    setSnapshotComplete: () => {},
    publish: (nowMs) => {
      const published = writer.publish(nowMs);
      outlet.flush();
      return published;
    },
  };
}

function ownsOf({ bookmakers }: OpenedFeed): (bookmaker: number) => boolean {
  const owned = BOOKMAKER_KEYS.map((key) => bookmakers.has(key));
  return (bookmaker) => owned[bookmaker] === true;
}
