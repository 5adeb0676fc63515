// Reads server-sent events from a response body, one at a time. Events that are not read yet stay with the
// server. A server with a slow reader sends the latest state once instead of every missed event.

import { tooLarge } from './transport.ts';

export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * The events of a body, in order, until the server closes it. An incomplete last event is dropped.
 * @throws when the connection breaks, or an event is longer than `charsMax`
 */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  charsMax: number,
): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let line = '';
  let event = '';
  let data: string[] = [];
  let chars = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = decoder.decode(value, { stream: true }).split('\n');
      chars += value.length;
      if (chars > charsMax) throw tooLarge('an event of the stream', charsMax);
      for (const [index, text] of lines.entries()) {
        line += text;
        if (index === lines.length - 1) break; // The rest of this line has not arrived yet.
        const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
        line = '';
        if (whole.startsWith('event: ')) event = whole.slice('event: '.length);
        else if (whole.startsWith('data: ')) data.push(whole.slice('data: '.length));
        else if (whole === '') {
          if (data.length > 0) yield { event, data: data.join('\n') };
          event = '';
          data = [];
          chars = 0;
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined); // The connection may already be broken.
  }
}
