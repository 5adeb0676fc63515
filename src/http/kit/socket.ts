// What a WebSocket is to the routes that open one.

/** Told of what happens on one WebSocket. */
export interface SocketHandler {
  opened(socket: Socket): void;
  received(message: string | Uint8Array): void;
  /** What was sent has gone into the network. */
  drained(): void;
  /** The client has read up to a ping of this text. */
  ponged(text: string): void;
  closed(): void;
}

/** One open WebSocket. */
export type Socket = Bun.ServerWebSocket<SocketHandler>;

/** A client that answers no ping for this long has gone; quiet ones that are there do answer. */
const IDLE_TIMEOUT_S = 60;

/** How Bun is to serve WebSockets. @param messageBytesMax larger messages end the connection */
export function socketOptions(messageBytesMax: number): Bun.WebSocketHandler<SocketHandler> {
  return {
    idleTimeout: IDLE_TIMEOUT_S,
    sendPings: true,
    maxPayloadLength: messageBytesMax,
    perMessageDeflate: true,
    open: (socket) => socket.data.opened(socket),
    message: (socket, message) => socket.data.received(message),
    drain: (socket) => socket.data.drained(),
    pong: (socket, data) => socket.data.ponged(data.toString('latin1')),
    close: (socket) => socket.data.closed(),
  };
}
