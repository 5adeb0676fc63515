/**
 * @returns how many turns the event loop made during the work
 * @param inEach called in each of these turns
 */
export async function turnsDuring(
  work: () => Promise<unknown>,
  inEach: () => unknown = () => null,
): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    inEach();
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}
