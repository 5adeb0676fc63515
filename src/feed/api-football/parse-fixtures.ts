// Converts an answer of /fixtures into updates of each match. Pure.

import type { StateFields } from '../poll/drafts.ts';
import type { PolledFixture, ReadonlyPicture } from '../poll/picture.ts';
import { FINISHED_KEPT_MS, type ReadContext } from '../poll/source.ts';
import type { SportChoice } from '../poll/sport-choice.ts';
import { type ApiFootballFixture, isFixture } from './messages.ts';

/** `gone`: postponed, cancelled, abandoned, or decided without play. */
type Phase = StateFields['status'] | 'gone';

const PHASES: ReadonlyMap<string, Phase> = new Map(
  (
    [
      ['scheduled', 'TBD NS'],
      ['live', '1H HT 2H ET BT P SUSP INT LIVE'],
      ['finished', 'FT AET PEN'],
      ['gone', 'PST CANC ABD AWD WO'],
    ] as const
  ).flatMap(([phase, words]) => words.split(' ').map((word): [string, Phase] => [word, phase])),
);
const RED_CARDS = ['Red Card', 'Second Yellow card'];
const HALF_MINUTES = 45;

export function eventOf(id: number): string {
  return String(id);
}

/**
 * @param liveBookmaker our bookmaker whose prices are those in play, null when it is not mapped. The prices
 * of all other bookmakers are from before the match and leave at its start.
 */
export function readFixtures(
  items: readonly unknown[],
  {
    choice,
    liveBookmaker,
    seasons,
    context,
  }: {
    readonly choice: SportChoice;
    readonly liveBookmaker: string | null;
    /** The season of each league; the leagues of the answer are added. */
    readonly seasons: Map<string, number>;
    readonly context: ReadContext;
  },
): PolledFixture[] {
  const { picture, nowMs, count } = context;
  const updates: PolledFixture[] = [];
  for (const item of items) {
    const phase = isFixture(item) ? PHASES.get(item.fixture.status.short) : undefined;
    if (!isFixture(item) || phase === undefined || item.teams.home.id === item.teams.away.id) {
      count('bad_fixture');
      continue;
    }
    const { league } = item;
    if (!choice.wants('football', { id: String(league.id), name: league.name })) continue;
    seasons.set(String(league.id), league.season);
    const update = updateOf(item, phase, { picture, nowMs, liveBookmaker });
    if (update !== null) updates.push(update);
  }
  for (const [event, { result }] of picture) {
    if (result !== null && nowMs - result.finishedAtMs > FINISHED_KEPT_MS)
      updates.push({ event, gone: true });
  }
  return updates;
}

function updateOf(
  item: ApiFootballFixture,
  phase: Phase,
  {
    picture,
    nowMs,
    liveBookmaker,
  }: { readonly picture: ReadonlyPicture; readonly nowMs: number; readonly liveBookmaker: string | null },
): PolledFixture | null {
  const event = eventOf(item.fixture.id);
  const held = picture.get(event);
  if (phase === 'gone') return held === undefined ? null : { event, gone: true };
  // Matches that were over before we knew them are not served.
  if (phase === 'finished' && held === undefined) return null;
  // An answer by date is older than answers about live matches, so it must not set a match back.
  if (phase === 'scheduled' && held?.state?.status === 'live') return null;
  if (held?.result != null) return null;
  const { home, away } = item.goals;
  const score = phase === 'scheduled' || home === null || away === null ? null : ([home, away] as const);
  const cards = phase === 'scheduled' ? null : (redCardsOf(item) ?? held?.state?.cards ?? null);
  const quotes =
    phase === 'scheduled' || held === undefined
      ? undefined
      : new Map(
          [...held.quotes].filter(([, quote]) => phase === 'live' && quote.bookmaker === liveBookmaker),
        );
  const result =
    phase === 'finished' && score !== null ? { score, redCards: cards, finishedAtMs: nowMs } : null;
  return {
    event,
    fixture: {
      sport: 'football',
      league: { key: String(item.league.id), name: item.league.name },
      home: { key: String(item.teams.home.id), name: item.teams.home.name },
      away: { key: String(item.teams.away.id), name: item.teams.away.name },
      scheduledAtMs: item.fixture.timestamp * 1_000,
    },
    state: { status: phase, clock: clockOf(item.fixture.status), score, cards },
    ...(quotes === undefined ? {} : { quotes }),
    ...(result === null ? {} : { result }),
  };
}

/**
 * The red cards of both teams. They are counted from the events each time, because events have no id and may
 * be withdrawn. Null when the answer has no events.
 */
function redCardsOf({ events, teams }: ApiFootballFixture): readonly [number, number] | null {
  if (events === undefined) return null;
  const of = (teamId: number): number =>
    events.filter(
      ({ type, detail, team }) => type === 'Card' && team.id === teamId && RED_CARDS.includes(detail ?? ''),
    ).length;
  return [of(teams.home.id), of(teams.away.id)];
}

/** The match clock in the protocol's form; whole minutes, because the upstream has nothing finer. */
function clockOf({ short, elapsed }: ApiFootballFixture['fixture']['status']): string | null {
  const minute = elapsed ?? null;
  if (short === '1H') return minute === null ? '1h' : `1h ${Math.min(HALF_MINUTES, minute)}`;
  if (short === 'HT') return 'ht';
  if (short === '2H') return minute === null ? '2h' : `2h ${minute}`;
  if (short === 'ET' || short === 'BT') return 'et';
  return short === 'P' ? 'pen' : null;
}
