// Old files are removed by their age. A file that cannot be removed stays, and the tape goes on.

import { expect, test } from 'bun:test';
import { DAY_MS } from '../../../src/clock.ts';
import { dayOfPath, PRICES_PREFIX } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { TapeWorld } from '../tape-world.ts';

async function daysOf({ path }: TapeWorld): Promise<string[]> {
  const files = await new LocalFolder(path).list(PRICES_PREFIX);
  return [...new Set(files.map((file) => dayOfPath(file.path)!))];
}

test.each([0, 15_000])(
  'while old files cannot be removed the tape is written, and others are removed; an attempt takes %d ms',
  async (takesMs) => {
    await using world = new TapeWorld({ days: 1, liveTicksMax: 1 });
    await world.startWith(1);
    let price = 10_100;
    const quoted = async (): Promise<void> => {
      world.publishPrice(price++);
      world.settle(61_000);
      await world.atRest();
    };
    for (const _ of [1, 2, 3]) {
      await quoted();
      world.nowMs += DAY_MS;
    }
    const [first, second] = await daysOf(world);
    let refused = 0;
    world.onRemove = (path) => {
      if (dayOfPath(path) !== first) return;
      refused++;
      world.nowMs += takesMs;
      throw Object.assign(new Error('not ours'), { code: 'EACCES' });
    };
    await quoted(); // the time of its price counts from the next attempt on
    await quoted();
    expect(refused).toBe(2);
    expect(world.tape.standing().stopped).toBeNull();
    const days = await daysOf(world);
    expect(days).toContain(first!);
    // After a slow refusal, the other files wait for the next attempt.
    if (takesMs === 0) expect(days).not.toContain(second!);
    else expect(days).toContain(second!);
    expect(world.logged.filter((line) => line.includes('history_file_not_removed'))).toHaveLength(2);
    const { ticks } = await world.taped();
    expect(ticks.at(-1)?.receivedAtMs).toBe(world.published.at(-1)!.receivedAtMs);
    world.onRemove = () => {};
    await quoted();
    expect(await daysOf(world)).not.toContain(first!);
  },
);
