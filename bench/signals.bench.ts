// Signals of a stream without HTTP: from a tick until a reader has its events, if one fixture in ten has
// changed, if one has and if none has. Compared with the time that the pool alone takes to score as many
// fixtures, with all their hits.

import { bench, do_not_optimize, group } from 'mitata';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { EventQueries } from '../src/query/lists/events.ts';
import { LeagueFilter } from '../src/query/lookup/league-filter.ts';
import { NameDirectory } from '../src/query/lookup/name-directory.ts';
import { oddsView } from '../src/query/odds/odds-view.ts';
import { SignalQueries } from '../src/query/signals/signals.ts';
import { Slate } from '../src/query/slate/slate.ts';
import { ScoringPool } from '../src/scoring/pool.ts';
import { spawnScoringWorker } from '../src/scoring/scoring-workers.ts';
import { packQuoteKey } from '../src/store/quote-key.ts';
import { LiveSignals } from '../src/stream/signals/live-signals.ts';
import { SignalChannels } from '../src/stream/signals/signal-channels.ts';
import { NO_BOUND } from '../src/stream/stream-hub.ts';
import { atOnce, StreamReader } from '../src/stream/stream-reader.ts';
import { type PlainFixture, slateOf } from '../test/scoring/slate.ts';
import { BEFORE_KICKOFF, USUAL_CRITERIA } from '../test/scoring/usual-criteria.ts';
import { benchFixtures } from './scoring-slate.ts';

const SEED = 20_261_122;
const TICK_MS = 20;
const { nowMs, windows } = BEFORE_KICKOFF;

export async function define(size: 'smoke' | 'full'): Promise<void> {
  const fixtureCount = size === 'smoke' ? 20 : 500;
  const fixtures = benchFixtures(fixtureCount, SEED);
  const { buffer, writer, reader } = slateOf(fixtures, { fixtures: fixtureCount });
  const slate = new Slate(reader, windows);
  const leagues = new LeagueFilter(new NameDirectory(slate));
  const pool = ScoringPool.start({
    storeBuffer: buffer,
    threads: 1,
    spawnWorker: (spawnIndex) => {
      const worker = spawnScoringWorker(spawnIndex);
      worker.unref();
      return worker;
    },
  });
  const signals = new SignalQueries({
    reader,
    events: new EventQueries(slate, leagues),
    scorer: pool,
  });
  const live = new LiveSignals({ reader, slate, signals, scorer: pool }, { maxEdge: 0.1, maxMargin: 0.1 });
  let tick: () => unknown = () => undefined;
  const channels = new SignalChannels({
    live,
    clock: { wallMs: () => nowMs, monotonicMs: () => nowMs },
    every: (ms, run) => {
      if (ms === TICK_MS) tick = run;
      return () => undefined;
    },
    turn: () => Promise.resolve(),
    onError: (error) => {
      throw error;
    },
  });
  const principal = { tier: 'enterprise', seesSharp: true, keyId: 'key_bench' } as const;
  const odds = oddsView({ slate, leagues }, {}, { principal, nowMs });
  let sent = 0;
  const sink = { send: () => sent++, unsentBytes: () => 0, end: () => undefined };
  const stream = new StreamReader(sink, { isAllowed: () => true, nowMs, inTurn: atOnce });
  stream.isInStep = true;
  const view = live.view({ signals: ['value', 'arbitrage'] }, odds, principal)!;
  channels.extension(view, TICK_MS, { name: 'reader', hasKey: true }).join(stream, NO_BOUND);
  await tick();
  assert(sent > fixtureCount / 2, 'the bench slate has signals');

  const random = new Random(SEED);
  let moves = 0;
  /** Moves one quote of each of the first `count` fixtures by at most 1 %. */
  function move(count: number): void {
    moves++;
    for (let index = 0; index < count; index++) {
      const { market, period, lineQuarters, bookmaker, pricesE4 } = quoteOf(fixtures[index]!, moves);
      const [a = 0, b = 0, c = 0] = pricesE4.map((price) => Math.round(price * random.between(0.99, 1.01)));
      const slot = reader.slotOf(fixtures[index]!.eventNumber);
      writer.quotes.putQuote(slot, packQuoteKey(market, period, lineQuarters, bookmaker), a, b, c, 0, 1);
    }
    writer.publish(0);
  }
  const share = fixtureCount / 10;
  const before = sent;
  for (let round = 0; round < 20; round++) {
    move(share);
    await tick();
  }
  assert(sent > before, 'moves open, change and close signals');

  group(`signals of ${fixtureCount} fixtures x 75 quotes, one view`, () => {
    bench('a tick: none moved', async () => do_not_optimize(await tick()));
    bench('a tick: 1 moved', async () => {
      move(1);
      await tick();
    });
    bench(`a tick: ${share} moved`, async () => {
      move(share);
      await tick();
    });
    const eventNumbers = fixtures.slice(0, share).map(({ eventNumber }) => eventNumber);
    bench(`the move of ${share} and the pool alone`, async () => {
      move(share);
      do_not_optimize(await pool.scanHits({ ...USUAL_CRITERIA, moment: BEFORE_KICKOFF, eventNumbers }));
    }).baseline(true);
    bench('the pool alone: 1', async () => {
      move(1);
      const first = eventNumbers.slice(0, 1);
      do_not_optimize(
        await pool.scanHits({ ...USUAL_CRITERIA, moment: BEFORE_KICKOFF, eventNumbers: first }),
      );
    });
  });
}

function quoteOf({ quotes }: PlainFixture, move: number): PlainFixture['quotes'][number] {
  return quotes[move % quotes.length]!;
}
