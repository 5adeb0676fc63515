// An hour of both prediction markets with faults: refusals (429), errors, slow answers, renamed fields,
// repeated pages, cut sockets, and order books that are crossed, thin or empty. The sources run against their
// stand-ins on an accelerated clock.

import { expect, test } from 'bun:test';
import { Random } from '../../src/domain/random.ts';
import { until } from '../support/condition.ts';
import { runs } from '../support/runs.ts';
import * as kalshi from './kalshi/kalshi-scene.ts';
import { footballWinner, tooMany } from './kalshi/stand-in.ts';
import * as polymarket from './polymarket/polymarket-scene.ts';
import { footballGame } from './polymarket/stand-in.ts';
import { renaming } from './stand-in-server.ts';

const MATCHES = 8;
const STEP_MS = 20_000;
const FAULTS = ['429', 'error', 'renamed', 'repeating pages', 'cut', 'bad books'] as const;
type Fault = (typeof FAULTS)[number];
type Asks = [home: number, draw: number, away: number];

const random = new Random(1);
const asks: Asks[] = Array.from({ length: MATCHES }, () => [0.45, 0.28, 0.3]);
/** Every price that was ever offered, by venue. */
const offered = { kalshi: new Set<number>([0]), polymarket: new Set<number>([0]) };

const kalshiEvent = (index: number): string => `KXEPLGAME-26NOV21M${index}X`;
const slugOf = (index: number): string => `epl-m${index}-x-2026-11-21`;

function open(): void {
  kalshi.open();
  polymarket.open({ events: [] });
  const kickoffMs = kalshi.START_MS + 20 * 60_000;
  for (const standIn of [kalshi.standIn, polymarket.standIn]) standIn.pageEvents = 3;
  kalshi.standIn.events = asks.map((three, index) => {
    const [home, away] = [`Home ${index}`, `Away ${index}`];
    return footballWinner({ league: 'EPL', match: `26NOV21M${index}X`, kickoffMs, home, away }, three);
  });
  polymarket.standIn.events = asks.flatMap((three, index) => {
    const [home, away] = [`Home ${index}`, `Away ${index}`];
    const [main] = footballGame({ slug: slugOf(index), kickoffMs, home, away, gameId: index + 1 }, three);
    return [main];
  });
}

/** Moves one price in about half of the matches, to the same price on both exchanges. */
function move(): void {
  for (const [index, three] of asks.entries()) {
    if (random.unit() < 0.5) continue;
    const at = Math.floor(random.unit() * 3);
    three[at] = Math.round((0.2 + random.unit() * 0.3) * 100) / 100;
    quote(index);
  }
}

/** Makes both stand-ins offer a match at its present prices, in correct order books. */
function quote(index: number): void {
  const [home, draw, away] = asks[index]!;
  for (const [end, slugEnd, ask] of [
    ['HOM', 'home', home],
    ['TIE', 'draw', draw],
    ['AWY', 'away', away],
  ] as const) {
    offered.kalshi.add(polymarket.net(ask, 0.07));
    offered.polymarket.add(polymarket.net(ask, 0.05));
    const bid = Math.round((ask - 0.02) * 100) / 100;
    const whole = { ask, bid, askSize: 500, bidSize: 500 };
    Object.assign(kalshi.standIn.contract(`${kalshiEvent(index)}-${end}`), whole);
    polymarket.standIn.move(`${slugOf(index)}-${slugEnd}`, whole);
  }
}

function begin(fault: Fault): void {
  const { standIn: k } = kalshi;
  const { standIn: p } = polymarket;
  switch (fault) {
    case '429':
      k.fault = tooMany;
      p.fault = () => new Response('', { status: 429 });
      break;
    case 'error':
      k.fault = () => new Response('<html>', { status: 502 });
      p.fault = () => new Response('{"events":[', { headers: { 'content-type': 'application/json' } });
      break;
    case 'renamed':
      k.garble = renaming('yes_ask_', 'ask_');
      p.garble = renaming('clobTokenIds', 'tokens');
      break;
    case 'repeating pages':
      k.garble = (body) => ({ ...body, cursor: '1' });
      p.garble = (body) => (Array.isArray(body) ? body : { ...(body as object), next_cursor: '1' });
      break;
    case 'cut':
      p.isChannelUp = false;
      p.cut();
      k.fault = () => (random.unit() < 0.5 ? new Response('', { status: 503 }) : null);
      break;
    case 'bad books':
      for (const index of asks.keys()) {
        const bad = [{ bid: 0.6 }, { ask: 1 }, { askSize: 3 }][index % 3]!;
        Object.assign(k.contract(`${kalshiEvent(index)}-TIE`), bad);
        p.move(`${slugOf(index)}-draw`, bad);
      }
  }
}

function end(): void {
  for (const standIn of [kalshi.standIn, polymarket.standIn]) {
    standIn.fault = () => null;
    standIn.garble = (body: unknown) => body;
  }
  polymarket.standIn.isChannelUp = true;
  for (const index of asks.keys()) quote(index);
}

/** The 1x2 of a match on the slate of a venue: prices and status. */
function shown(venue: 'kalshi' | 'polymarket', index: number): string | undefined {
  if (venue === 'kalshi') return kalshi.quotes(kalshiEvent(index))['crown|1x2|full_time|'];
  return polymarket.quotes(`polymarket-${slugOf(index)}`)['1x2|'];
}

function checkOffered(): void {
  for (const venue of ['kalshi', 'polymarket'] as const) {
    for (const index of asks.keys()) {
      const prices = (shown(venue, index) ?? '').split(' ').slice(0, -1).map(Number);
      const strange = prices.find((price) => !offered[venue].has(price));
      if (strange !== undefined) throw new Error(`${venue} shows ${strange}, which nobody offered`);
    }
  }
}

async function checkRight(): Promise<void> {
  for (const [venue, rate] of [
    ['kalshi', 0.07],
    ['polymarket', 0.05],
  ] as const) {
    for (const [index, three] of asks.entries()) {
      const expected = `${three.map((ask) => polymarket.net(ask, rate)).join(' ')} open`;
      await until(`${venue} shows ${expected} for match ${index}`, () => shown(venue, index) === expected);
    }
  }
  const states = [kalshi.run.poller.state, polymarket.run.poller.state];
  if (states.some((state) => state !== 'ok')) throw new Error(`A source is not well: ${states.join()}`);
}

async function both(ms: number): Promise<void> {
  await Promise.all([kalshi.run.for(ms), polymarket.run.for(ms)]);
}

test('every price on the slate was offered at some time; four minutes after a fault has ended, the slate has the current offer', async () => {
  open();
  for (const index of asks.keys()) quote(index);
  await both(60_000);
  await checkRight();
  // At most 60 faults, because eight hours after its kickoff a match would count as over.
  for (let round = 0; round < Math.min(60, runs(FAULTS.length)); round++) {
    const fault = FAULTS[round % FAULTS.length]!;
    begin(fault);
    for (let passed = 0; passed < 2 * 60_000; passed += STEP_MS) {
      if (fault !== 'bad books') move();
      await both(STEP_MS);
      checkOffered();
    }
    end();
    // Waits after failures grow to five minutes at most. These faults last two minutes, so the waits stay
    // shorter.
    for (let passed = 0; passed < 4 * 60_000; passed += STEP_MS) await both(STEP_MS);
    await checkRight();
  }
  for (const { run } of [kalshi, polymarket]) {
    expect(run.sent('remove')).toBe(0);
    expect([...run.poller.status().failures.keys()]).toEqual(
      expect.arrayContaining(['throttled', 'source_changed', 'wrong_shape']),
    );
  }
  await Promise.all([kalshi.close(), polymarket.close()]);
});
