// Receives request bodies. A request takes a place in flight only after its body has arrived in full. Its
// bytes count against the memory budget from the start: the announced length, or the route's maximum if none
// is announced.
//
// A body from a caller without a key must arrive within seconds. If callers without a key use up their part
// of the budget, the oldest of their bodies is abandoned for a new one, if that body is stalled or its caller
// holds more than the caller of the new one. So clients that stall cannot shut out others. Memory that such
// callers hold for answers cannot be freed that way. If it leaves no room, bodies of log-ins and other
// account requests use a small reserve.

import type { FairShares, Holder } from '../../../access/quotas/fair-shares.ts';
import type { Clock } from '../../../clock.ts';
import { ServiceError } from '../../../errors.ts';
import { REQUEST_DEADLINE_MS } from '../../../limits.ts';
import { sharesOfThread } from '../../kit/in-flight.ts';
import { cutShort, tooLarge } from '../../kit/request/request-input.ts';
import { ChunkedBodies } from './chunked-bodies.ts';

/**
 * How long a body from a caller without a key may take to arrive. Then the answer is 503, and the connection
 * is closed.
 */
const STRANGER_ARRIVAL_MS = 5_000;
/** How long a body from a caller with a key may take to arrive. Then the answer is 503. */
const KEY_ARRIVAL_MS = REQUEST_DEADLINE_MS;
/**
 * When callers without a key have used up their part of the budget, the age at which one of their bodies may
 * be abandoned to make room for another caller's.
 */
const STALLED_AFTER_MS = 1_000;
const CHECK_EVERY_MS = 250;
/**
 * Bytes that are counted for a request in addition to its body, so that the number of tiny bodies is bounded
 * too.
 */
const REQUEST_BYTES = 4_096;
/**
 * A smaller chunk counts as this many bytes. Each chunk takes microseconds of the thread that answers polls,
 * and a client could send 64 KB one byte a chunk.
 */
const CHUNK_BYTES_MIN = 64;
/** Maximum number of waiting bodies in chunks that one check refuses. */
const WAITING_REFUSED_MAX = 5;
/**
 * Maximum number of unfinished bodies that are abandoned to make room for a new one. If that is not enough,
 * the new one is refused.
 */
const GIVE_WAY_MAX = 32;

/**
 * The reserve for bodies of account requests without a key, in bytes, per thread. It has room for 256 of the
 * largest, eight of them from one address. When it is used up, bodies that are stalled, or whose caller holds
 * more, are abandoned, as in the budget. If there are none, the answer is 503.
 */
const ACCOUNT_BYTES_MAX = 2 * 1024 * 1024;
const ACCOUNT_SHARES = {
  total: ACCOUNT_BYTES_MAX + 1,
  strangers: ACCOUNT_BYTES_MAX,
  address: ACCOUNT_BYTES_MAX / 32,
  network: ACCOUNT_BYTES_MAX / 8,
  key: 1,
  freeKeys: 1,
  freeAccount: 1,
};

/** A body that has arrived. */
export interface ReceivedBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Returns its memory to the budget. */
  release(): void;
}

/** Bytes that bodies reserve, and the unfinished bodies that have reserved some of them, oldest first. */
interface Room {
  readonly shares: FairShares;
  readonly arrivals: Set<Arrival>;
}

interface Arrival {
  readonly holder: Holder;
  readonly room: Room;
  readonly reserved: number;
  readonly startedAtMs: number;
  /** Whether the body is read only at its turn, because it is in chunks and from a caller without a key. */
  readonly isInTurn: boolean;
  /** When the turn of a body with `isInTurn` came; null before that, and for any other body. */
  chunksFromMs: number | null;
  readonly abandon: (error: ServiceError) => void;
}

export interface Arriving {
  readonly holder: Holder;
  /** The size of the body, as returned by `bodySizeOf` (body-size.ts). */
  readonly size: number;
  readonly bytesMax: number;
  /** Whether the reserve for account requests may be used. Default: no. */
  readonly usesReserve?: boolean;
}

export class BodyIntake {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** For bodies of callers without a key. */
  readonly #strangers: Room;
  /** For bodies of callers with a key. */
  readonly #keys: Room;
  /** For bodies of account requests without a key, if `#strangers` has no room for them. */
  readonly #accounts: Room;
  readonly #chunked: ChunkedBodies;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(clock: Pick<Clock, 'monotonicMs'>, budget: FairShares) {
    this.#clock = clock;
    this.#strangers = { shares: budget, arrivals: new Set() };
    this.#keys = { shares: budget, arrivals: new Set() };
    this.#accounts = { shares: sharesOfThread(ACCOUNT_SHARES), arrivals: new Set() };
    this.#chunked = new ChunkedBodies(clock);
  }

  /** Bodies that are still arriving. */
  get count(): number {
    return this.#strangers.arrivals.size + this.#keys.arrivals.size + this.#accounts.arrivals.size;
  }

  /**
   * Receives a body in full. A body that is refused is not read: the checks run before the first `await`.
   * @throws ServiceError 503 when there is no room for it or it does not arrive in time; 413 when it is too
   * large; 400 when it was cut short or its chunks are malformed. The connection must be closed after each of
   * these.
   */
  async receive(request: Request, arriving: Arriving): Promise<ReceivedBody> {
    const { holder, size, bytesMax } = arriving;
    if (size > bytesMax && Number.isFinite(size)) throw tooLarge(bytesMax);
    const reserved = Math.min(size, bytesMax) + REQUEST_BYTES;
    const room = this.#reserve(arriving, reserved);
    if (room === null) throw noRoom();
    const { shares, arrivals } = room;
    const { promise: abandoned, reject } = Promise.withResolvers<never>();
    const startedAtMs = this.#clock.monotonicMs();
    const isInTurn = size === Number.POSITIVE_INFINITY && !holder.hasKey;
    const times = { startedAtMs, chunksFromMs: null };
    const arrival: Arrival = { holder, room, reserved, isInTurn, ...times, abandon: reject };
    arrivals.add(arrival);
    this.#timer ??= setInterval(() => this.#dropLate(), CHECK_EVERY_MS);
    try {
      const read = (): Promise<Uint8Array<ArrayBuffer>> => readBytes(request, bytesMax);
      const bytes = await Promise.race([isInTurn ? this.#readInTurn(arrival, read) : read(), abandoned]);
      return { bytes, release: () => shares.release(holder, reserved) };
    } catch (error) {
      // The memory of an abandoned body has already been released.
      if (arrivals.has(arrival)) shares.release(holder, reserved);
      throw error;
    } finally {
      arrivals.delete(arrival);
      if (this.count === 0) this.close();
    }
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #readInTurn(arrival: Arrival, read: () => Promise<Uint8Array<ArrayBuffer>>) {
    const bytes = await this.#chunked.read(
      () => arrival.room.arrivals.has(arrival),
      () => {
        arrival.chunksFromMs = this.#clock.monotonicMs();
        return read();
      },
    );
    if (bytes === null) throw tooSlow();
    return bytes;
  }

  /** Reserves bytes for a body. @returns the room that has them; null if no room has space for the body */
  #reserve({ holder, usesReserve = false }: Arriving, bytes: number): Room | null {
    if (holder.hasKey) return this.#keys.shares.reserve(holder, bytes) ? this.#keys : null;
    const rooms = usesReserve ? [this.#strangers, this.#accounts] : [this.#strangers];
    const free = rooms.find(({ shares }) => shares.reserve(holder, bytes));
    return free ?? rooms.find((room) => this.#replaceStalled(room, holder, bytes)) ?? null;
  }

  /**
   * Makes room by abandoning bodies of callers without a key, oldest first, if they are stalled or their
   * caller holds more than the caller of the new body.
   */
  #replaceStalled({ shares, arrivals }: Room, holder: Holder, reserved: number): boolean {
    const nowMs = this.#clock.monotonicMs();
    const held = heldBy(shares, holder) + reserved;
    for (let tried = 0; tried < GIVE_WAY_MAX; tried++) {
      const oldest = arrivals.values().next().value;
      if (oldest === undefined || !this.#givesWay(oldest, held, nowMs)) return false;
      this.#abandon(oldest);
      if (shares.reserve(holder, reserved)) return true;
    }
    return false;
  }

  /** @param held what the caller of the new body would hold, including that body */
  #givesWay({ holder, room, startedAtMs }: Arrival, held: number, nowMs: number): boolean {
    return nowMs - startedAtMs >= STALLED_AFTER_MS || heldBy(room.shares, holder) > held;
  }

  #abandon(arrival: Arrival): void {
    const { holder, reserved, room } = arrival;
    room.arrivals.delete(arrival);
    room.shares.release(holder, reserved);
    arrival.abandon(tooSlow());
  }

  /**
   * While bodies in chunks wait for their turn, abandons those that are still incomplete a while after their
   * turn came. Also refuses a few that have waited too long: if it refused all, their clients would retry
   * together.
   */
  #dropChunked(nowMs: number): void {
    if (this.#chunked.waitingCount === 0) return;
    let refusedCount = 0;
    for (const arrival of [...this.#strangers.arrivals, ...this.#accounts.arrivals]) {
      const { isInTurn, chunksFromMs, startedAtMs } = arrival;
      if (!isInTurn || nowMs - (chunksFromMs ?? startedAtMs) < STALLED_AFTER_MS) continue;
      if (chunksFromMs === null && ++refusedCount > WAITING_REFUSED_MAX) continue;
      this.#abandon(arrival);
    }
  }

  #dropLate(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#dropChunked(nowMs);
    this.#chunked.startWaiting();
    for (const [{ arrivals }, withinMs] of [
      [this.#strangers, STRANGER_ARRIVAL_MS],
      [this.#accounts, STRANGER_ARRIVAL_MS],
      [this.#keys, KEY_ARRIVAL_MS],
    ] as const) {
      for (const arrival of arrivals) {
        if (nowMs - arrival.startedAtMs < withinMs) break;
        this.#abandon(arrival);
      }
    }
  }
}

/** What the caller holds of these shares. */
function heldBy(shares: FairShares, holder: Holder): number {
  const [subject] = holder.subjects;
  return subject === undefined ? 0 : shares.heldBy(holder, subject);
}

/** @throws ServiceError 413 as soon as more than `bytesMax` have arrived; 400 when the body ends too soon */
async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    if (request.headers.get('transfer-encoding') === null) return new Uint8Array(await request.arrayBuffer());
    const chunks: Uint8Array[] = [];
    let countedBytes = 0;
    if (request.body !== null) {
      for await (const chunk of request.body) {
        countedBytes += Math.max(chunk.byteLength, CHUNK_BYTES_MIN);
        if (countedBytes > bytesMax) throw tooLarge(bytesMax);
        chunks.push(chunk);
      }
    }
    return new Uint8Array(Buffer.concat(chunks));
  } catch (error) {
    // Every other error is caused by the client: it disconnected, or its chunks are malformed.
    throw error instanceof ServiceError ? error : cutShort();
  }
}

/** The error when the share of the caller, or of all callers without a key, is used up. */
function noRoom(): ServiceError {
  return new ServiceError(
    'upstream_unavailable',
    'Cannot take the body: too many bodies are being received',
    {
      fix: 'Send the body without pauses, and retry with fewer requests at a time',
      retryAfterSeconds: 1,
      headers: { connection: 'close' },
    },
  );
}

function tooSlow(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer in time: the body did not arrive', {
    fix: 'Send the whole body without pauses',
    retryAfterSeconds: 1,
    headers: { connection: 'close' },
  });
}
