// A stand-in for Betfair: the betting API's catalogue over HTTP and the stream over TCP, with its log-in, its
// `clk` numbers and its faults. Each change of the script is sent once; a client that resumes with a `clk`
// gets the changes after that.

import type { Socket } from 'bun';

export interface Change {
  readonly pt: number;
  readonly clk: string;
  readonly mc?: readonly unknown[];
  readonly [field: string]: unknown;
}

export interface StandInOptions {
  readonly catalogue: unknown;
  /** Answers requests for the catalogue in place of the stand-in. */
  readonly refusal?: () => Response;
  /** The changes of the script. The first is the image; each has a `clk` of its own. */
  readonly script: readonly Change[];
  readonly session?: string;
  /** Called after each change; the next one is sent once the returned promise is resolved. */
  readonly after?: (index: number, wire: StandInWire) => Promise<void> | void;
  /** Splits the stream into pieces of this many bytes. */
  readonly pieceBytes?: number;
}

interface StandInWire {
  /** Sends bytes unchanged. */
  raw(text: string): void;
  /** Cuts the connection. */
  cut(): void;
}

export class BetfairStandIn {
  readonly #options: StandInOptions;
  readonly #api: Bun.Server<unknown>;
  readonly #stream: Bun.TCPSocketListener<{ rest: string }>;
  readonly subscriptions: Record<string, unknown>[] = [];
  readonly catalogueRequests: { headers: Headers; body: unknown }[] = [];
  /** How many changes of the script have been sent. */
  sentCount = 0;
  /** The session token that is valid now. */
  session: string;
  readonly keptAlive: string[] = [];
  #connections = 0;

  constructor(options: StandInOptions) {
    this.#options = options;
    this.session = options.session ?? 'session';
    this.#api = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        if (request.url.endsWith('/api/keepAlive')) return this.#keepAlive(request);
        this.catalogueRequests.push({ headers: request.headers, body: await request.json() });
        if (options.refusal !== undefined) return options.refusal();
        const isRight = request.headers.get('x-authentication') === this.session;
        if (!isRight)
          return Response.json(
            { faultcode: 'Client', detail: { APINGException: { errorCode: 'INVALID_SESSION_INFORMATION' } } },
            { status: 400 },
          );
        return Response.json(options.catalogue);
      },
    });
    this.#stream = Bun.listen<{ rest: string }>({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open: (socket) => {
          socket.data = { rest: '' };
          this.#connections++;
          say(socket, { op: 'connection', connectionId: '001' });
        },
        data: (socket, bytes) => {
          const lines = (socket.data.rest + bytes.toString()).split('\r\n');
          socket.data.rest = lines.pop()!;
          for (const line of lines) this.#hear(socket, JSON.parse(line) as Record<string, unknown>);
        },
      },
    });
  }

  #keepAlive({ headers }: Request): Response {
    const token = headers.get('x-authentication') ?? '';
    this.keptAlive.push(token);
    const isRight = token === this.session;
    return Response.json({
      token,
      product: headers.get('x-application'),
      status: isRight ? 'SUCCESS' : 'FAIL',
      error: isRight ? '' : 'NO_SESSION',
    });
  }

  get environment(): Record<string, string> {
    return {
      BETFAIR_STREAM_URL: `tcp://127.0.0.1:${this.#stream.port}`,
      BETFAIR_API_URL: `http://127.0.0.1:${this.#api.port}`,
      BETFAIR_LOGIN_URL: `http://127.0.0.1:${this.#api.port}`,
      BETFAIR_APP_KEY: 'key',
      BETFAIR_SESSION: 'session',
      BETFAIR_SPORTS: 'football,basketball',
      BETFAIR_BOOKMAKER: 'sbobet',
    };
  }

  get connections(): number {
    return this.#connections;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stream.stop(true);
    await this.#api.stop(true);
  }

  #hear(socket: Socket<{ rest: string }>, message: Record<string, unknown>): void {
    const { id } = message;
    if (message.op === 'authentication') {
      const isRight = message.session === this.session && message.appKey === 'key';
      if (isRight) say(socket, { op: 'status', id, statusCode: 'SUCCESS', connectionClosed: false });
      else {
        say(socket, {
          op: 'status',
          id,
          statusCode: 'FAILURE',
          errorCode: 'INVALID_SESSION_INFORMATION',
          errorMessage: `session ${String(message.session)}`,
          connectionClosed: true,
        });
        socket.end();
      }
    } else if (message.op === 'marketSubscription') {
      this.subscriptions.push(message);
      say(socket, { op: 'status', id, statusCode: 'SUCCESS', connectionClosed: false });
      void this.#play(socket, message);
    }
  }

  async #play(socket: Socket<{ rest: string }>, { clk }: Record<string, unknown>): Promise<void> {
    const { script, after } = this.#options;
    const known = typeof clk === 'string' ? script.findIndex((change) => change.clk === clk) : -1;
    let isCut = false;
    const wire: StandInWire = {
      raw: (text) => void socket.write(text),
      cut: () => {
        isCut = true;
        socket.end(); // As in a network, what was written before the cut still arrives.
      },
    };
    if (known < 0 && this.sentCount > 0) {
      // The stand-in cannot send a snapshot of the middle of a script, so the script starts again.
      this.sentCount = 0;
    }
    for (let index = known + 1; index < script.length && !isCut && socket.readyState === 1; index++) {
      const kind =
        index === 0
          ? { ct: 'SUB_IMAGE', initialClk: 'initial' }
          : known >= 0 && index === known + 1
            ? { ct: 'RESUB_DELTA', initialClk: 'initial' }
            : {};
      const { ct: _ct, initialClk: _initialClk, ...change } = script[index]!;
      const text = `${JSON.stringify({ op: 'mcm', id: 2, ...change, ...kind })}\r\n`;
      const size = this.#options.pieceBytes ?? text.length;
      for (let at = 0; at < text.length; at += size) {
        await written(socket, text.slice(at, at + size));
      }
      this.sentCount = index + 1;
      await after?.(index, wire);
    }
    if (!isCut && this.sentCount === script.length)
      say(socket, {
        op: 'mcm',
        id: 2,
        ct: 'HEARTBEAT',
        clk: script.at(-1)!.clk,
        pt: script.at(-1)!.pt + 5_000,
      });
  }
}

/** Waits while the socket is full: a stream of megabytes does not fit its buffer. */
async function written(socket: Socket<{ rest: string }>, text: string): Promise<void> {
  let bytes = Buffer.from(text);
  while (bytes.length > 0 && socket.readyState === 1) {
    const count = socket.write(bytes);
    if (count < 0) return;
    bytes = bytes.subarray(count);
    if (bytes.length > 0) await Bun.sleep(1);
  }
}

function say(socket: Socket<{ rest: string }>, message: object): void {
  socket.write(`${JSON.stringify(message)}\r\n`);
}
