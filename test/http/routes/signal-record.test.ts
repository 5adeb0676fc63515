// What a request for the record of signals costs, also when several callers share one answer.

import { expect, test } from 'bun:test';
import { type Gate, SharedGate } from '../../../src/access/gate.ts';
import { FairTurns } from '../../../src/access/quotas/fair-turns.ts';
import { FreePace } from '../../../src/access/quotas/free-pace.ts';
import { createApp } from '../../../src/http/app.ts';
import { ownBudget } from '../../../src/http/kit/create-server-parts.ts';
import { Forms } from '../../../src/http/kit/forms.ts';
import { AnswerHeaders } from '../../../src/http/kit/headers.ts';
import { createPlaces } from '../../../src/http/kit/in-flight.ts';
import { Questions } from '../../../src/http/kit/questions.ts';
import { Negotiator } from '../../../src/http/kit/representation.ts';
import { RequestContext } from '../../../src/http/kit/request-context.ts';
import { signalRecordRoutes } from '../../../src/http/routes/signal-record.ts';
import { type HistoryCalls, NO_HISTORY } from '../../../src/query/lists/history-calls.ts';
import { recordAnswers } from '../../../src/record/record-answers.ts';
import { AccessBench } from '../../access/support.ts';
import { untimedTurns } from '../../history/tape-folder.ts';

const PATH = '/v1/signals/record';
const COST = 5;
/** The free tier admits 30 requests at once. */
const BURST = 30;

/** The route with a gate of its own. `readCount` is how often the record was read. */
class RecordRoute implements Disposable {
  readonly #bench = new AccessBench();
  readonly gate: Gate;
  readonly #app;
  readonly #parts: ConstructorParameters<typeof RequestContext>[0];
  readCount = 0;

  constructor(hasHistory = true) {
    const { memory, directory, clock } = this.#bench;
    this.gate = new SharedGate({ memory, directory, clock });
    const page = async () => {
      this.readCount++;
      return [];
    };
    const history: HistoryCalls = hasHistory
      ? { ...NO_HISTORY, ...recordAnswers({ store: { page }, turns: untimedTurns() }) }
      : NO_HISTORY;
    this.#app = createApp(signalRecordRoutes(history));
    const turns = new FairTurns({ monotonicMs: () => clock.monotonicMs() });
    this.#parts = {
      deps: {
        ...{ clock, gate: this.gate, publicUrl: 'http://odds.example', log: { error: () => {} } },
        ...{ nextRequestId: () => 'id', count: () => {}, reportsRequests: false, observe: () => {} },
      },
      ...{ inFlight: createPlaces(16), budget: ownBudget(), freePace: new FreePace() },
      ...{ headers: new AnswerHeaders(false), negotiator: new Negotiator(), forms: new Forms() },
      ...{ cutsBlobs: false, turns, peerOf: () => '127.0.0.1' },
      questions: new Questions({ turns, slateVersion: () => 1, wallMs: () => clock.wallMs() }),
      ...{ keepOpen: () => () => undefined, upgrade: () => false },
    };
  }

  /** The Authorization header of a new key of the free tier. */
  async key(): Promise<string> {
    return `Bearer ${(await this.#bench.createKey('free')).text}`;
  }

  /** Answers a request. @returns the status, and how many requests the key has left */
  async ask(authorization: string, query = ''): Promise<readonly [status: number, left: number]> {
    const request = new Request(`http://localhost${PATH}${query}`, { headers: { authorization } });
    const { status, headers } = await this.#app.find(request)(new RequestContext(this.#parts, request));
    return [status, Number(headers.get('x-ratelimit-remaining'))];
  }

  /** Charges the key until it has `left` requests. */
  spend(authorization: string, left: number): void {
    for (let spent = BURST; spent > left; spent--) {
      this.gate.charge(this.gate.identify(authorization), '127.0.0.1', 1);
    }
  }

  [Symbol.dispose](): void {
    this.#bench[Symbol.dispose]();
  }
}

test('callers that ask for the same record together are each charged five requests, and one without enough left is refused alone', async () => {
  using route = new RecordRoute();
  const [poor, first, second] = [await route.key(), await route.key(), await route.key()];
  route.spend(poor, COST - 1);
  const answers = await Promise.all([poor, first, second].map((key) => route.ask(key)));
  expect(answers).toEqual([
    [429, 0],
    [200, BURST - COST],
    [200, BURST - COST],
  ]);
  expect(route.readCount).toBe(1);
});

test('a refused request for the record costs one request', async () => {
  using route = new RecordRoute();
  const key = await route.key();
  for (const [index, [query, status]] of (
    [
      ['?from=2026-03-01T00:00:00Z&to=2026-02-01T00:00:00Z', 400],
      ['?kind=arbitrage&series=true', 400],
      ['?reference=sharp', 403],
    ] as const
  ).entries()) {
    expect(await route.ask(key, query)).toEqual([status, BURST - index - 1]);
  }
  expect(route.readCount).toBe(0);
  using none = new RecordRoute(false);
  expect(await none.ask(await none.key())).toEqual([404, BURST - 1]);
});
