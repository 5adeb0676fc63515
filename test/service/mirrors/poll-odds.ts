// One poll of the odds by a mirror.

interface PolledText {
  readonly status: number;
  readonly text: string;
  readonly tookMs: number;
}

/**
 * Requests the changes since `cursor`, or everything.
 * @returns null when there was no answer: the connection broke, or `maxMs` was over
 */
export async function pollOdds(options: {
  readonly url: string;
  readonly key: string;
  readonly cursor: string | null;
  readonly maxMs: number;
}): Promise<PolledText | null> {
  const { url, key, cursor, maxMs } = options;
  const startMs = performance.now();
  try {
    const response = await fetch(`${url}/v1/odds${cursor === null ? '' : `?since=${cursor}`}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(maxMs),
    });
    return { status: response.status, text: await response.text(), tookMs: performance.now() - startMs };
  } catch {
    return null; // the caller counts null
  }
}
