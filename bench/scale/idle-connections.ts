// Connections that send one request, read the whole response and then stay open and silent.

import type { Socket } from 'bun';

/** How many connections are opened at the same time. More would overflow the listen queue of the server. */
const AT_ONCE = 200;

interface IdleOptions {
  readonly url: string;
  readonly path: string;
  readonly nextKey: () => string;
}

/** Opens `count` connections. The server closes idle ones after some seconds, so measure immediately. */
export async function holdOpen(count: number, options: IdleOptions) {
  const sockets: Socket<undefined>[] = [];
  let closed = 0;
  for (let opened = 0; opened < count; opened += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - opened) }, () =>
      openOne(options, () => closed++),
    );
    sockets.push(...(await Promise.all(batch)));
  }
  return {
    /** How many connections are still open. */
    count: sockets.length - closed,
    close: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}

function openOne({ url, path, nextKey }: IdleOptions, onClose: () => void): Promise<Socket<undefined>> {
  const { hostname, port } = new URL(url);
  const answered = Promise.withResolvers<Socket<undefined>>();
  let head = '';
  let left = -1;
  void Bun.connect<undefined>({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => {
        socket.write(
          `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${nextKey()}\r\n\r\n`,
        );
      },
      data: (socket, bytes) => {
        if (left < 0) {
          head += Buffer.from(bytes).toString('latin1');
          const end = head.indexOf('\r\n\r\n');
          if (end < 0) return;
          if (!head.startsWith('HTTP/1.1 200'))
            answered.reject(new Error(`Cannot hold: ${head.slice(0, 80)}`));
          left = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (head.length - end - 4);
        } else {
          left -= bytes.byteLength;
        }
        if (left <= 0) answered.resolve(socket);
      },
      close: onClose,
      connectError: (_, error) => answered.reject(error),
    },
  }).catch((error: unknown) => answered.reject(error));
  return answered.promise;
}
