// A WebSocket as streams see it.

/** Receives the events of one WebSocket. */
export interface SocketHandler {
  opened(socket: Socket): void;
  received(message: string | Uint8Array): void;
  /** Called when the socket's buffer has been sent to the network. */
  drained(): void;
  /** Called when the client has sent a ping of the protocol, which Bun answers by itself. */
  pinged(): void;
  /** Called when the client has answered the ping with this text. */
  ponged(text: string): void;
  closed(): void;
}

/** One open WebSocket: the part of Bun's interface that we use. */
export type Socket = Pick<
  Bun.ServerWebSocket<SocketHandler>,
  'send' | 'ping' | 'close' | 'terminate' | 'getBufferedAmount'
>;
