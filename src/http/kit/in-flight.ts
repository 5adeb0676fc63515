// How many answers are being made or sent, in total and per client, so that slow readers cannot fill memory. A small
// answer that is ready at once is not counted here: it goes straight to the socket, and serve.ts bounds how many
// requests Bun may have pending.

import { ServiceError } from '../../errors.ts';

export interface InFlightLimits {
  readonly total: number;
  readonly perClient: number;
}

export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #perClient = new Map<string, number>();
  #total = 0;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /**
   * Takes a place; the caller gives it back with `leave`.
   * @throws ServiceError 503 when the client's places, or all, are taken
   */
  enter(client: string): void {
    const held = this.#perClient.get(client) ?? 0;
    if (held >= this.#limits.perClient || this.#total >= this.#limits.total) throw busy();
    this.#perClient.set(client, held + 1);
    this.#total += 1;
  }

  leave(client: string): void {
    const held = this.#perClient.get(client) ?? 0;
    if (held <= 1) this.#perClient.delete(client);
    else this.#perClient.set(client, held - 1);
    this.#total -= 1;
  }
}

/** Answers being made or sent, per thread. Full: 503 and retry. */
export const IN_FLIGHT_MAX = 2_048;
/** The same, of one client address. Full: 503 and retry. */
const IN_FLIGHT_PER_CLIENT_MAX = 128;

export function createInFlight({
  total = IN_FLIGHT_MAX,
  perClient = IN_FLIGHT_PER_CLIENT_MAX,
}: {
  readonly total?: number | undefined;
  readonly perClient?: number | undefined;
}): InFlight {
  return new InFlight({ total, perClient });
}

/** Places of requests whose body is still on its way. */
export interface BodyPlaces {
  /** Of /platform. */
  readonly account: InFlight;
  readonly other: InFlight;
}

/**
 * Bodies that are being received, per thread. A client that sends one slowly takes a place here and none of those that
 * answers have, so it delays nobody's polls. Full: 503 and retry.
 */
export function createBodyPlaces(): BodyPlaces {
  return {
    account: new InFlight({ total: 256, perClient: 8 }),
    other: new InFlight({ total: 1_536, perClient: 128 }),
  };
}

/** The answer when every place is taken. */
export function busy(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer now: too many answers are in flight', {
    fix: 'Read answers to their end and retry with fewer requests at a time',
    retryAfterSeconds: 1,
  });
}

/** The place of one request: among the bodies that are received, in flight, or none. */
export class RequestPlace {
  readonly #inFlight: InFlight;
  #client = '';
  #isHeld = false;
  /** Where its place is while its body is received. */
  #bodyPlace: InFlight | null = null;
  #isSending = false;

  constructor(inFlight: InFlight) {
    this.#inFlight = inFlight;
  }

  /** Takes a place in flight. Does nothing for a request that has a place. @throws ServiceError 503 when there is none */
  hold(client: string): void {
    if (this.#isHeld || this.#bodyPlace !== null) return;
    this.#inFlight.enter(client);
    this.#client = client;
    this.#isHeld = true;
  }

  /** Takes a place among bodies. @throws ServiceError 503 when there is none */
  beginBody(bodies: InFlight, client: string): void {
    bodies.enter(client);
    this.#client = client;
    this.#bodyPlace = bodies;
  }

  endBody(): void {
    this.#bodyPlace?.leave(this.#client);
    this.#bodyPlace = null;
  }

  get isReceiving(): boolean {
    return this.#bodyPlace !== null;
  }

  /** Gives the place in flight back, unless a body is being sent. */
  release(): void {
    if (!this.#isHeld || this.#isSending) return;
    this.#isHeld = false;
    this.#inFlight.leave(this.#client);
  }

  /** Keeps a place in flight until the returned function is called: the body has been sent. @throws ServiceError 503 */
  send(client: string): () => void {
    this.hold(client);
    this.#isSending = true;
    return () => {
      this.#isSending = false;
      this.release();
    };
  }
}
