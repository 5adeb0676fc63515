// The views of a slate's fixtures as lists that are kept, so that a question costs what it returns: all by kickoff, those
// that may be in play, and those of each league. A fixture that changes is put in its new place and no other is touched.

import { STATUS_FINISHED, STATUS_LIVE } from '../domain/catalogue.ts';
import { type FixtureView, isSamePairing } from './fixture-view.ts';
import { KickoffOrder } from './kickoff-order.ts';

const NO_FIXTURES = new KickoffOrder();
/** So many events whose pairing changed are remembered. Whoever knows less looks at all fixtures. */
const PAIRINGS_KEPT = 1_024;

export class SlateLists {
  readonly all = new KickoffOrder();
  /** Every fixture that the time may make live, and so every live one at any instant. */
  readonly perhapsLive = new KickoffOrder();
  /** Quotes of all fixtures together. */
  quoteCount = 0;
  readonly #leagues = new Map<string, KickoffOrder>();
  readonly #bySlot: (FixtureView | undefined)[] = [];
  readonly #byEvent = new Map<number, FixtureView>();
  /** Event numbers whose pairing changed last; the first is change number `#pairingCount - #pairings.length`. */
  #pairings: number[] = [];
  #pairingCount = 0;

  /** Fixtures of a league, by its id. */
  ofLeague(leagueId: string): KickoffOrder {
    return this.#leagues.get(leagueId) ?? NO_FIXTURES;
  }

  /** Every fixture, by slot. */
  views(): FixtureView[] {
    return this.#bySlot.filter((view) => view !== undefined);
  }

  /** The fixture of an event, or undefined when it is not on the slate. */
  view(eventNumber: number): FixtureView | undefined {
    return this.#byEvent.get(eventNumber);
  }

  /** How often a fixture arrived, left, or got another kickoff or name. */
  get pairingCount(): number {
    return this.#pairingCount;
  }

  /** The events of all such changes after the first `since`, or null when that is not known that far back. */
  pairingsSince(since: number): readonly number[] | null {
    const first = this.#pairingCount - this.#pairings.length;
    return since < first ? null : this.#pairings.slice(since - first);
  }

  /** The fixture of a slot is this one now. */
  put(slot: number, next: FixtureView | undefined): void {
    const former = this.#bySlot[slot];
    if (former === next) return;
    this.#bySlot[slot] = next;
    // An event that has moved to another slot is there already.
    if (former !== undefined && this.#byEvent.get(former.eventNumber) === former)
      this.#byEvent.delete(former.eventNumber);
    if (next !== undefined) this.#byEvent.set(next.eventNumber, next);
    this.quoteCount += (next?.quoteCount ?? 0) - (former?.quoteCount ?? 0);
    this.all.replace(former, next);
    this.perhapsLive.replace(former && mayBeLive(former), next && mayBeLive(next));
    if (former?.league === next?.league) {
      this.#league(former ?? next).replace(former, next);
    } else {
      this.#league(former).replace(former, undefined);
      this.#league(next).replace(undefined, next);
    }
    this.#dropEmptyLeague(former);
    if (former === undefined || next === undefined || !isSamePairing(former, next)) {
      this.#notePairing(former);
      this.#notePairing(next);
    }
  }

  /** The slots hold exactly these. For many changes at once: it costs one sort. */
  fill(views: readonly (FixtureView | undefined)[]): void {
    this.#bySlot.length = 0;
    this.#bySlot.push(...views);
    const all = this.views();
    this.#byEvent.clear();
    for (const view of all) this.#byEvent.set(view.eventNumber, view);
    this.quoteCount = all.reduce((sum, { quoteCount }) => sum + quoteCount, 0);
    this.all.fill(all);
    this.perhapsLive.fill(all.filter((view) => mayBeLive(view) !== undefined));
    this.#leagues.clear();
    for (const [leagueId, ofLeague] of Map.groupBy(all, ({ league }) => league.id)) {
      const order = new KickoffOrder();
      order.fill(ofLeague);
      this.#leagues.set(leagueId, order);
    }
    this.#pairings = [];
    this.#pairingCount++;
  }

  #league(view: FixtureView | undefined): KickoffOrder {
    if (view === undefined) return NO_FIXTURES; // nothing is put there or taken away
    const { id } = view.league;
    let order = this.#leagues.get(id);
    if (order === undefined) {
      order = new KickoffOrder();
      this.#leagues.set(id, order);
    }
    return order;
  }

  #dropEmptyLeague(view: FixtureView | undefined): void {
    if (view !== undefined && this.#leagues.get(view.league.id)?.size === 0)
      this.#leagues.delete(view.league.id);
  }

  #notePairing(view: FixtureView | undefined): void {
    if (view === undefined) return;
    this.#pairings.push(view.eventNumber);
    this.#pairingCount++;
    if (this.#pairings.length > 2 * PAIRINGS_KEPT) this.#pairings = this.#pairings.slice(-PAIRINGS_KEPT);
  }
}

/** The view if there is an instant at which `statusAt` says that it is live. */
function mayBeLive(view: FixtureView): FixtureView | undefined {
  const { feedStatus, clock } = view.facts;
  return feedStatus === STATUS_LIVE || (feedStatus !== STATUS_FINISHED && clock !== null) ? view : undefined;
}
