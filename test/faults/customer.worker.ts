// A customer's requests during an attack, one after the other over one connection. They are sent from a
// separate thread, so that the attackers' work in the test process does not delay the customer's clock. The
// first requests of a new thread are slow because of its own start, so they are sent before the measurement.
// After its requests, the thread waits for the next order.

declare const self: Worker;

export interface CustomerOrder {
  readonly url: string;
  readonly key: string;
  readonly paths: readonly string[];
  readonly pauseMs: number;
}

export interface CustomerReport {
  readonly timesMs: readonly number[];
  /** How often each status was answered; `broken` counts connections that broke off. */
  readonly statuses: Readonly<Record<string, number>>;
}

/**
 * Sent when the thread is warm. The thread then waits for a message, and sends its requests until a second
 * message comes.
 */
export const WARM = 'warm';

const WARM_UP_REQUESTS = 5;

self.onmessage = takeOrder;

async function takeOrder({ data }: MessageEvent<CustomerOrder>): Promise<void> {
  await requests({ ...data, pauseMs: 0 }, (turn) => turn < WARM_UP_REQUESTS);
  const started = nextMessage();
  self.postMessage(WARM);
  await started;
  let isOver = false;
  const ended = nextMessage().then(() => {
    isOver = true;
  });
  const report = await requests(data, () => !isOver, ended);
  self.onmessage = takeOrder;
  self.postMessage(report);
}

function nextMessage(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  self.onmessage = () => resolve();
  return promise;
}

/** @param ended resolves when a pause should end early */
async function requests(
  { url, key, paths, pauseMs }: CustomerOrder,
  goesOn: (turn: number) => boolean,
  ended?: Promise<void>,
): Promise<CustomerReport> {
  const timesMs: number[] = [];
  const statuses: Record<string, number> = {};
  const headers = { authorization: `Bearer ${key}` };
  for (let turn = 0; goesOn(turn); turn++) {
    const startMs = performance.now();
    const status = await fetch(`${url}${paths[turn % paths.length]!}`, { headers })
      .then((response) => response.arrayBuffer().then(() => response.status))
      .catch(() => 'broken');
    timesMs.push(performance.now() - startMs);
    statuses[status] = (statuses[status] ?? 0) + 1;
    await (ended === undefined ? Bun.sleep(pauseMs) : Promise.race([Bun.sleep(pauseMs), ended]));
  }
  return { timesMs, statuses };
}
