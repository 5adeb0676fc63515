// The SDK answers 2025-era calls with an event stream even if it holds only the answer. If the first event of
// a stream is the answer, the stream is converted to plain JSON, which proxies, deadlines and clients handle
// better. Other streams pass unchanged.

const EVENT_END = '\n\n';

/** The part of a stream reader that is used here; bun-types and the DOM types differ in the rest. */
interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/**
 * Converts an event stream whose first event is the answer to plain JSON. Any other response is passed on
 * unchanged.
 */
export async function singleAnswerAsJson(response: Response): Promise<Response> {
  if (!isEventStream(response) || response.body === null) return response;
  const reader: ByteReader = response.body.getReader();
  const decoder = new TextDecoder();
  const chunks: Uint8Array[] = [];
  let text = '';
  while (!text.includes(EVENT_END)) {
    const { done, value } = await reader.read();
    if (done || value === undefined) break;
    chunks.push(value);
    text += decoder.decode(value, { stream: true });
  }
  const answer = answerOf(text);
  if (answer === null) return new Response(rejoin(chunks, reader), response);
  // The SDK ends the stream after the answer. Reading to the end lets the SDK release the request's
  // resources.
  await reader.read();
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  headers.delete('connection');
  return new Response(answer, { status: response.status, headers });
}

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/** The data of the first event if it is the answer to a request, otherwise null. */
function answerOf(text: string): string | null {
  const event = text.slice(0, text.indexOf(EVENT_END));
  const data = event.split('\n').find((line) => line.startsWith('data: '));
  if (data === undefined) return null;
  const json = data.slice('data: '.length);
  const message: unknown = json === '' ? null : JSON.parse(json);
  const isAnswer =
    typeof message === 'object' && message !== null && ('result' in message || 'error' in message);
  return isAnswer ? json : null;
}

function rejoin(chunks: readonly Uint8Array[], reader: ByteReader): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks[next++];
      if (chunk !== undefined) return controller.enqueue(chunk);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
