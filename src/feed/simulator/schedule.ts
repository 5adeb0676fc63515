// The rolling slate as a pure function of seed and day. Each league pairs its teams again every day. All
// pairs of a sport, ordered by their league's usual hour, are spread evenly over 24 hours from 06:00 UTC. So
// matches kick off round the clock at a steady rate, a team plays at most once a day at about the same hour,
// and a restart gives the same fixtures. For more fixtures the simulator plans further ahead, and does not
// play more matches at once.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../clock.ts';
import { hashUnit, mixHash, mixText, Random } from '../../domain/random.ts';
import { assert } from '../../errors.ts';
import {
  BASKETBALL_LEAGUES,
  FOOTBALL_LEAGUES,
  readLeagues,
  type SimulatedLeague,
  type SimulatedTeam,
  scoringRates,
} from './league-table.ts';

export interface ScheduledFixture {
  /** The key contains the teams and the kickoff, so it is unique. */
  readonly key: string;
  /** A hash of seed and key: the seed of everything random about the fixture. */
  readonly hash: number;
  readonly league: SimulatedLeague;
  readonly home: SimulatedTeam;
  readonly away: SimulatedTeam;
  readonly kickoffMs: number;
  /** When it joins the slate. */
  readonly appearMs: number;
  /** Expected goals or points over the whole match. */
  readonly rates: { readonly home: number; readonly away: number };
}

const FIRST_KICKOFF_MS = 6 * HOUR_MS;
const KICKOFF_GRID_MS = 15 * MINUTE_MS;
/** Before a day's pairs are ordered, up to this many hours are added to or taken from their usual hour. */
const HOUR_JITTER = 0.5;
/**
 * Matches a day when the slate is large enough: about 19 football and 6 basketball matches are live at a
 * time.
 */
const MATCHES_PER_DAY_MAX = [236, 60] as const;
/** Mean time on the slate from kickoff on: play, and the minutes after the result. */
const MEAN_AFTER_KICKOFF_MS = [122 * MINUTE_MS, 132 * MINUTE_MS] as const;
const MEAN_LEAD_MIN_MS = 2 * HOUR_MS;
/** The time on the slate before kickoff is spread evenly between these multiples of its mean. */
const LEAD_LOW = 0.4;
const LEAD_HIGH = 1.6;
/** The longest a match can last from kickoff to leaving the slate. */
export const AFTER_KICKOFF_MAX_MS = 8 * HOUR_MS;

/** One sport's fixtures for all days. */
export class Schedule {
  readonly leadMaxMs: number;
  readonly #seed: number;
  readonly #leagues: readonly SimulatedLeague[];
  readonly #matchesPerDay: number;
  readonly #leadMeanMs: number;
  #cached: { day: number; fixtures: ScheduledFixture[] } = { day: Number.NaN, fixtures: [] };

  /**
   * @param options `sport` an index into SPORTS, `fixtures` how many are on the slate at a time, on average
   */
  constructor(options: { seed: number; sport: number; fixtures: number }) {
    const { seed, sport, fixtures } = options;
    this.#seed = mixHash(mixHash(0x5eed, seed), sport);
    this.#leagues = readLeagues(sport, sport === 0 ? FOOTBALL_LEAGUES : BASKETBALL_LEAGUES);
    const after = MEAN_AFTER_KICKOFF_MS[sport] as number;
    // Little's law: fixtures on the slate = matches a day x days that a match stays.
    const atShortestLead = (fixtures * DAY_MS) / (after + MEAN_LEAD_MIN_MS);
    this.#matchesPerDay = Math.min(MATCHES_PER_DAY_MAX[sport] as number, Math.floor(atShortestLead));
    this.#leadMeanMs = this.#matchesPerDay === 0 ? 0 : (fixtures * DAY_MS) / this.#matchesPerDay - after;
    this.leadMaxMs = this.#leadMeanMs * LEAD_HIGH;
  }

  /**
   * Fixtures that kick off in [fromMs, toMs), in order of kickoff. Call it with rising times, because only
   * one day is cached.
   */
  kickingOff(fromMs: number, toMs: number): ScheduledFixture[] {
    const found: ScheduledFixture[] = [];
    const first = Math.floor((fromMs - FIRST_KICKOFF_MS) / DAY_MS);
    for (let day = first; day * DAY_MS + FIRST_KICKOFF_MS < toMs; day++) {
      for (const fixture of this.#fixturesOf(day)) {
        if (fixture.kickoffMs >= fromMs && fixture.kickoffMs < toMs) found.push(fixture);
      }
    }
    return found;
  }

  #fixturesOf(day: number): ScheduledFixture[] {
    if (this.#cached.day !== day) this.#cached = { day, fixtures: this.#planDay(day) };
    return this.#cached.fixtures;
  }

  #planDay(day: number): ScheduledFixture[] {
    const random = new Random(mixHash(this.#seed, day));
    const pairs: { league: SimulatedLeague; home: SimulatedTeam; away: SimulatedTeam; hour: number }[] = [];
    for (const league of this.#leagues) {
      const teams = [...league.teams];
      random.shuffle(teams);
      for (let i = 0; i + 1 < teams.length; i += 2) {
        const hour = league.hour + random.between(-HOUR_JITTER, HOUR_JITTER);
        pairs.push({ league, home: teams[i] as SimulatedTeam, away: teams[i + 1] as SimulatedTeam, hour });
      }
    }
    pairs.sort((a, b) => a.hour - b.hour);
    const count = this.#matchesPerDay;
    assert(count <= pairs.length, 'the leagues hold enough teams for a day');
    const fixtures: ScheduledFixture[] = [];
    for (let i = 0; i < count; i++) {
      // One pair is picked from each section of the day. If there are more pairs than matches, the pairs that
      // are not picked do not play on this day.
      const from = Math.floor((i * pairs.length) / count);
      const to = Math.floor(((i + 1) * pairs.length) / count);
      const pair = pairs[from + random.index(to - from)];
      assert(pair !== undefined, 'a pair is picked from its section');
      const offset = Math.floor((i * DAY_MS) / count / KICKOFF_GRID_MS) * KICKOFF_GRID_MS;
      fixtures.push(this.#fixture(pair, day * DAY_MS + FIRST_KICKOFF_MS + offset));
    }
    return fixtures;
  }

  #fixture(
    pair: { league: SimulatedLeague; home: SimulatedTeam; away: SimulatedTeam },
    kickoffMs: number,
  ): ScheduledFixture {
    const { league, home, away } = pair;
    const stamp = new Date(kickoffMs).toISOString().slice(0, 16).replace(/\D/g, '');
    const key = `sim-${home.key.replace('/', '-')}-${away.key.slice(away.key.indexOf('/') + 1)}-${stamp}`;
    const hash = mixText(this.#seed, key);
    const lead = LEAD_LOW + (LEAD_HIGH - LEAD_LOW) * hashUnit(mixHash(hash, 1));
    const appearMs = Math.round(kickoffMs - lead * this.#leadMeanMs);
    return { key, hash, league, home, away, kickoffMs, appearMs, rates: scoringRates(league, home, away) };
  }
}
