// How many bytes a cache hit leaves to the garbage collector, summed over all threads of a server, and the
// longest pause of any thread for a collection. Both come from JavaScriptCore's own log of collections
// (BUN_JSC_logGC).

import { runWrk, toRequestsFile } from './load.ts';
import type { BenchSite } from './site.ts';

export interface GarbageResult {
  readonly server: 'ours' | 'bare' | 'reference';
  readonly bytesPerRequest: number;
  readonly longestPauseMs: number;
}

const LOGS_COLLECTIONS = { BUN_JSC_logGC: '1' };
const SLATE = { fixtures: 60, quotesPerFixture: 15 };
const WARM_SECONDS = 2;

export async function measureGarbage(site: BenchSite, seconds: number): Promise<GarbageResult[]> {
  const service = await site.startService({ ...SLATE, environment: LOGS_COLLECTIONS });
  const path = `/v1/events/${(await service.eventIds())[0]}/odds`;
  const answer = site.path('garbage-answer.json');
  const keys = site.path('garbage-keys.txt');
  await Bun.write(answer, await (await service.get(path)).bytes());
  await Bun.write(keys, service.keys.join('\n'));
  const other = (name: string, ...words: string[]) =>
    site.start([process.execPath, `${import.meta.dir}/${name}-server.ts`, ...words], LOGS_COLLECTIONS);
  const servers = [
    ['ours', service.url],
    ['bare', await other('bare', answer)],
    ['reference', await other('reference', answer, keys)],
  ] as const;
  const requests = site.path('garbage-requests');
  const headersOf = (key: string) => ({ authorization: `Bearer ${key}` });
  await Bun.write(requests, toRequestsFile(service.keys.map((key) => ({ path, headers: headersOf(key) }))));
  const results: GarbageResult[] = [];
  for (const [server, url] of servers) {
    await runWrk(url, requests, WARM_SECONDS);
    const before = (await site.logOf(url)).length;
    const { count } = await runWrk(url, requests, seconds);
    const { bytes, longestPauseMs } = collectionsIn((await site.logOf(url)).slice(before));
    results.push({ server, bytesPerRequest: bytes / count, longestPauseMs });
  }
  service.end();
  console.log('garbage', JSON.stringify(results));
  return results;
}

/**
 * Adds up the collections in a log: by how much the heap of each thread had grown since its last collection.
 */
function collectionsIn(log: string): { readonly bytes: number; readonly longestPauseMs: number } {
  const leftKbByHeap = new Map<string, number>();
  let kilobytes = 0;
  let longestPauseMs = 0;
  const collections = log.matchAll(/\[GC<(0x[0-9a-f]+)>: START M (\d+)kb .*?=> (\d+)kb, p=([\d.]+)ms/g);
  for (const [, heap = '', before, after, pause] of collections) {
    const left = leftKbByHeap.get(heap);
    if (left !== undefined) kilobytes += Math.max(0, Number(before) - left);
    leftKbByHeap.set(heap, Number(after));
    longestPauseMs = Math.max(longestPauseMs, Number(pause));
  }
  return { bytes: kilobytes * 1024, longestPauseMs };
}
