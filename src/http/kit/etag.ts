// Comparing entity tags (RFC 9110, section 13.1.2): weak comparison, lists and the wildcard.

/** Whether an If-None-Match header names `etag`. @param etag with its quotes */
export function etagMatches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  if (!ifNoneMatch.includes(etag)) return false;
  return ifNoneMatch.split(',').some((part) => withoutWeakness(part.trim()) === etag);
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
