// How many random cases a test plays. Each run of the suite draws different cases, so many small runs find
// what one large run would find.

const FACTOR = Number(process.env.RUNS ?? 1);

/**
 * Returns `count` times the factor RUNS: `RUNS=20 bun test <file>` plays twenty times as many random cases,
 * or lasts twenty times as long.
 */
export function runs(count: number): number {
  return Math.ceil(count * FACTOR);
}
