// The settings of Bun's WebSockets, which pass their events to the streams of their connection.

import type { SocketHandler } from '../../stream/connections/socket-handler.ts';

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
    ping: (socket) => socket.data.pinged(),
    pong: (socket, data) => socket.data.ponged(data.toString('latin1')),
    close: (socket) => socket.data.closed(),
  };
}
