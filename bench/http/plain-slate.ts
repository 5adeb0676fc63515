// What the two framework servers of the comparison serve: the odds blocks of the service under test as plain objects,
// filtered and turned into JSON at every request, as a first version of such a service would do.

export interface PlainBlock {
  readonly event_id: string;
  readonly odds: readonly { readonly bookmaker: string; readonly market_type: string }[];
}

/** @param blocks the answers of GET /v1/events/{id}/odds, by event id */
export class PlainSlate {
  readonly #blocks: ReadonlyMap<string, PlainBlock>;

  constructor(blocks: Readonly<Record<string, PlainBlock>>) {
    this.#blocks = new Map(Object.entries(blocks));
  }

  odds(eventId: string, bookmakers: string | undefined): PlainBlock | null {
    const block = this.#blocks.get(eventId);
    if (block === undefined) return null;
    if (bookmakers === undefined) return { ...block };
    const wanted = new Set(bookmakers.split(','));
    return { ...block, odds: block.odds.filter(({ bookmaker }) => wanted.has(bookmaker)) };
  }

  batch(eventIds: readonly string[]): { readonly results: readonly (PlainBlock | null)[] } {
    return { results: eventIds.map((id) => this.odds(id, undefined)) };
  }
}
