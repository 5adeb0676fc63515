// WebSockets as the routes see them.

/** Receives the events of one WebSocket. */
export interface SocketHandler {
  opened(socket: Socket): void;
  received(message: string | Uint8Array): void;
  /** Bun's buffer has been sent to the network. */
  drained(): void;
  /** The client has answered the ping with this text. */
  ponged(text: string): void;
  closed(): void;
}

/** One open WebSocket. */
export type Socket = Bun.ServerWebSocket<SocketHandler>;

/** A client that answers no ping for this long is considered gone; an idle client still answers pings. */
const IDLE_TIMEOUT_S = 60;

/** Bun's settings for WebSockets. @param messageBytesMax a larger message ends the connection */
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
