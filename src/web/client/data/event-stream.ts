// Reads server-sent events from a response body. EventSource is not used: it cannot send an Authorization
// header and hides the status of a refused request.

export interface StreamEvent {
  readonly name: string;
  /** Its shape depends on the event name, see contract/stream/stream.ts. */
  readonly data: unknown;
}

/** The events of a body, in order, until the server closes it. @throws when the connection breaks */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== null) yield event;
    }
  }
}

function eventOf(block: string): StreamEvent | null {
  let name = 'message';
  let data: string | null = null;
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice('event: '.length);
    else if (line.startsWith('data: '))
      data = (data === null ? '' : `${data}\n`) + line.slice('data: '.length);
  }
  return data === null ? null : { name, data: JSON.parse(data) as unknown };
}
