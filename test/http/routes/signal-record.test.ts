// What a request for the record of signals costs over the endpoint, the tool and MCP, even when several
// callers share one answer.

import { expect, test } from 'bun:test';
import { type Gate, SharedGate } from '../../../src/access/gate.ts';
import { FairTurns } from '../../../src/access/quotas/fair-turns.ts';
import { FreePace } from '../../../src/access/quotas/free-pace.ts';
import { createApp } from '../../../src/http/app.ts';
import { ownBudget } from '../../../src/http/kit/create-server-parts.ts';
import { Forms } from '../../../src/http/kit/forms.ts';
import { AnswerHeaders } from '../../../src/http/kit/headers.ts';
import { createPagePlaces, createPlaces } from '../../../src/http/kit/in-flight.ts';
import { Questions } from '../../../src/http/kit/questions.ts';
import { Negotiator } from '../../../src/http/kit/representation.ts';
import { RequestContext } from '../../../src/http/kit/request/request-context.ts';
import { signalRecordRoutes } from '../../../src/http/routes/signal-record.ts';
import { mcpRoutes, toolRoutes } from '../../../src/http/routes/tools.ts';
import { McpEndpoint } from '../../../src/mcp/handler.ts';
import { serveLocalTools } from '../../../src/mcp/served-tool.ts';
import { type HistoryCalls, NO_HISTORY } from '../../../src/query/lists/history-calls.ts';
import { recordAnswers } from '../../../src/record/record-answers.ts';
import { compileTool } from '../../../src/tools/kit/call-tool.ts';
import type { ToolServices } from '../../../src/tools/kit/tool.ts';
import { signalRecordTool } from '../../../src/tools/signals/signal-record.ts';
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
    const services = { queries: { history }, maxEdge: 1, maxMargin: 1 } as unknown as ToolServices;
    const tools = [compileTool(signalRecordTool(services), { checkOutput: true })];
    const mcp = new McpEndpoint({
      ...{ tools: serveLocalTools(tools, { publicUrl: '', report: reportBug }), version: '1', publicUrl: '' },
      ...{ allowedHostnames: ['localhost'], allowedOriginHostnames: ['localhost'], report: reportBug },
    });
    this.#app = createApp([...signalRecordRoutes(history), ...toolRoutes(tools), ...mcpRoutes(mcp)]);
    const turns = new FairTurns({ monotonicMs: () => clock.monotonicMs() });
    this.#parts = {
      deps: {
        ...{ clock, gate: this.gate, publicUrl: 'http://odds.example', log: { error: () => {} } },
        ...{ nextRequestId: () => 'id', count: () => {}, reportsRequests: false, observe: () => {} },
      },
      pagePlaces: createPagePlaces(),
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
    const { status, headers } = await this.#answer(request);
    return [status, Number(headers.get('x-ratelimit-remaining'))];
  }

  /**
   * Calls the tool over REST.
   * @returns the same as `ask`
   */
  async callTool(authorization: string, args: object): Promise<readonly [status: number, left: number]> {
    const { status, headers } = await this.#answer(posted('/v1/mcp/signal_record', authorization, args));
    return [status, Number(headers.get('x-ratelimit-remaining'))];
  }

  /** Calls the tool over MCP. @returns the text of the answer, and how many requests the key has left */
  async callOverMcp(authorization: string, args: object): Promise<readonly [text: string, left: number]> {
    const params = { name: 'signal_record', arguments: args };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = await this.#answer(posted('/mcp', authorization, message));
    return [await answer.text(), this.left(authorization)];
  }

  /** How many requests a key has left. */
  left(authorization: string): number {
    return this.gate.check(this.gate.identify(authorization), '127.0.0.1').remaining;
  }

  async #answer(request: Request): Promise<Response> {
    return await this.#app.find(request)(new RequestContext(this.#parts, request));
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

function posted(path: string, authorization: string, body: object): Request {
  const accept = 'application/json, text/event-stream';
  const headers = { authorization, accept, host: 'localhost', 'content-type': 'application/json' };
  return new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

function reportBug(where: string, failure: unknown): void {
  throw new Error(`a bug in ${where}`, { cause: failure });
}

test('callers that request the same record together are each charged five requests, and only a caller without enough requests left is refused', async () => {
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

test('the tool costs as much as the endpoint, for each caller that shares an answer, and the record is read only once', async () => {
  using route = new RecordRoute();
  const [poor, first, second] = [await route.key(), await route.key(), await route.key()];
  route.spend(poor, COST - 1);
  const args = { group_by: 'bookmaker' };
  const answers = await Promise.all([poor, first, second].map((key) => route.callTool(key, args)));
  expect(answers).toEqual([
    [429, 0],
    [200, BURST - COST],
    [200, BURST - COST],
  ]);
  expect(route.readCount).toBe(1);
  expect(await route.callTool(first, { reference: 'sharp' })).toEqual([403, BURST - COST - 1]);
  using none = new RecordRoute(false);
  expect(await none.callTool(await none.key(), {})).toEqual([200, BURST - 1]);
});

test('the tool costs the same over MCP, and its error shows when too few requests are left', async () => {
  using route = new RecordRoute();
  const [key, poor] = [await route.key(), await route.key()];
  const [text, left] = await route.callOverMcp(key, {});
  expect(text).toContain('No value signal on record passes.');
  expect(left).toBe(BURST - COST);
  route.spend(poor, COST - 1);
  expect((await route.callOverMcp(poor, {}))[0]).toContain('rate_limit_exceeded');
  expect(route.readCount).toBe(1);
});
