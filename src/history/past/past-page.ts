// A private slate of an instant of the past, in the store's own layout, so that query/ reads, filters and
// encodes it like the present slate.

import {
  BOOKMAKER_KEYS,
  indexIn,
  MARKET_1X2,
  MARKET_TYPES,
  type Outcome,
  outcomesOf,
  PERIODS,
  QUOTE_OPEN,
  QUOTE_SUSPENDED,
  SPORT_KEYS,
} from '../../domain/catalogue.ts';
import { quartersFromLine } from '../../domain/handicap.ts';
import { decodeId, entityNumber } from '../../domain/ids.ts';
import type { FreshnessWindows, SignalMoment } from '../../domain/signal-gate.ts';
import { allConfirmedAt, NEVER_FRESH } from '../../domain/signal-gate.ts';
import { LINE_QUARTERS_MAX } from '../../limits.ts';
import { EntityRefs, type FixtureNow, fixtureAt, viewOf } from '../../query/slate/fixture-view.ts';
import { createStore } from '../../store/layout.ts';
import { marketOfKey, packQuoteKey } from '../../store/quote-key.ts';
import { SlateReader } from '../../store/reader.ts';
import type { EntityName } from '../../store/records.ts';
import { SlateWriter } from '../../store/writer/writer.ts';
import type { FixtureIds, Tick, TickFixture, TickLine } from '../tick.ts';
import type { PastFixture } from './past-fixture.ts';

/** An answer of the past is stale when the tape does not know its instant, and for no other reason. */
const ALWAYS_FRESH: FreshnessWindows = { liveMs: 1e14, prematchMs: 1e14 };
/** Bytes of the names of one fixture: a league and two teams. */
const NAME_BYTES = 3 * 1_024;

/** An instant, and whether the tape does not know it (TapeReader.isKnownAt). */
export interface PastInstant {
  readonly atMs: number;
  readonly isInGap: boolean;
}

/** A slate that holds some fixtures as they were. */
export interface PastPages {
  readonly reader: SlateReader;
  readonly moment: SignalMoment;
  /** A fixture at the instant; null when it could not be put on the slate. */
  fixture(eventId: string): FixtureNow | null;
}

/** The memory of private slates. Each new slate reuses the memory of the one before it. */
export class PastPageMemory {
  #buffer: SharedArrayBuffer | null = null;
  #fixtures = 1;
  #quotesPerFixture = 1;

  /** An empty slate for some fixtures. */
  store(fixtures: readonly PastFixture[]): SharedArrayBuffer {
    this.#fixtures = Math.max(this.#fixtures, fixtures.length);
    this.#quotesPerFixture = Math.max(
      this.#quotesPerFixture,
      ...fixtures.map(({ standing }) => standing.length),
    );
    const capacity = {
      fixtures: this.#fixtures,
      quotesPerFixture: this.#quotesPerFixture,
      openingsPerFixture: 1,
      entities: 3 * this.#fixtures + 1,
      arenaBytes: NAME_BYTES * this.#fixtures,
      gracePublishes: 2,
      departures: 1,
      liquidityEntries: 1,
    };
    this.#buffer = createStore(0, capacity, this.#buffer);
    return this.#buffer;
  }
}

/** Puts fixtures on a slate of their own. @param memory of slates that are not read any more */
export function pastPages(
  fixtures: readonly PastFixture[],
  { atMs, isInGap }: PastInstant,
  memory = new PastPageMemory(),
): PastPages {
  const store = memory.store(fixtures);
  const writer = new SlateWriter(store);
  for (const fixture of fixtures) putFixture(writer, fixture);
  writer.publish(atMs);
  writer.setSnapshotComplete();
  const reader = new SlateReader(store);
  const refs = new EntityRefs(reader);
  const moment: SignalMoment = {
    nowMs: atMs,
    confirmedAtMs: allConfirmedAt(0),
    windows: isInGap ? NEVER_FRESH : ALWAYS_FRESH,
  };
  return {
    reader,
    moment,
    fixture: (eventId) => {
      const view = reader.readEvent(decodeId('event', eventId), (page) =>
        viewOf(reader, refs, page, undefined),
      );
      return view === undefined ? null : fixtureAt(view, moment);
    },
  };
}

function putFixture(writer: SlateWriter, past: PastFixture): void {
  const { fixture, ids, standing, status, score, cards, atMs } = past;
  const sport = indexIn(SPORT_KEYS, fixture.sport);
  const named = entitiesOf(fixture, sport, ids);
  const slot = writer.putFixture({
    ...named,
    eventNumber: decodeId('event', fixture.eventId),
    sport,
    scheduledAtMs: fixture.kickoffMs ?? Number.NaN,
    atMs,
  });
  if (slot < 0) return;
  writer.putState(slot, { status, clock: null, score, cards, atMs });
  for (const tick of standing) {
    const key = quoteKeyOfLine(tick);
    if (key === null) continue;
    const [a, b, c] = outcomesOf(sport, marketOfKey(key)) as [Outcome, Outcome, Outcome?];
    const { pricesE4, status: lineStatus, atMs: quoteAtMs } = tick;
    const quoteStatus = lineStatus === 'open' ? QUOTE_OPEN : QUOTE_SUSPENDED;
    const third = c === undefined ? 0 : (pricesE4[c] ?? 0);
    writer.quotes.putQuote(slot, key, pricesE4[a] ?? 0, pricesE4[b] ?? 0, third, quoteStatus, quoteAtMs);
  }
}

/** The ids that the tape keeps. Where it keeps none, the id is made from the name. */
function entitiesOf(
  { league, home, away }: TickFixture,
  sport: number,
  ids: FixtureIds | undefined,
): { readonly league: EntityName; readonly home: EntityName; readonly away: EntityName } {
  const team = (name: string, id: string | undefined): EntityName => ({
    number: id === undefined ? entityNumber('team', sport, name) : decodeId('team', id),
    name,
  });
  const number = ids === undefined ? entityNumber('league', sport, league) : decodeId('league', ids.leagueId);
  return { league: { number, name: league }, home: team(home, ids?.homeId), away: team(away, ids?.awayId) };
}

/** The store's key of a line; null when its bookmaker has left the roster or its line is off the grid. */
export function quoteKeyOfLine({ bookmaker, marketType, period, line }: TickLine): number | null {
  const book = BOOKMAKER_KEYS.indexOf(bookmaker);
  const market = indexIn(MARKET_TYPES, marketType);
  const quarters = market === MARKET_1X2 ? 0 : quartersFromLine(line ?? Number.NaN, LINE_QUARTERS_MAX / 4);
  if (book < 0 || quarters === null) return null;
  return packQuoteKey(market, indexIn(PERIODS, period), quarters, book);
}

/** Prices in outcome order, in ten-thousandths. */
export function pricesInOrder(
  { pricesE4, marketType }: Pick<Tick, 'pricesE4' | 'marketType'>,
  sport: number,
) {
  return outcomesOf(sport, indexIn(MARKET_TYPES, marketType)).map((outcome) => pricesE4[outcome] ?? 0);
}
