/** @returns the turns of the event loop during the work @param inEach called in each of them */
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
