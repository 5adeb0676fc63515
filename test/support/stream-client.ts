// A client of GET /v1/stream. It keeps the events that it receives, and waits for more.

import { until } from './condition.ts';

export interface StreamEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: Record<string, unknown>;
}

interface StreamOptions {
  readonly query: string;
  readonly key: string | null;
  readonly headers?: Record<string, string> | undefined;
}

/** One open stream. */
export class StreamClient {
  readonly events: StreamEvent[] = [];
  readonly status: number;
  readonly headers: Headers;
  readonly #abort: AbortController;
  readonly done: Promise<void>;

  private constructor(response: Response, abort: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.#abort = abort;
    this.done = this.#read(response).catch((error: unknown) => {
      if (!abort.signal.aborted) throw error;
    });
  }

  static async open(url: string, { query, key, headers = {} }: StreamOptions): Promise<StreamClient> {
    const abort = new AbortController();
    const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/v1/stream?${query}`, {
      headers: { ...authorization, ...headers },
      signal: abort.signal,
    });
    return new StreamClient(response, abort);
  }

  async next(event: string, count = 1): Promise<StreamEvent> {
    const found = (): StreamEvent[] => this.events.filter((one) => one.event === event);
    await until(`${count} of ${event}`, () => found().length >= count);
    return found()[count - 1]!;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.done;
  }

  async #read(response: Response): Promise<void> {
    for await (const event of eventsOf(response)) this.events.push(event);
  }
}

/** The events of a stream as they arrive. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop()!;
    for (const part of parts) if (part.startsWith('event:')) yield eventOf(part);
  }
}

/** @param part an event as it was received, without the empty line after it */
export function eventOf(part: string): StreamEvent {
  const fields = new Map(
    part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const data = JSON.parse(fields.get('data')!) as Record<string, unknown>;
  return { event: fields.get('event')!, id: fields.get('id') ?? null, data };
}
