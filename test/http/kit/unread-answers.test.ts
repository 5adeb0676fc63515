// Small answers that take a place until their client has read them: whose bytes they are, and what errors
// cost the server.

import { expect, test } from 'bun:test';
import { SharedGate } from '../../../src/access/gate.ts';
import { createServerParts } from '../../../src/http/kit/create-server-parts.ts';
import { FormedAnswer } from '../../../src/http/kit/forms.ts';
import { Reply } from '../../../src/http/kit/reply.ts';
import { RequestContext } from '../../../src/http/kit/request-context.ts';
import type { ServerParts } from '../../../src/http/kit/server-parts.ts';
import { AccessBench } from '../../access/support.ts';

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
  'an answer has its own bytes, also if another is encoded before it is sent; takes a place: %p',
  async (takesPlace) => {
    using bench = new AccessBench();
    const parts = partsOf(bench);
    const answer = (text: string): Response => {
      const context = new RequestContext(parts, new Request('http://localhost/v1/events/evt_1/odds'));
      context.takesPlace = takesPlace;
      context.match({ path: '/v1/events/:event_id/odds', access: 'metered' });
      context.admit();
      return context.respond(new Reply(new EncodedAnswer(text)));
    };
    const first = answer('{"event_id":"evt_1"}');
    answer('{"event_id":"evt_2","odds":[1.95]}');
    expect(await first.text()).toBe('{"event_id":"evt_1"}');
  },
);
