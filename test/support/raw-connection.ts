// A connection to which a test writes the bytes itself: pipelined requests, odd paths, and truncated
// requests, none of which `fetch` would send. It may also read nothing for a while.

interface RawOptions {
  readonly hostname?: string;
  /** Whether the connection reads from the start. If not, it reads nothing until `startReading`. */
  readonly reads?: boolean;
  /** How many of the last received characters are kept. Default: all. */
  readonly charsMax?: number;
}

export class RawConnection {
  received = '';
  isClosed = false;
  #socket!: Bun.Socket;
  #changed = Promise.withResolvers<void>();

  private constructor() {}

  static async open(
    port: number,
    { hostname = '127.0.0.1', reads = true, charsMax = Number.POSITIVE_INFINITY }: RawOptions = {},
  ): Promise<RawConnection> {
    const self = new RawConnection();
    self.#socket = await Bun.connect({
      hostname,
      port,
      socket: {
        data: (_socket, data) => {
          self.received = (self.received + data.toString('latin1')).slice(-charsMax);
          self.#change();
        },
        close: () => {
          self.isClosed = true;
          self.#change();
        },
        error: () => undefined,
      },
    });
    if (!reads) self.#socket.pause();
    return self;
  }

  /** Sends as many bytes as the connection accepts. */
  send(data: string | Uint8Array): void {
    this.#socket.write(data);
  }

  startReading(): void {
    this.#socket.resume();
  }

  /** Cuts the connection without closing it in the usual way. */
  end(): void {
    this.#socket.terminate();
  }

  /** Statuses of the answers received. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  /**
   * Returns what was received, as soon as `isComplete` returns true for it, or when the connection is closed.
   */
  async answer(isComplete: (received: string) => boolean): Promise<string> {
    while (!this.isClosed && !isComplete(this.received)) await this.#changed.promise;
    return this.received;
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
