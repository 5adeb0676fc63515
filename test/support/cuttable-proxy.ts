// A TCP proxy in front of a service, which a test can cut: open connections break, and new ones are refused
// until the test restores it.

import { createConnection, createServer, type Server, type Socket } from 'node:net';

export class CuttableProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #target: URL;

  private constructor(server: Server, port: number, target: URL) {
    this.#server = server;
    this.#target = target;
    this.url = `http://127.0.0.1:${port}`;
    server.on('connection', (socket) => {
      if (this.#isCut) {
        socket.destroy();
        return;
      }
      const upstream = createConnection(Number(this.#target.port), this.#target.hostname);
      for (const one of [socket, upstream]) {
        this.#sockets.add(one);
        // This proxy breaks connections on purpose, so a broken connection is not reported.
        one.on('error', () => one.destroy());
        one.on('close', () => this.#sockets.delete(one));
      }
      socket.on('close', () => upstream.destroy());
      upstream.on('close', () => socket.destroy());
      socket.pipe(upstream);
      upstream.pipe(socket);
    });
  }

  static async to(url: string): Promise<CuttableProxy> {
    const server = createServer();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('Cannot listen: no port');
    return new CuttableProxy(server, address.port, new URL(url));
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** From now on, new connections go to another service. */
  retarget(url: string): void {
    this.#target = new URL(url);
  }

  restore(): void {
    this.#isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    await promise;
  }
}
