// Polymarket's score channel: sends the state of every game of the site to each connection, without a
// subscription.

import { jsonOrUndefined } from '../../parse-json.ts';
import { LiveSocket } from '../contracts/live-socket.ts';
import type { SocketTools } from './market-socket.ts';
import { isScoreFrame, type ScoreFrame } from './messages.ts';

export interface ScoreSocketOptions extends SocketTools {
  readonly url: string;
  readonly score: (frame: ScoreFrame) => void;
}

/**
 * How long the channel may be silent. About forty frames a minute were seen, and times without any game are
 * short.
 */
const SILENCE_MAX_MS = 120_000;

export function openScoreSocket(options: ScoreSocketOptions): LiveSocket {
  const socket: LiveSocket = new LiveSocket({
    ...options,
    name: 'polymarket-scores',
    ping: null,
    silenceMaxMs: SILENCE_MAX_MS,
    opened: () => {},
    text: (text) => {
      // The server's ping is documented, but none was seen in five minutes.
      if (text === 'ping') socket.send('pong');
      const frame = jsonOrUndefined(text);
      if (isScoreFrame(frame)) options.score(frame); // sports without games of this kind send other shapes
    },
    closed: () => {},
  });
  return socket;
}
