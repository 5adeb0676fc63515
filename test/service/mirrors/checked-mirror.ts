// A mirror of one view, built from the events of a stream as the documents describe, and compared with the
// feed's record after every event: its content must equal the feed's slate after some number of entries of
// the record, and that number must never decrease.

import type { OddsQuote } from '../../../src/contract/odds.ts';
import type { Answer, StreamedEvent } from '../../query/changes-scene.ts';
import type { Entry, FixtureFacts, QuoteFacts } from './feed-stand-in.ts';

export interface MirroredView {
  readonly seesSharp: boolean;
  readonly bookmakers: readonly string[] | null;
  readonly markets: readonly string[] | null;
  readonly status: 'scheduled' | 'live' | null;
  readonly league: string | null;
  readonly format: string;
}

interface MirroredFixture {
  readonly event: string;
  facts: string;
  readonly quotes: Map<string, MirroredQuote>;
}

type MirroredQuote = Pick<QuoteFacts, 'at' | 'status' | 'firstPrice'>;

export class CheckedMirror {
  readonly view: MirroredView;
  cursor: string | null = null;
  framesChecked = 0;
  conflated = 0;
  snapshots = 0;
  /** False between the parts of a snapshot. */
  #isWhole = false;
  readonly #fixtures = new Map<string, MirroredFixture>();
  /** The same fixtures, by the name that they have in the feed and its record. */
  readonly #byEvent = new Map<string, MirroredFixture>();
  readonly #record: readonly Entry[];
  /** The feed's slate after the first entries of the record; `#position` is their number. */
  readonly #sent = new Map<string, { facts: FixtureFacts; readonly quotes: Map<string, QuoteFacts> }>();
  #position = 0;
  /** False from the time when the clock was set until the next slate. */
  #comparesStamps = true;
  /** Names of the quotes that differ between the mirror and the record. */
  readonly #differences = new Set<string>();

  constructor(view: MirroredView, record: readonly Entry[]) {
    this.view = view;
    this.#record = record;
  }

  /** Starts without any content, as a program does after a restart. */
  forget(): void {
    this.cursor = null;
  }

  /** @throws Error when its content after the event equals no state of the record */
  take({ event, cursor, data }: StreamedEvent): void {
    if (event === 'snapshot') {
      if (data.part === 1) {
        this.#isWhole = false;
        this.#clear();
        this.snapshots++;
      }
      this.#apply(data as unknown as Answer);
      this.#isWhole = data.last === true;
      if (this.#isWhole) this.cursor = cursor;
    } else if (event === 'delta') {
      if (data.from !== this.cursor) throw new Error(`a delta from ${data.from} came after ${this.cursor}`);
      if (data.conflated === true) this.conflated++;
      this.#apply(data as unknown as Answer);
      this.cursor = cursor;
    } else if (event === 'heartbeat') {
      this.cursor = cursor;
      return;
    } else return;
    if (this.#isWhole) this.#check();
  }

  /**
   * Applies the answer to a poll with this mirror's cursor, or without one.
   * @throws as `take`
   */
  takePolled(answer: Answer): void {
    const data = { ...answer, part: 1, last: true, from: this.cursor };
    this.take({ event: answer.full ? 'snapshot' : 'delta', cursor: answer.cursor, data });
  }

  /** Replaces the content with the whole current answer. */
  takeWhole(answer: Answer): void {
    this.#clear();
    this.#apply(answer);
    this.cursor = answer.cursor;
    this.#isWhole = true;
  }

  content(): unknown {
    return [...this.#byEvent]
      .map(([event, { facts, quotes }]) => ({
        event,
        facts,
        quotes: [...quotes].map(([line, quote]) => [line, this.#textOf(quote)]).sort(),
      }))
      .sort((left, right) => (left.event < right.event ? -1 : 1));
  }

  #check(): void {
    this.framesChecked++;
    while (this.#differences.size > 0) {
      const entry = this.#record[this.#position];
      if (entry === undefined) {
        const shown = [...this.#differences].slice(0, 5).join('; ');
        throw new Error(
          `the mirror of ${JSON.stringify(this.view)} equals no slate that the feed had at or after its last one; at ${this.cursor}, ${this.#differences.size} differ, such as ${shown}`,
        );
      }
      this.#position++;
      this.#advance(entry);
    }
  }

  #advance(entry: Entry): void {
    if (entry.kind === 'clock') {
      this.#comparesStamps = false;
      for (const event of new Set([...this.#sent.keys(), ...this.#byEvent.keys()])) this.#compareAll(event);
      return;
    }
    if (entry.kind === 'slate') {
      this.#comparesStamps = true;
      this.#sent.clear();
      for (const [event, { facts, quotes }] of entry.slate.fixtures) {
        this.#sent.set(event, { facts, quotes: new Map(quotes) });
      }
      this.#differences.clear();
      for (const event of new Set([...this.#sent.keys(), ...this.#byEvent.keys()])) this.#compareAll(event);
      return;
    }
    const { event } = entry;
    if (entry.kind === 'remove') {
      const lines = [...(this.#sent.get(event)?.quotes.keys() ?? [])];
      this.#sent.delete(event);
      this.#compareAll(event, lines);
    } else if (entry.kind === 'fixture') {
      const held = this.#sent.get(event);
      if (held === undefined) this.#sent.set(event, { facts: entry.facts, quotes: new Map() });
      else held.facts = entry.facts;
      this.#compareAll(event);
    } else {
      const quotes = this.#sent.get(event)?.quotes;
      if (entry.kind === 'close') quotes?.delete(entry.line);
      else quotes?.set(entry.line, entry.facts);
      this.#compareQuote(event, entry.line);
    }
  }

  #apply({ fixtures, removed }: Answer): void {
    for (const id of removed) this.#drop(id);
    for (const { event_id, event, state, replace, odds } of fixtures) {
      let held = this.#fixtures.get(event_id);
      if (held === undefined) {
        if (event === null || state === null) throw new Error(`${event_id} came without its event`);
        held = { event: event.home_team.name.slice('Home of '.length), facts: '', quotes: new Map() };
        this.#fixtures.set(event_id, held);
        this.#byEvent.set(held.event, held);
      }
      const [league, status, clock] = held.facts.split('|');
      held.facts = [
        event?.league.name ?? league,
        event?.status ?? status,
        state === null ? clock : state.clock,
      ].join('|');
      const touched = replace ? [...held.quotes.keys()] : [];
      if (replace) held.quotes.clear();
      for (const quote of odds) held.quotes.set(lineOf(quote), mirrored(quote));
      for (const line of touched) this.#compareQuote(held.event, line);
      for (const quote of odds) this.#compareQuote(held.event, lineOf(quote));
      if (event !== null || state !== null || replace) this.#compareAll(held.event);
    }
  }

  #drop(id: string): void {
    const held = this.#fixtures.get(id);
    if (held === undefined) return;
    this.#fixtures.delete(id);
    this.#byEvent.delete(held.event);
    this.#compareAll(held.event, [...held.quotes.keys()]);
  }

  #clear(): void {
    for (const id of [...this.#fixtures.keys()]) this.#drop(id);
  }

  /** @param lines names of quotes that neither the feed nor the mirror has any more */
  #compareAll(event: string, lines: readonly string[] = []): void {
    const sent = this.#shownOf(event);
    const held = this.#byEvent.get(event);
    const facts =
      sent === null ? undefined : `${sent.facts.league}|${sent.facts.status}|${sent.facts.clock ?? ''}`;
    this.#note(event, facts === held?.facts);
    const all = new Set([
      ...lines,
      ...(this.#sent.get(event)?.quotes.keys() ?? []),
      ...(held?.quotes.keys() ?? []),
    ]);
    for (const line of all) this.#compareQuote(event, line);
  }

  #compareQuote(event: string, line: string): void {
    const { seesSharp, bookmakers, markets } = this.view;
    let sent = this.#shownOf(event)?.quotes.get(line);
    if (sent !== undefined) {
      const isShown =
        (seesSharp || sent.bookmaker !== 'pinnacle') &&
        (bookmakers === null || bookmakers.includes(sent.bookmaker)) &&
        (markets === null || markets.includes(sent.market));
      if (!isShown) sent = undefined;
    }
    const held = this.#byEvent.get(event)?.quotes.get(line);
    this.#note(`${event} ${line}`, this.#textOf(sent) === this.#textOf(held));
  }

  /** A fixture of the feed; null if the feed does not have it, or if the view excludes it. */
  #shownOf(event: string) {
    const sent = this.#sent.get(event);
    const { status, league } = this.view;
    if (sent === undefined || (status !== null && status !== sent.facts.status)) return null;
    return league !== null && league !== sent.facts.league ? null : sent;
  }

  #note(name: string, isAlike: boolean): void {
    if (isAlike) this.#differences.delete(name);
    else this.#differences.add(name);
  }

  /** Prices are compared in the feed's format. In other formats, the stamp identifies the quote. */
  #textOf(quote: MirroredQuote | undefined): string | undefined {
    if (quote === undefined) return undefined;
    const { at, status, firstPrice } = quote;
    const stamp = this.#comparesStamps ? at : '';
    return this.view.format === 'decimal' ? `${stamp} ${status} ${firstPrice}` : `${stamp} ${status}`;
  }
}

function mirrored({ as_of, status, prices }: OddsQuote): MirroredQuote {
  const [firstPrice] = Object.values(prices) as number[];
  return { at: as_of, status: status as QuoteFacts['status'], firstPrice: firstPrice! };
}

function lineOf({ bookmaker, market_type, line }: OddsQuote): string {
  return `${bookmaker} ${market_type} ${line}`;
}
