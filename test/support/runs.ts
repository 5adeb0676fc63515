// How many random cases a test plays. Each run of the suite draws other cases, so many small runs find what
// one large run would find.

const FACTOR = Number(process.env.RUNS ?? 1);

/** `count` random cases, or seconds of them. `RUNS=20 bun test <file>` plays twenty times as many. */
export function runs(count: number): number {
  return Math.ceil(count * FACTOR);
}
