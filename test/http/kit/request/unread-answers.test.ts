// Small answers that take a place until their client has read them: that each has its own bytes, and what
// errors cost the server.

import { expect, spyOn, test } from 'bun:test';
import { SharedGate } from '../../../../src/access/gate.ts';
import { ALL_STRANGERS, strangerAt } from '../../../../src/access/quotas/fair-shares.ts';
import { mintKey } from '../../../../src/accounts/credentials/secrets.ts';
import { ServiceError, ValidationError } from '../../../../src/errors.ts';
import { createServerParts } from '../../../../src/http/kit/create-server-parts.ts';
import { FormedAnswer } from '../../../../src/http/kit/forms.ts';
import { busy, createPlaces } from '../../../../src/http/kit/in-flight.ts';
import { PIECE_BYTES } from '../../../../src/http/kit/pieces.ts';
import { Reply } from '../../../../src/http/kit/reply.ts';
import { RequestContext } from '../../../../src/http/kit/request/request-context.ts';
import type { ServerParts } from '../../../../src/http/kit/server-parts.ts';
import { fillRandom } from '../../../../src/start/threads/random.ts';
import { AccessBench } from '../../../access/support.ts';

function partsOf({ memory, directory, clock }: AccessBench): ServerParts {
  const deps = {
    clock,
    gate: new SharedGate({ memory, directory, clock }),
    publicUrl: 'http://localhost',
    log: { error: () => {} },
    nextRequestId: () => 'one',
    count: () => {},
    reportsRequests: false,
    observe: () => {},
  };
  return createServerParts({ deps, peerOf: () => '192.0.2.1' });
}

const BUFFER = new Uint8Array(1_024);

/** An answer that is encoded into one buffer, as those of `OddsEncoder` are. */
class EncodedAnswer extends FormedAnswer {
  readonly etag: string;
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
    this.etag = `"${text.length}"`;
  }

  body() {
    const { written } = new TextEncoder().encodeInto(this.#text, BUFFER);
    return { body: BUFFER.subarray(0, written), coding: null };
  }
}

test.each([false, true])(
  'an answer keeps its own bytes if another answer is encoded before it is sent; takes a place: %p',
  async (takesPlace) => {
    using bench = new AccessBench();
    const parts = partsOf(bench);
    const answer = (text: string): Response => {
      const context = new RequestContext(parts, new Request('http://localhost/v1/events/evt_1/odds'));
      context.place.unreadHolder = takesPlace ? context.holder : null;
      context.match({ path: '/v1/events/:event_id/odds', access: 'metered' });
      context.admit();
      return context.respond(new Reply(new EncodedAnswer(text)));
    };
    const first = answer('{"event_id":"evt_1"}');
    answer('{"event_id":"evt_2","odds":[1.95]}');
    expect(await first.text()).toBe('{"event_id":"evt_1"}');
  },
);

/** A key of the right form that does not exist. */
function madeUpKey(): string {
  return `Bearer ${mintKey(fillRandom).text}`;
}

test('a refusal before the request is admitted looks up no key', () => {
  using bench = new AccessBench();
  const spy = spyOn(bench.directory, 'findLive');
  const parts = partsOf(bench);
  for (let count = 0; count < 100; count += 1) {
    const headers = { authorization: madeUpKey(), cookie: `overround_session=${count}` };
    const context = new RequestContext(parts, new Request('http://localhost/v1/odds', { headers }));
    expect(context.fail(busy()).status).toBe(503);
  }
  expect(spy).not.toHaveBeenCalled();
});

test('a request whose key cannot be read gets the error of the read', async () => {
  using bench = new AccessBench();
  const unreadable = new ServiceError('upstream_unavailable', 'Cannot read key: its row is damaged');
  spyOn(bench.directory, 'findLive').mockImplementation(() => {
    throw unreadable;
  });
  const parts = partsOf(bench);
  const headers = { authorization: madeUpKey() };
  const context = new RequestContext(parts, new Request('http://localhost/v1/odds', { headers }));
  expect(() => context.holder).toThrow(unreadable);
  const answer = context.fail(unreadable);
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([503, 'one']);
  expect(await answer.json()).toMatchObject({ error: { code: 'upstream_unavailable' } });
});

test('if an error is too long for the room that is left, a short error is sent', async () => {
  using bench = new AccessBench();
  const parts = { ...partsOf(bench), inFlight: createPlaces(1) };
  expect(parts.inFlight.reserve(ALL_STRANGERS, 1)).toBe(true);
  const context = new RequestContext(parts, new Request('http://localhost/v1/odds'));
  const loc = ['body', 'x'.repeat(PIECE_BYTES)];
  const answer = context.fail(new ValidationError([{ type: 'missing', loc, msg: 'Required', input: null }]));
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ error: { code: 'upstream_unavailable' } });
});

test('unread errors take the places of their address; an error without a place ends its connection', async () => {
  using bench = new AccessBench();
  const parts = { ...partsOf(bench), inFlight: createPlaces(64) };
  // Callers without a key share 16 of these places, and one address may hold two.
  const address = strangerAt('192.0.2.1');
  const held = () => parts.inFlight.heldBy(address, address.subjects[0]!);
  const refuse = (): Response => {
    const context = new RequestContext(parts, new Request('http://localhost/no'));
    context.place.unreadHolder = context.holder;
    return context.place.asSent(context.fail(busy()));
  };
  const answers = [refuse(), refuse(), refuse()];
  expect(answers.map(({ headers }) => headers.get('connection'))).toEqual([null, null, 'close']);
  expect(held()).toBe(2);
  for (const answer of answers) {
    expect(await answer.json()).toMatchObject({ error: { code: 'upstream_unavailable' } });
  }
  expect(held()).toBe(0);
  expect(refuse().headers.get('connection')).toBeNull();
});

test('the files of the log-in page have places of their own when callers without a key use up theirs', async () => {
  using bench = new AccessBench();
  const parts = { ...partsOf(bench), inFlight: createPlaces(4), cutsBlobs: true };
  expect(parts.inFlight.reserve(ALL_STRANGERS, 1)).toBe(true);
  const strangersMax = parts.budget.maxOf(ALL_STRANGERS);
  expect(parts.budget.reserve(ALL_STRANGERS, strangersMax)).toBe(true);
  const body = new Blob([new Uint8Array(2 * PIECE_BYTES)]);
  const fileOf = (path: string): Response => {
    const context = new RequestContext(parts, new Request(`http://localhost${path}`));
    context.match({ path, access: 'open' });
    context.admit();
    context.place.hold();
    return context.respond(new Reply(body));
  };
  expect(() => fileOf('/docs/assets/viewer.js')).toThrow('too many answers are in flight');
  const files: Response[] = [];
  // An address has 32 places. An answer takes two of them while it is sent: its own, and one for its memory.
  while (files.length < 16) files.push(fileOf('/assets/console.js'));
  expect(() => fileOf('/assets/console.js')).toThrow(ServiceError);
  for (const file of files) expect((await file.blob()).size).toBe(body.size);
  expect((await fileOf('/assets/console.js').blob()).size).toBe(body.size);
});
