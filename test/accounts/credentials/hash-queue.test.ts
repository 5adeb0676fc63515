// The queue of passwords to be hashed. However many networks send passwords, owners keep their turns, and no
// network takes all turns of strangers.

import { describe, expect, test } from 'bun:test';
import { type HashCaller, HashQueue } from '../../../src/accounts/credentials/hash-queue.ts';
import { HASHES_WAITING_MAX, OWNERS_WAITING_MAX } from '../../../src/accounts/limits.ts';
import { Random } from '../../../src/domain/random.ts';

/** A queue of waiting passwords; each is a text, `caller/number`. */
class Scene {
  readonly queue = new HashQueue();
  readonly started: string[] = [];
  readonly refused: string[] = [];

  wait(caller: HashCaller, count: number): void {
    for (let number = 0; number < count; number++) {
      const text = `${caller.name}/${number}`;
      const start = () => void this.started.push(text);
      this.queue.add({ caller, start, refuse: () => void this.refused.push(text) });
    }
  }

  startAll(): string[] {
    for (let next = this.queue.next(); next !== null; next = this.queue.next()) next.start();
    return this.started;
  }
}

const stranger = (name: string): HashCaller => ({ name, isOwner: false });
const owner = (name: string): HashCaller => ({ name, isOwner: true });

describe('HashQueue', () => {
  test('strangers beyond the length of their queue are refused; owners are accepted, and get the first three of every four turns', () => {
    const scene = new Scene();
    for (let network = 0; network < 1_000; network++) scene.wait(stranger(`n${network}`), 3);
    expect(scene.refused).toHaveLength(3_000 - HASHES_WAITING_MAX);
    for (let account = 0; account < OWNERS_WAITING_MAX; account++) scene.wait(owner(`acc${account}`), 1);
    expect(scene.refused).toHaveLength(3_000 - HASHES_WAITING_MAX);
    const first = scene.startAll().slice(0, 8);
    expect(first.map((text) => text.startsWith('acc'))).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(scene.started).toHaveLength(HASHES_WAITING_MAX + OWNERS_WAITING_MAX);
  });

  test('in a full queue, a password of a new network replaces the newest one of the network with the most, and is hashed second', () => {
    const scene = new Scene();
    scene.wait(stranger('loud'), HASHES_WAITING_MAX);
    scene.wait(stranger('quiet'), 1);
    expect(scene.refused).toEqual([`loud/${HASHES_WAITING_MAX - 1}`]);
    expect(scene.startAll().slice(0, 3)).toEqual(['loud/0', 'quiet/0', 'loud/1']);
  });

  test('each network gets an equal part of a full queue, and every request is either hashed or refused, once', () => {
    for (let networks = 1; networks <= HASHES_WAITING_MAX; networks++) {
      const scene = new Scene();
      for (let network = 0; network < networks; network++) scene.wait(stranger(`n${network}`), 100);
      const started = scene.startAll();
      for (let network = 0; network < networks; network++) {
        const own = started.filter((text) => text.startsWith(`n${network}/`)).length;
        expect([networks, own >= Math.floor(HASHES_WAITING_MAX / networks)]).toEqual([networks, true]);
      }
      expect(new Set([...started, ...scene.refused]).size).toBe(networks * 100);
      expect(started.length + scene.refused.length).toBe(networks * 100);
    }
  });

  test("hasRoomFor is true exactly if the caller's next password is not refused on arrival", () => {
    const scene = new Scene();
    const random = new Random(1);
    for (let round = 0; round < 2_000; round++) {
      const name = `n${Math.floor(random.unit() * 40)}`;
      const caller = random.unit() < 0.3 ? owner(name) : stranger(name);
      const hasRoom = scene.queue.hasRoomFor(caller);
      let isRefused = false;
      scene.queue.add({
        ...{ caller, start: () => undefined },
        refuse: () => {
          isRefused = true;
        },
      });
      expect([round, isRefused]).toEqual([round, !hasRoom]);
      if (random.unit() < 0.4) scene.queue.next();
    }
  });

  test('many passwords of one owner do not keep another owner out', () => {
    const scene = new Scene();
    scene.wait(owner('acc1'), 100);
    scene.wait(owner('acc2'), 1);
    expect(scene.startAll()).toContain('acc2/0');
  });
});
