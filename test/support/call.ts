// A request to a server and its answer, and the headers that every answer must have. It loads no part of the
// service, because many files call a server in another process.

/** An answer that was read to its end. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; null when there is no body, or it is not JSON. */
  readonly body: unknown;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export async function call(url: string, init: RequestInit = {}): Promise<Answered> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: jsonOf(text) };
}

/** The headers that an answer lacks. Every answer must have them, errors and 404s too. */
export function headerProblemsOf(
  { status, headers, text }: Answered,
  operation: { readonly path: string } | null,
): string[] {
  const problems: string[] = [];
  for (const name of ['limit', 'remaining', 'reset']) {
    const value = headers.get(`x-ratelimit-${name}`);
    if (!/^\d+$/.test(value ?? '')) problems.push(`X-RateLimit-${name} is ${value}`);
  }
  if (!/^[\w.-]{1,64}$/.test(headers.get('x-request-id') ?? '')) problems.push('no X-Request-Id');
  if (text !== '' && headers.get('content-type') !== JSON_TYPE) {
    problems.push(`content type is ${headers.get('content-type')}`);
  }
  if (operation?.path.startsWith('/v1/') && !/^app;dur=\d/.test(headers.get('server-timing') ?? '')) {
    problems.push('no Server-Timing');
  }
  if (status === 401 && headers.get('www-authenticate') === null)
    problems.push('401 without WWW-Authenticate');
  if ((status === 429 || status === 503) && headers.get('retry-after') === null) {
    problems.push(`${status} without Retry-After`);
  }
  if (status === 405 && headers.get('allow') === null) problems.push('405 without Allow');
  return problems;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // an empty body, a page, or a broken answer, which the check of the schema then reports
  }
}
