// Messages for followers of a feed equal the received messages, in every field.

import { expect, test } from 'bun:test';
import { parseMessage } from '../../src/feed/parse-message.ts';
import { toWire } from '../../src/feed/to-wire.ts';
import { everyMessage } from './wire.ts';

const VALIDATOR = new URL('../../src/feed/parse-message.ts', import.meta.url).pathname;

test('a message that toWire has written is read as the original message', () => {
  let count = 0;
  for (const wire of everyMessage()) {
    const message = parseMessage(wire);
    if (typeof message === 'string') throw new Error(`Cannot read a right message: ${message}`);
    if (message.type === 'hello' || message.type === 'snapshot_begin' || message.type === 'snapshot_end')
      continue;
    expect(parseMessage({ ...toWire(message), seq: wire.seq })).toEqual(message);
    count++;
  }
  expect(count).toBe(9);
});

test('the messages that tests vary have every field that the validator reads', async () => {
  const read = [...(await Bun.file(VALIDATOR).text()).matchAll(/\bwire\.(\w+)/g)].map((match) => match[1]!);
  const sent = new Set(everyMessage().flatMap((wire) => Object.keys(wire)));
  expect(read.filter((field) => !sent.has(field))).toEqual([]);
});
