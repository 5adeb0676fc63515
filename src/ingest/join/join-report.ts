// Which fixtures of several sources are joined on the slate, and why the others are not: the output of
// `overround feed match`.

import { toIsoText } from '../../clock.ts';
import { entityId } from '../../domain/ids.ts';
import type { NamedFixture } from './join-rules.ts';
import type { MergedSlate } from './merged-slate.ts';
import { JOIN_CONFIDENCE_MIN, KICKOFF_APART_MS_MAX } from './name-match.ts';
import type { SourceFixture, SourceSlate } from './source-slate.ts';

/** A fixture as its source describes it. `event` is its key in FEED_MATCH. */
export interface ReportedFixture {
  readonly source: string;
  readonly event: string;
  readonly home: string;
  readonly away: string;
  readonly league: string;
  readonly scheduled_at: string | null;
}

export interface JoinedReport {
  /** Public id. */
  readonly id: string;
  readonly fixtures: readonly (ReportedFixture & { readonly swapped: boolean })[];
}

/**
 * `held_back`: the start waits for a source. `no_kickoff`: the source has not sent the kickoff.
 * `nothing_then`: no fixture of the other source resembles it at that time. `other_time`: one resembles it,
 * but starts at another time. `unsure`: one resembles it, but not certainly. `several`: more than one join is
 * certain, for this fixture or for the other. `forbidden`: FEED_MATCH forbids the join.
 */
export type ApartReason =
  | 'held_back'
  | 'no_kickoff'
  | 'nothing_then'
  | 'other_time'
  | 'unsure'
  | 'several'
  | 'forbidden';

export interface ApartReport {
  readonly fixture: ReportedFixture;
  /** The source without a matching fixture. */
  readonly in: string;
  readonly why: ApartReason;
  /** The closest fixtures in that source, the most certain first. */
  readonly nearest: readonly (ReportedFixture & { readonly confidence: number })[];
}

export interface JoinReport {
  readonly sources: readonly string[];
  readonly joined: readonly JoinedReport[];
  readonly apart: readonly ApartReport[];
  /** Fixtures that FEED_MATCH names and that no source has. */
  readonly named_nothing: readonly NamedFixture[];
}

/** How many of the closest fixtures of a source are shown for a fixture that is not joined. */
const NEAREST_MAX = 3;

/** The report at this moment. It costs a search of names for each fixture that is not joined. */
export function joinReportOf(slate: MergedSlate): JoinReport {
  const joined = new Map<string, JoinedReport>();
  const apart: ApartReport[] = [];
  const byId = new Map<number, SourceFixture>();
  for (const source of slate.sources) for (const fixture of source.fixtures()) byId.set(fixture.id, fixture);
  for (const fixture of byId.values()) {
    const match = slate.matchOf(fixture);
    const members = match?.members ?? [{ fixture, isTurned: false }];
    if (match !== undefined && members.length > 1) {
      joined.set(match.key, {
        id: entityId('event', match.identity.sport, match.key),
        fixtures: members.map((member) => ({
          ...reported(slate, member.fixture),
          swapped: member.isTurned,
        })),
      });
    }
    for (const source of slate.sources) {
      if (members.some((member) => member.fixture.source === source.index)) continue;
      apart.push(apartOf(slate, fixture, { source, byId }));
    }
  }
  return {
    sources: slate.sources.map(({ name }) => name),
    joined: [...joined.values()],
    apart,
    named_nothing: slate.join.namedNothing,
  };
}

function apartOf(
  slate: MergedSlate,
  fixture: SourceFixture,
  { source, byId }: { readonly source: SourceSlate; readonly byId: ReadonlyMap<number, SourceFixture> },
): ApartReport {
  const alike = slate.join.names.alike(fixture, source.index).map(({ id, confidence }) => {
    const other = byId.get(id)!;
    const apartMs = Math.abs(other.message.scheduledAtMs - fixture.message.scheduledAtMs);
    return { other, confidence, isThen: apartMs <= KICKOFF_APART_MS_MAX };
  });
  const then = alike.filter(({ isThen }) => isThen);
  const sure = alike.filter(({ confidence }) => confidence >= JOIN_CONFIDENCE_MIN);
  function why(): ApartReason {
    if (slate.isHeld) return 'held_back';
    if (Number.isNaN(fixture.message.scheduledAtMs)) return 'no_kickoff';
    if (sure.some(({ other }) => slate.join.isForbidden(fixture, other))) return 'forbidden';
    if (sure.some(({ isThen }) => isThen)) return 'several';
    if (sure.length > 0) return 'other_time';
    return then.length > 0 ? 'unsure' : 'nothing_then';
  }
  const nearest = (then.length > 0 ? then : sure).toSorted(
    (left, right) => right.confidence - left.confidence,
  );
  return {
    fixture: reported(slate, fixture),
    in: source.name,
    why: why(),
    nearest: nearest
      .slice(0, NEAREST_MAX)
      .map(({ other, confidence }) => ({ ...reported(slate, other), confidence })),
  };
}

function reported(slate: MergedSlate, { source, message }: SourceFixture): ReportedFixture {
  const { event, home, away, league, scheduledAtMs } = message;
  return {
    source: slate.sources[source]!.name,
    event,
    home: home.name,
    away: away.name,
    league: league.name,
    scheduled_at: Number.isNaN(scheduledAtMs) ? null : toIsoText(scheduledAtMs),
  };
}
