// A customer's requests during an attack, one after the other over one connection. They are sent from a
// separate thread, so that the attackers' work in the test process does not delay the customer's clock.

declare const self: Worker;

export interface CustomerOrder {
  readonly url: string;
  readonly key: string;
  readonly paths: readonly string[];
  readonly pauseMs: number;
  readonly seconds: number;
}

export interface CustomerReport {
  readonly timesMs: readonly number[];
  /** How often each status was answered; `broken` counts connections that broke off. */
  readonly statuses: Readonly<Record<string, number>>;
}

self.onmessage = async ({ data }: MessageEvent<CustomerOrder>) => {
  self.postMessage(await requests(data));
};

async function requests({ url, key, paths, pauseMs, seconds }: CustomerOrder): Promise<CustomerReport> {
  const timesMs: number[] = [];
  const statuses: Record<string, number> = {};
  const headers = { authorization: `Bearer ${key}` };
  const endMs = performance.now() + seconds * 1_000;
  for (let turn = 0; performance.now() < endMs; turn++) {
    const startMs = performance.now();
    const status = await fetch(`${url}${paths[turn % paths.length]!}`, { headers })
      .then((response) => response.arrayBuffer().then(() => response.status))
      .catch(() => 'broken');
    timesMs.push(performance.now() - startMs);
    statuses[status] = (statuses[status] ?? 0) + 1;
    await Bun.sleep(pauseMs);
  }
  return { timesMs, statuses };
}
