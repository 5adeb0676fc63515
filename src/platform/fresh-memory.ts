// Zeroed shared memory of which only the pages in use are resident: for the server's store, and for stores
// into which recorded prices are replayed from time to time. A new `SharedArrayBuffer` may get memory that a
// collected one used before. The allocator then writes zeros over all of it, so all of it is resident, even
// after this buffer is collected too. A WebAssembly memory is always newly mapped, and the system takes it
// back afterwards. Do not use it where many stores are made: tests with a store for every case took a hundred
// seconds instead of one.
//
// Measured by playing a day of 430 fixtures twice, each time into a store of 297 MB of which 60 MB are used.
// From the second time on, the process had 530 MB resident, but only 270 MB with WebAssembly memories; reads
// and writes were equally fast. `bun test/faults/run-attacks.ts alertRules --rounds 4` repeats it. Also, with
// `SharedArrayBuffer`, 3 of 75 servers had 270 MB more resident than the others from their start: the unused
// part of their store. This file may be removed when each `SharedArrayBuffer` gets new memory.

const PAGE_BYTES = 65_536;

/** Zeroed memory of `byteCount` bytes, rounded up to whole pages. */
export function freshMemory(byteCount: number): SharedArrayBuffer {
  const pages = Math.ceil(byteCount / PAGE_BYTES);
  const { buffer } = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  return buffer as ArrayBufferLike as SharedArrayBuffer;
}
