// How much chance a test plays. Each run of the suite draws other cases, so that many small runs find what
// one large run would.

const FACTOR = Number(process.env.RUNS ?? 1);

/** This many random cases, or seconds of them; `RUNS=20 bun test <file>` plays twenty times as many. */
export function runs(count: number): number {
  return Math.ceil(count * FACTOR);
}
