// Large bodies: which of them are sent in pieces, and how much memory each holds until it is read. As
// MessagePack, the pieces together are the value, and none of the pieces is large.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { unpack } from 'msgpackr';
import { Forms } from '../../../src/http/kit/forms.ts';
import { MadePieces, PIECE_BYTES, type Pieces } from '../../../src/http/kit/pieces.ts';
import { Reply, type ReplyBody } from '../../../src/http/kit/reply.ts';
import { Negotiator, PACKED_CONTENT_TYPE, PLAIN } from '../../../src/http/kit/representation.ts';
import { packedPieces, type SentBodyOptions, sentBodyOf } from '../../../src/http/kit/sent-body.ts';

test('the pieces of any value together are the value, whatever lists it has', () => {
  // The decoder renames this key, which no answer has.
  const key = fc.string().filter((text) => text !== '__proto__');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, '', 'Ü', 0.5, -7),
      fc.array(tie('value'), { maxLength: 40 }),
      fc.dictionary(key, tie('value'), { noNullPrototype: true, maxKeys: 20 }),
    ),
  }));
  fc.assert(
    fc.property(value, (some) => {
      expect(unpack(Buffer.concat([...packedPieces(some)]))).toEqual(some);
    }),
  );
});

test('a history of ten thousand ticks and a batch of fixtures are sent in many small pieces', () => {
  const tick = { at: '2026-03-01T12:00:00.000Z', status: 'open', prices: { home: 1.95, away: 1.88 } };
  const quote = { bookmaker: 'crown', handicap_components: [-0.5, -1], prices: { home: 1.95, away: 1.88 } };
  const values = [
    {
      series: [{ bookmaker: 'crown', ticks: Array.from({ length: 10_000 }, () => tick) }],
      next_cursor: null,
    },
    {
      data: Array.from({ length: 10 }, () => ({ odds: { odds: Array.from({ length: 500 }, () => quote) } })),
    },
  ];
  for (const value of values) {
    const pieces = [...packedPieces(value)];
    expect(unpack(Buffer.concat(pieces))).toEqual(value);
    expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThan(PIECE_BYTES + 1_000);
    expect(pieces.length).toBeGreaterThan(4);
  }
});

/** Passes a body on as an answer to a GET, and returns what was sent in pieces. */
function send(body: ReplyBody, options: Partial<SentBodyOptions> = {}) {
  const heldBytes: number[] = [];
  const pieces: Pieces[] = [];
  const sent = sentBodyOf(body, {
    ...{
      form: PLAIN,
      forms: new Forms(),
      isPaid: false,
      isUnchanged: false,
      isHead: false,
      cutsBlobs: false,
    },
    inPieces: (made, { heldBytes: held = 0 }) => {
      pieces.push(made);
      heldBytes.push(held);
      return new ReadableStream();
    },
    ...options,
  });
  return { sent, heldBytes, pieces };
}

test('a large body that is sent as MessagePack counts four times its size, because it is parsed; it is counted before it is parsed', async () => {
  const value = Array.from({ length: 9_000 }, (_, index) => ({ index, status: 'open' }));
  const json = JSON.stringify(value);
  const form = new Negotiator().of(PACKED_CONTENT_TYPE, 'identity');
  const { heldBytes, pieces } = send(json, { form });
  expect(heldBytes).toEqual([4 * json.length]);
  const [made] = pieces as [Iterator<Uint8Array>];
  expect(unpack(Buffer.concat([...Iterator.from(made)]))).toEqual(value);
  expect(send(json).heldBytes).toEqual([json.length]);
  const inPieces = () => {
    throw new Error('no room');
  };
  // The body is not JSON, so the error shows that it was counted before it was parsed.
  expect(() => send('x'.repeat(100_000), { form, inPieces })).toThrow('no room');
});

test('a large Blob is cut into pieces only for another thread, and only if a body is sent', async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(2 * PIECE_BYTES + 1).subarray(0, 65_536));
  const blob = new Blob([bytes, bytes, 'x']);
  expect(send(blob).sent).toMatchObject({ body: blob, isLong: false });
  expect(send(blob, { cutsBlobs: true, isHead: true }).sent.body).toBe(blob);
  expect(send(new Blob([bytes]), { cutsBlobs: true }).sent.body).toBeInstanceOf(Blob);
  const { sent, pieces } = send(blob, { cutsBlobs: true });
  expect(sent.isLong).toBe(true);
  const [made] = pieces as [Iterator<Promise<Uint8Array>>];
  const parts = await Promise.all(Iterator.from(made));
  expect(parts.map(({ byteLength }) => byteLength)).toEqual([PIECE_BYTES, PIECE_BYTES, 1]);
  expect(Buffer.concat(parts)).toEqual(Buffer.from(await blob.bytes()));
});

test('if an answer in pieces is refused, its source is released', () => {
  let endCount = 0;
  const none = function* (): Generator<Uint8Array> {};
  const body = new MadePieces({ json: none, packed: none, onEnd: () => endCount++ });
  const inPieces = () => {
    throw new Error('no room');
  };
  expect(() => send(body, { inPieces })).toThrow('no room');
  expect(endCount).toBe(1);
});

test('a Response made elsewhere becomes bytes, which are sent in pieces if there are many; a stream of events is always sent in pieces', async () => {
  const whole = await Reply.ofResponse(new Response('x'.repeat(100_000)), 200_000);
  expect(send(whole.body).heldBytes).toEqual([100_000]);
  const { body } = await Reply.ofResponse(
    eventsOf(() => undefined),
    200_000,
  );
  const { heldBytes, pieces } = send(body);
  expect(heldBytes).toEqual([200_000]);
  const events = await Array.fromAsync({
    [Symbol.asyncIterator]: () => pieces[0] as AsyncIterator<Uint8Array>,
  });
  expect(Buffer.concat(events).toString()).toBe('data: 1\n\ndata: 2\n\n');
  expect((await Reply.ofResponse(new Response(null, { status: 202 }), 200_000)).body).toBeNull();
});

test('if a stream of events is refused or not wanted, the work for it ends', async () => {
  let endCount = 0;
  const bodyOf = async () => {
    const { body } = await Reply.ofResponse(
      eventsOf(() => endCount++),
      200_000,
    );
    return body;
  };
  const inPieces = () => {
    throw new Error('no room');
  };
  const refused = await bodyOf();
  expect(() => send(refused, { inPieces })).toThrow('no room');
  expect(endCount).toBe(1);
  expect(send(await bodyOf(), { isHead: true }).sent).toMatchObject({ body: null, isLengthUnknown: true });
  expect(endCount).toBe(2);
});

/** Two events, made when they are read. @param onEnd called when the client leaves before their end */
function eventsOf(onEnd: () => void): Response {
  const events = ['data: 1\n\n', 'data: 2\n\n'];
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const event = events.shift();
        if (event === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(event));
      },
      cancel: onEnd,
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}
