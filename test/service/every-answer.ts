// All answers of a server about its matches. Tests use it to compare two servers on one stopped clock.

/**
 * The body of each answer, and its tag without the part that differs between stores.
 * @param step 1 for the answers about every match, 3 for those about every third match
 */
export async function everyAnswer(
  { url, key }: { readonly url: string; readonly key: string },
  step = 1,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  const ask = async (path: string): Promise<string> => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
    const tag = response.headers.get('etag');
    if (tag !== null) answers[`${path} tag`] = tag.replace(/^"[a-z0-9]+/, '');
    const text = await response.text();
    answers[path] = `${response.status} ${text}`;
    return text;
  };
  let cursor = '';
  do {
    const page = JSON.parse(await ask(`/v1/events?limit=200${cursor}`)) as {
      readonly data: readonly { readonly id: string }[];
      readonly next_cursor?: string | null;
    };
    for (const { id } of page.data.filter((_, index) => index % step === 0)) {
      for (const what of ['', '/odds', '/opening', '/state']) await ask(`/v1/events/${id}${what}`);
    }
    cursor = page.next_cursor ? `&cursor=${encodeURIComponent(page.next_cursor)}` : '';
  } while (cursor !== '');
  await ask('/v1/results?limit=200');
  await ask('/health');
  return answers;
}
