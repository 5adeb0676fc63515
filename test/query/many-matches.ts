// The names of the sides of many matches, each of which is different.

/** The home side of a match. @param index below 676 */
export function homeOf(index: number): string {
  return `Side ${String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))}`;
}

export function awayOf(index: number): string {
  return `Guest ${index}`;
}
