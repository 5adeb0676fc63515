// Betfair prices football handicaps in play by a score that it does not send. Once a joined source sends the
// score, these handicaps are on the slate.

import { expect, test } from 'bun:test';
import { BetfairStandIn } from '../../feed/betfair/stand-in.ts';
import { startPipeline } from '../../feed/websocket-support.ts';
import { eventWire, heartbeatWire, helloWire, markWire, stateWire } from '../../feed/wire.ts';
import { until } from '../../support/condition.ts';

const START_MS = Math.floor(Date.now() / 60_000) * 60_000;
const [HOME, AWAY] = [101, 102];

const CATALOGUE = [
  {
    marketId: '1.2',
    event: { id: '900', name: 'Arsenal v Chelsea' },
    competition: { id: '7', name: 'English Premier League' },
    runners: [
      { selectionId: HOME, runnerName: 'Arsenal', handicap: 0 },
      { selectionId: AWAY, runnerName: 'Chelsea', handicap: 0 },
    ],
  },
];

const IMAGE = {
  id: '1.2',
  img: true,
  marketDefinition: {
    status: 'OPEN',
    inPlay: true,
    marketType: 'ASIAN_HANDICAP',
    eventId: '900',
    eventTypeId: '1',
    marketTime: new Date(START_MS).toISOString(),
    runners: [
      { id: HOME, hc: -0.5, status: 'ACTIVE', sortPriority: 1 },
      { id: AWAY, hc: 0.5, status: 'ACTIVE', sortPriority: 2 },
    ],
  },
  rc: [
    { id: HOME, hc: -0.5, batb: [[0, 2, 5]] },
    { id: AWAY, hc: 0.5, batb: [[0, 1.96, 5]] },
  ],
};

test('handicaps in play are sent once another source gives the score, even with the sides exchanged', async () => {
  await using exchange = new BetfairStandIn({
    catalogue: CATALOGUE,
    script: [{ pt: START_MS, clk: 'clock-0', mc: [IMAGE] }],
  });
  let say: (...wires: readonly unknown[]) => void = () => {};
  const scores = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response('', { status: 426 })),
    websocket: {
      open(socket) {
        say = (...wires) => void socket.sendText(wires.map((wire) => JSON.stringify(wire)).join('\n'));
        const at = new Date(START_MS).toISOString();
        const teams = { home: { key: 'c', name: 'Chelsea FC' }, away: { key: 'a', name: 'Arsenal FC' } };
        const league = { key: 'epl', name: 'England Premier League' };
        say(
          helloWire({ at, epoch: 'a' }),
          markWire('snapshot_begin', 1),
          eventWire(2, 'x', { ...teams, league, at, scheduled_at: at }),
          markWire('snapshot_end', 3),
          heartbeatWire(4, { at }),
        );
      },
      message() {},
    },
  });
  const url = `ws://127.0.0.1:${scores.port}/`;
  await using slate = await startPipeline([{ kind: 'betfair' }, { kind: 'websocket', url }], {
    environment: exchange.environment,
  });
  const lines = () => {
    const { outlet } = slate.pipeline;
    const wires = outlet.eventKeys().flatMap((key) => outlet.fixture(key));
    const last = new Map<unknown, string>();
    for (const { type, line, prices } of wires) {
      if (type === 'quote') last.set(line, (prices as number[]).join('/'));
      else if (type === 'close') last.delete(line);
    }
    return [...last];
  };
  await until('both are on the slate as one', () => slate.reader.feed().snapshotComplete);
  expect(slate.pipeline.outlet.eventKeys()).toEqual(['betfair-900']);
  expect(lines()).toEqual([]);
  const at = new Date(START_MS + 1_000).toISOString();
  say(stateWire(5, 'x', { at, score: [1, 0] }));
  // The handicap counts the whole match. At one goal down, Arsenal -0.5 is -1.5 on the remaining goals.
  await until('its handicap is there', () => lines().length > 0);
  expect(lines()).toEqual([[-1.5, '2/1.96']]);
  say(stateWire(6, 'x', { at, score: [1, 2] }));
  await until('it has moved with the score', () => lines()[0]?.[0] === 0.5);
  expect(lines()).toEqual([[0.5, '2/1.96']]);
  await scores.stop(true);
});
