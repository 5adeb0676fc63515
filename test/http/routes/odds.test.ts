// What an answer about the past costs if another thread reads the keys, which may change while the history is
// being read.

import { expect, test } from 'bun:test';
import { type Gate, SharedGate } from '../../../src/access/gate.ts';
import { EpochWatch } from '../../../src/access/heartbeat.ts';
import { attachAccessMemory } from '../../../src/access/quotas/memory.ts';
import { createServerParts } from '../../../src/http/kit/create-server-parts.ts';
import { RequestContext } from '../../../src/http/kit/request/request-context.ts';
import { OddsAnswers } from '../../../src/http/odds-answers.ts';
import { createPolledApp } from '../../../src/http/polled-app.ts';
import { oddsRoutes } from '../../../src/http/routes/odds.ts';
import { NO_HISTORY } from '../../../src/query/lists/history-calls.ts';
import { OddsEncoder } from '../../../src/query/odds/odds-encoder.ts';
import { FixtureWatch } from '../../../src/query/slate/fixture-watch.ts';
import { AccessBench } from '../../access/support.ts';
import { SlateDesk, WINDOWS } from '../../query/slate-desk.ts';

const AT = '2026-03-01T12:00:00Z';
const PAST = { bytes: new TextEncoder().encode('{}'), etag: '"past"', isFinal: true };
const BATCH = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ event_ids: ['evt_1', 'evt_2', 'evt_3'], at: AT }),
};

/** Answers requests of one key about the past. `change` is called while the history is being read. */
class Scene {
  readonly bench = new AccessBench();
  readonly gate: Gate;
  readonly #watch = new EpochWatch(attachAccessMemory(this.bench.memory), null);
  readonly #answer: (request: Request) => Promise<Response>;
  #epoch = 0;

  constructor(change: (scene: Scene) => Promise<unknown>) {
    const { clock, memory, directory } = this.bench;
    this.gate = new SharedGate({
      ...{ memory, clock },
      directory: { fetchLive: async (hash) => directory.findLive(hash) },
    });
    this.publishChange();
    const deps = {
      ...{ clock, gate: this.gate, publicUrl: 'http://localhost', log: { error: () => {} } },
      ...{ nextRequestId: () => 'id', count: () => {}, reportsRequests: false, observe: () => {} },
    };
    const { slate, ingest } = new SlateDesk();
    const encoder = new OddsEncoder(ingest.reader);
    const routes = oddsRoutes({
      slate,
      leagues: () => Promise.reject(new Error('nobody asks about the present')),
      answers: new OddsAnswers({ slate, encoder, watch: new FixtureWatch(ingest.reader, WINDOWS) }),
      history: {
        ...NO_HISTORY,
        requireInstant: async () => {
          await change(this);
          return null;
        },
        slate: async () => PAST,
        batch: async () => PAST,
      },
      ...{ slateAnswers: null, openings: null, liquidity: null },
    });
    const app = createPolledApp(routes);
    const parts = createServerParts({ deps, peerOf: () => '192.0.2.1' });
    this.#answer = async (request) => {
      const context = new RequestContext(parts, request);
      return context.whenKnown(() => app.find(request)!(context));
    };
  }

  /** Notifies all threads that some key has changed. */
  publishChange(): void {
    this.#epoch += 1;
    this.#watch.publish(this.#epoch, this.bench.clock.wallMs());
  }

  /** The status of an answer, and how many units the key has left. */
  async ask(key: string, path: string, init: RequestInit): Promise<[number, number]> {
    const authorization = `Bearer ${key}`;
    const headers = { ...init.headers, authorization };
    const { status } = await this.#answer(new Request(`http://localhost${path}`, { ...init, headers }));
    await this.gate.lookUp(authorization);
    return [status, this.gate.charge(this.gate.identify(authorization), '', 0).remaining];
  }

  [Symbol.dispose](): void {
    this.bench[Symbol.dispose]();
  }
}

test.each([
  ['a slate', `/v1/odds?at=${AT}`, {}, 5],
  ['a batch', '/v1/odds/batch', BATCH, 3],
])(
  '%s of the past is answered and charged, even if another key changes while the history is being read',
  async (_name, path, init, units) => {
    using scene = new Scene(async (changed) => changed.publishChange());
    const { text } = await scene.bench.createKey('standard');
    expect(await scene.ask(text, path, init)).toEqual([200, 120 - units]);
    expect(await scene.ask(text, path, init)).toEqual([200, 120 - 2 * units]);
  },
);

test.each([
  ['a slate', `/v1/odds?at=${AT}`, {}],
  ['a batch', '/v1/odds/batch', BATCH],
])(
  '%s of the past is 401 if its key is revoked while the history is being read',
  async (_name, path, init) => {
    let keyId = '';
    using scene = new Scene(async (changed) => {
      await changed.bench.keys.revokeKey(keyId);
      changed.publishChange();
    });
    const created = await scene.bench.createKey('standard');
    keyId = created.keyId;
    const [status] = await scene.ask(created.text, path, init);
    expect(status).toBe(401);
  },
);

test.each([
  ['a slate', `/v1/odds?at=${AT}`, {}],
  ['a batch', '/v1/odds/batch', BATCH],
])('%s of the past is 429 if the key has too few units left', async (_name, path, init) => {
  using scene = new Scene(async () => {});
  const { text } = await scene.bench.createKey('standard');
  await scene.gate.lookUp(`Bearer ${text}`);
  const key = scene.gate.identify(`Bearer ${text}`);
  for (let unit = 0; unit < 118; unit += 1) scene.gate.charge(key, '', 1);
  expect(await scene.ask(text, path, init)).toEqual([429, 0]);
});
