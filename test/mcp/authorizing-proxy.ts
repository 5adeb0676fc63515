// A proxy in front of a running server, for clients that cannot send a key: it adds the key and changes
// nothing else.

export interface AuthorizingProxy extends AsyncDisposable {
  readonly url: string;
}

/** @param target base address of the server, without a trailing slash */
export function authorizingProxy(target: string, key: string): AuthorizingProxy {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set('authorization', `Bearer ${key}`);
      const body = request.body === null ? null : await request.arrayBuffer();
      return await fetch(target + pathname + search, { method: request.method, headers, body });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
}
