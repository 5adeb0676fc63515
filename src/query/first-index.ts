// Binary search.

/**
 * The first index from 0 for which `isReached` holds, `count` if there is none. It must also hold for every
 * later index.
 */
export function firstIndex(count: number, isReached: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
