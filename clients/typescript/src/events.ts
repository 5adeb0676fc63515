// Reads server-sent events from a response body, one at a time, as fast as the program takes them. A server
// whose reader is slow sends the latest state once instead of every missed event.

export interface StreamEvent {
  readonly name: string;
  /** The shape depends on the event's name. */
  readonly data: unknown;
}

/**
 * The events of a body, in order, until the server closes it. An incomplete last event is dropped.
 * @param check called with the number of characters of each event, and of what has arrived of an incomplete
 * one; it may throw
 * @throws when the connection breaks
 */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  check?: (chars: number) => void,
): AsyncGenerator<StreamEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += value;
      // A piece without a newline ends no event, so a long event is not searched again for each such piece.
      const blocks = value.includes('\n') ? rest.replaceAll('\r', '').split('\n\n') : [rest];
      rest = blocks.pop()!;
      for (const block of blocks) {
        check?.(block.length);
        const [, name = ''] = /^event: (.*)/m.exec(block) ?? [];
        const [, data] = /^data: (.*)/m.exec(block) ?? [];
        if (data) yield { name, data: JSON.parse(data) as unknown };
      }
      check?.(rest.length);
    }
  } finally {
    await reader.cancel().catch(() => undefined); // The connection may already be broken.
  }
}

/** The cursor to resume from after an event; null if the event does not move it. */
export function cursorAfter({ data }: StreamEvent): string | null {
  // Only a delta has `to`, and only a snapshot has a last part.
  const { last, cursor, to } = data as {
    readonly last?: boolean;
    readonly cursor: string;
    readonly to?: string;
  };
  return to ?? (last ? cursor : null);
}
