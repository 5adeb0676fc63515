// Server-sent events out of the body of an answer, one at a time: what is not read yet stays with the server, which then
// sends the last state once instead of everything that was missed.

import { tooLarge } from './transport.ts';

export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * The events of a body, in order. Ends when the server closes it; an event that was cut short is not told.
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
        if (index === lines.length - 1) break; // The rest of it is still to come.
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
    await reader.cancel().catch(() => undefined); // It may have broken already.
  }
}
