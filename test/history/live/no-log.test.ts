// A tape that begins without a readable log, although its ring has already dropped some changes. What is left
// in the ring must not be taken for the whole slate.

import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { KEYS, TapeWorld } from '../tape-world.ts';

async function nextStep(world: TapeWorld): Promise<void> {
  world.settle();
  await world.tape.step();
}

test('if a node becomes leader for the first time after its ring has dropped the whole slate, the tape begins with a gap, which ends once the slate was sent again', async () => {
  await using world = new TapeWorld({ number: 100 });
  world.startSlate();
  for (const event of [1, 2]) {
    world.putFixture(event);
    for (const key of KEYS) world.putQuote(event, key, 10_100);
  }
  world.publish();
  world.feedIsBack();
  world.settle(31_000);
  world.trim();
  world.publishPrice(10_200);
  const beginMs = world.nowMs;
  await world.takeOver();
  await world.tape.step();
  expect(world.tape.gaps()).toEqual([{ fromMs: beginMs, toMs: null, reason: 'stopped' }]);
  await nextStep(world);
  expect(world.tape.gaps()).toEqual([{ fromMs: beginMs, toMs: world.nowMs, reason: 'stopped' }]);
  expect(await world.standingAt(world.nowMs)).toEqual(world.shownTexts());
});

test.each(['the log', 'the log, with files before it'])(
  'the gap after a loss of %s ends when the whole slate has been sent again, even if the feed was never lost',
  async (lost) => {
    await using world = new TapeWorld({ liveTicksMax: 4 });
    await world.startWith(1, 2);
    const prices = lost === 'the log' ? 2 : 7;
    for (let price = 10_100; price < 10_100 + prices; price++) world.publishPrice(price);
    world.putQuote(2, KEYS[0]!, 10_100);
    world.publish();
    await world.atRest();
    const folder = new LocalFolder(world.path);
    for (const path of await folder.logs()) rmSync(`${world.path}/${path}`);
    world.publishPrice(10_300);
    await world.startTape();
    await nextStep(world);
    expect(world.tape.gaps()).toMatchObject([{ toMs: world.nowMs, reason: 'stopped' }]);
    expect(await world.standingAt(world.nowMs)).toEqual(world.shownTexts());
    await nextStep(world);
    expect(world.tape.gaps()).toHaveLength(1);
  },
);

test('a first tape whose ring has dropped nothing begins without a gap', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  await world.startTape();
  await nextStep(world);
  expect(world.tape.gaps()).toEqual([]);
  expect(await world.standingAt(world.nowMs)).toEqual(world.shownTexts());
});
