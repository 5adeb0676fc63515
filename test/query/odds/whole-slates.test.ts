// Readers of the whole slate share copies, and every byte that was reserved for a copy is released.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  createSharesMemory,
  FairShares,
  holderOf,
  sharesState,
} from '../../../src/access/quotas/fair-shares.ts';
import { copyRoom, memoryShares } from '../../../src/access/quotas/memory-budget.ts';
import { type CallerClass, KEYLESS } from '../../../src/domain/tiers.ts';
import { OddsChangeReader } from '../../../src/query/odds/odds-changes.ts';
import { OddsEncoder } from '../../../src/query/odds/odds-encoder.ts';
import { oddsView } from '../../../src/query/odds/odds-view.ts';
import { type WholeSlate, WholeSlates } from '../../../src/query/odds/whole-slates.ts';
import {
  type CopyRoom,
  NoRoomError,
  SlateCopier,
  type SlateCopy,
} from '../../../src/query/slate/slate-copy.ts';
import { quoteWire } from '../../feed/wire.ts';
import { fixtureWire, SlateDesk, WINDOWS } from '../slate-desk.ts';

const MB = 1024 * 1024;
const KICKOFF = '2026-03-01T15:00:00Z';

/** A budget of `max` bytes, and how many of them are reserved. */
class Room implements CopyRoom {
  readonly hasKey: boolean;
  readonly isFree: boolean;
  readonly owner?: string;
  held = 0;
  max = Number.POSITIVE_INFINITY;

  constructor({ hasKey, isFree = false }: CallerClass, owner?: string) {
    if (owner !== undefined) this.owner = owner;
    this.hasKey = hasKey;
    this.isFree = isFree;
  }

  reserve(bytes: number): boolean {
    if (this.held + bytes > this.max) return false;
    this.held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.held -= bytes;
    expect(this.held).toBeGreaterThanOrEqual(0);
  }
}

/** A copier that lists the copies it has made. */
class ListingCopier extends SlateCopier {
  readonly copies: SlateCopy[] = [];

  override async copySince(since: number, room?: CopyRoom): Promise<SlateCopy> {
    const copy = await super.copySince(since, room);
    this.copies.push(copy);
    return copy;
  }
}

class Scene {
  readonly #desk = new SlateDesk();
  readonly room = new Room({ hasKey: true }, 'customer');
  readonly otherRoom = new Room({ hasKey: true }, 'other customer');
  readonly strangersRoom = new Room({ hasKey: false });
  readonly freeRoom = new Room({ hasKey: true, isFree: true });
  readonly #copier: ListingCopier;
  readonly slates: WholeSlates;
  monotonicMs = 0;
  #price = 1;

  constructor() {
    this.#desk.snapshot(fixtureWire('e1', KICKOFF), quoteWire(0));
    const { slate } = this.#desk;
    const { reader } = this.#desk.ingest;
    const copier = new ListingCopier(reader);
    this.#copier = copier;
    const encoder = new OddsEncoder(reader);
    const changes = new OddsChangeReader({ reader, slate, copier, encoder, windows: WINDOWS });
    this.slates = new WholeSlates({ changes, clock: { monotonicMs: () => this.monotonicMs } });
  }

  move(): void {
    this.#price += 0.01;
    this.#desk.send(quoteWire(0, 'e1', { prices: [this.#price, 2] }));
  }

  open({
    takesOlder = false,
    format = 'decimal' as 'decimal' | 'american',
    room = this.room as CopyRoom,
  } = {}): Promise<WholeSlate> {
    const { slate, nowMs } = this.#desk;
    const view = oddsView({ slate, leagues: { idOf: () => '' } }, { format }, { principal: KEYLESS, nowMs });
    return this.slates.open(view, { nowMs, takesOlder, knownVersion: -1, room });
  }

  /** How many rows each copy still has in memory, oldest first. */
  get rowCounts(): number[] {
    return this.#copier.copies.map(({ rows }) => rows.quoteKey.length);
  }

  textOf({ delta }: WholeSlate): string {
    return Buffer.concat([...delta.body()]).toString();
  }
}

function pieceOf(whole: WholeSlate): string {
  return whole.piece(
    'json',
    0,
    () => 'piece',
    () => 1,
  ).piece;
}

describe('WholeSlates', () => {
  test('the rows of a copy are freed when its last reader ends; those of the newest copy are freed only when it expires', async () => {
    const scene = new Scene();
    const readers = [await scene.open(), await scene.open()];
    scene.move();
    const newest = await scene.open();
    readers[0]!.close();
    expect(scene.rowCounts).toEqual([1, 1]);
    expect(scene.textOf(readers[1]!)).toContain('"odds":[{');
    readers[1]!.close();
    expect(scene.rowCounts).toEqual([0, 1]);
    newest.close();
    expect(scene.rowCounts).toEqual([0, 1]);
    scene.monotonicMs = 1_001;
    scene.slates.expire();
    expect(scene.rowCounts).toEqual([0, 0]);
  });

  test('readers of one version share a copy, whatever their filters; a reader that does not accept an older copy gets the current slate', async () => {
    const scene = new Scene();
    const first = await scene.open();
    const oneCopy = scene.room.held;
    const others = await Promise.all([scene.open(), scene.open({ format: 'american' })]);
    expect(scene.room.held).toBe(oneCopy);
    expect(others[0]!.delta).toBe(first.delta);
    scene.move();
    const older = await scene.open({ takesOlder: true });
    expect(older.delta).toBe(first.delta);
    const newest = await scene.open();
    expect(newest.version).toBeGreaterThan(first.version);
    expect(scene.textOf(newest)).not.toBe(scene.textOf(first));
    scene.monotonicMs = 1_001;
    scene.move();
    expect((await scene.open({ takesOlder: true })).version).toBeGreaterThan(newest.version);
  });

  test.each(['strangersRoom', 'freeRoom'] as const)(
    'slow readers (%s) hold no copy that counts against a paid key',
    async (slow) => {
      const scene = new Scene();
      const unread: WholeSlate[] = [];
      for (let round = 0; round < 20; round++) {
        scene.move();
        const ofKey = await scene.open();
        unread.push(await scene.open({ takesOlder: true, room: scene[slow] }));
        ofKey.close();
      }
      const oneCopy = scene[slow].held;
      expect([scene.room.held, new Set(unread.map(({ version }) => version)).size]).toEqual([oneCopy, 1]);
      for (const reader of unread) reader.close();
      scene.monotonicMs = 1_001;
      scene.slates.expire();
      expect([scene.room.held, scene[slow].held]).toEqual([0, 0]);
    },
  );

  test('a copy counts against a customer only until that customer has read it, then against another customer that is still reading it', async () => {
    const scene = new Scene();
    const fast = [await scene.open(), await scene.open()];
    const slow = await scene.open({ room: scene.otherRoom });
    const oneCopy = scene.room.held;
    fast[0]!.close();
    expect([scene.room.held, scene.otherRoom.held]).toEqual([oneCopy, 0]);
    fast[1]!.close();
    expect([scene.room.held, scene.otherRoom.held]).toEqual([0, oneCopy]);
    const again = await scene.open();
    slow.close();
    expect([scene.room.held, scene.otherRoom.held]).toEqual([oneCopy, 0]);
    again.close();
    const unread = await scene.open({ room: scene.otherRoom });
    expect([scene.room.held, scene.otherRoom.held]).toEqual([0, oneCopy]);
    unread.close();
    scene.monotonicMs = 1_001;
    scene.slates.expire();
    expect([scene.room.held, scene.otherRoom.held]).toEqual([0, 0]);
  });

  test('a customer that was still reading when another had finished gets the rest of its answer, even if its own share is used up', async () => {
    const shares = createSharesMemory(memoryShares(32 * MB), 1, 0);
    const budget = new FairShares(shares, 0);
    const roomOf = (keyId: string) => copyRoom(budget, holderOf({ tier: 'standard', keyId }, ''));
    const heldByKeys = () => sharesState(shares).keys.held;
    const [one, other, third] = [roomOf('key_1'), roomOf('key_2'), roomOf('key_3')];
    const scene = new Scene();
    const fast = await scene.open({ room: one });
    const oneCopy = heldByKeys();
    expect(other.reserve(6 * MB)).toBe(true);
    const slow = await scene.open({ room: other });
    fast.close();
    expect([pieceOf(slow), heldByKeys()]).toEqual(['piece', oneCopy + 6 * MB]);
    expect(one.reserve(6 * MB)).toBe(true);
    one.release(6 * MB);
    // What such readers hold together is limited to the share of one customer.
    expect(other.common?.reserve(6 * MB - oneCopy)).toBe(true);
    scene.move();
    const next = await scene.open({ room: third });
    const cutOff = await scene.open({ room: other });
    next.close();
    expect(() => pieceOf(cutOff)).toThrow(NoRoomError);
    expect(pieceOf(slow)).toBe('piece');
    for (const reader of [cutOff, slow]) reader.close();
    scene.monotonicMs = 1_001;
    scene.slates.expire();
    expect(heldByKeys()).toBe(12 * MB - oneCopy);
  });

  test('a customer gets its answer completely, even if the part of all keys is used up', async () => {
    const shares = createSharesMemory(memoryShares(32 * MB), 1, 0);
    const budget = new FairShares(shares, 0);
    const [one, other, third, fourth] = [1, 2, 3, 4].map((number) =>
      copyRoom(budget, holderOf({ tier: 'standard', keyId: `key_${number}` }, '')),
    );
    const heldByKeys = () => sharesState(shares).keys.held;
    const scene = new Scene();
    const fast = await scene.open({ room: one! });
    const oneCopy = heldByKeys();
    for (const room of [other!, third!, fourth!]) expect(room.reserve(6 * MB)).toBe(true);
    expect(one!.reserve(6 * MB - oneCopy)).toBe(true);
    const slow = await scene.open({ room: other! });
    fast.close();
    expect([pieceOf(slow), heldByKeys()]).toEqual(['piece', 24 * MB]);
    slow.close();
    scene.monotonicMs = 1_001;
    scene.slates.expire();
    expect(heldByKeys()).toBe(24 * MB - oneCopy);
  });

  test('a slow customer without room is cut off once the customer that the copy counts against has finished reading', async () => {
    const scene = new Scene();
    const fast = await scene.open();
    scene.otherRoom.max = 0;
    const slow = await scene.open({ room: scene.otherRoom });
    expect(pieceOf(slow)).toBe('piece');
    fast.close();
    expect([scene.room.held, scene.otherRoom.held, ...scene.rowCounts]).toEqual([0, 0, 0]);
    expect(() => pieceOf(slow)).toThrow(NoRoomError);
    slow.close();
    expect((await scene.open()).version).toBe(fast.version);
  });

  test('a customer without room never shares a recent copy of another customer', async () => {
    const scene = new Scene();
    const own = await scene.open({ room: scene.otherRoom });
    scene.otherRoom.max = scene.otherRoom.held;
    scene.move();
    await scene.open();
    scene.move();
    expect((await scene.open({ room: scene.otherRoom })).version).toBe(own.version);
    scene.monotonicMs = 5_001;
    await expect(scene.open({ room: scene.otherRoom })).rejects.toBeInstanceOf(NoRoomError);
  });

  test.each(['strangersRoom', 'freeRoom'] as const)(
    'if there is no room (%s), the oldest copy is dropped once it is no longer recent, and its slow readers are cut off',
    async (own) => {
      const scene = new Scene();
      const room = scene[own];
      const slow: WholeSlate[] = [];
      for (let round = 0; round < 3; round++) {
        slow.push(await scene.open({ room }));
        scene.move();
        scene.monotonicMs += 1_000;
      }
      room.max = room.held;
      const late = await scene.open({ room });
      expect(late.version).toBe(slow[2]!.version);
      scene.monotonicMs = 7_000;
      const fresh = await scene.open({ room });
      expect(fresh.version).toBeGreaterThan(slow[2]!.version);
      expect([room.held, ...scene.rowCounts]).toEqual([room.max, 0, 1, 1, 1]);
      expect(() => pieceOf(slow[0]!)).toThrow(NoRoomError);
      expect(pieceOf(slow[1]!)).toBe('piece');
      for (const reader of [...slow, late, fresh]) reader.close();
      scene.monotonicMs = 20_000;
      scene.slates.expire();
      expect(room.held).toBe(0);
    },
  );

  test('a piece of the answer is made only once if two readers need it', async () => {
    const scene = new Scene();
    const [one, other] = await Promise.all([scene.open(), scene.open()]);
    let made = 0;
    const piece = (whole: WholeSlate) =>
      whole.piece(
        'json',
        0,
        () => ++made,
        () => 1,
      );
    const shared = { piece: 1, isShared: true };
    expect([piece(one), piece(other)]).toEqual([shared, shared]);
    one.close();
    expect(piece(other)).toEqual({ piece: 2, isShared: false });
  });

  test('without room for another copy, a recent copy is shared; if there is no recent copy, the reader is refused before anything is copied', async () => {
    const scene = new Scene();
    await scene.open();
    scene.room.max = scene.room.held;
    scene.move();
    expect((await scene.open()).delta).toBeDefined();
    scene.monotonicMs = 5_001;
    await expect(scene.open()).rejects.toBeInstanceOf(NoRoomError);
    expect(scene.room.held).toBe(scene.room.max);
  });

  test('reserved bytes are released, in whatever order readers come and go', async () => {
    const acts = fc.array(fc.constantFrom('open', 'other', 'older', 'move', 'close', 'wait', 'expire'), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(acts, fc.infiniteStream(fc.nat()), async (acts, chosen) => {
        const scene = new Scene();
        const open: WholeSlate[] = [];
        for (const act of acts) {
          if (act === 'open' || act === 'older') open.push(await scene.open({ takesOlder: act === 'older' }));
          else if (act === 'other') open.push(await scene.open({ room: scene.otherRoom }));
          else if (act === 'move') scene.move();
          else if (act === 'wait') scene.monotonicMs += 600;
          else if (act === 'expire') scene.slates.expire();
          else open.splice(chosen.next().value % Math.max(1, open.length), 1)[0]?.close();
        }
        for (const whole of open) whole.close();
        scene.monotonicMs += 10_000;
        scene.slates.expire();
        expect([scene.room.held, scene.otherRoom.held]).toEqual([0, 0]);
      }),
    );
  });
});
