// GET /v1/odds without HTTP: the whole slate as bytes, the changes since a version, and the capture of one
// instant.

import { bench, do_not_optimize, group } from 'mitata';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { LeagueFilter } from '../src/query/lookup/league-filter.ts';
import { NameDirectory } from '../src/query/lookup/name-directory.ts';
import { OddsChangeReader } from '../src/query/odds/odds-changes.ts';
import { OddsEncoder } from '../src/query/odds/odds-encoder.ts';
import { oddsView } from '../src/query/odds/odds-view.ts';
import { Slate } from '../src/query/slate/slate.ts';
import { SlateCopier } from '../src/query/slate/slate-copy.ts';
import { createStore, DEFAULT_CAPACITY } from '../src/store/layout.ts';
import { SlateReader } from '../src/store/reader.ts';
import { SlateWriter } from '../src/store/writer/writer.ts';
import { deltaSince } from '../test/query/changes-scene.ts';
import { benchKeys, fillSlate } from './store-slate.ts';

const SEED = 20_261_121;
const QUOTES = 75;
const CHANGED = 100;
const WINDOWS = { liveMs: 60_000, prematchMs: 300_000 };

export function define(size: 'smoke' | 'full'): void {
  const fixtureCount = size === 'smoke' ? CHANGED : 1_000;
  const keys = benchKeys(QUOTES);
  const buffer = createStore(1, { ...DEFAULT_CAPACITY, fixtures: fixtureCount });
  const writer = new SlateWriter(buffer);
  fillSlate(writer, { fixtureCount, keys, random: new Random(SEED) });
  writer.setSnapshotComplete();
  const reader = new SlateReader(buffer);
  const slate = new Slate(reader, WINDOWS);
  const encoder = new OddsEncoder(reader);
  const copier = new SlateCopier(reader);
  const changes = new OddsChangeReader({ reader, slate, copier, encoder, windows: WINDOWS });
  const principal = { tier: 'standard', seesSharp: true, keyId: 'key_bench' } as const;
  const leagues = new LeagueFilter(new NameDirectory(slate));
  const view = oddsView({ slate, leagues }, {}, { principal, nowMs: 0 });
  const before = reader.slateVersion();
  for (let index = 0; index < CHANGED; index++) {
    writer.quotes.putQuote(index, keys[index % QUOTES]!, 15_000 + index, 15_001, 0, 0, 1);
    writer.publish(0);
  }

  async function send(since: number): Promise<number> {
    const delta = await deltaSince(changes, { view, since, nowMs: 0 });
    assert(delta.fixtureCount === (since < 0 ? fixtureCount : CHANGED), 'every changed fixture is there');
    let byteCount = 0;
    for (const piece of delta.body()) byteCount += piece.length;
    return byteCount;
  }
  group(`odds of ${fixtureCount} fixtures of ${QUOTES} quotes`, () => {
    bench('the whole slate', async () => do_not_optimize(await send(-1)));
    bench(`what changed: one quote each of ${CHANGED} fixtures`, async () =>
      do_not_optimize(await send(before)),
    );
    bench('the capture of one instant at which nothing changed', () =>
      do_not_optimize(reader.instant(reader.slateVersion())),
    );
  });
}
