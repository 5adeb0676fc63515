// Zeroed shared memory of which only the pages in use are resident, for a store: that of the server, and
// those that are made now and then to play the past. A new `SharedArrayBuffer` may get memory that a
// collected one used before. The allocator then writes zeros over all of it, so all of it is resident,
// even after this buffer is collected too. For each WebAssembly memory the system maps new memory, and
// takes it back afterwards. Do not use it for code that makes many stores: tests that make one for every
// case took a hundred seconds instead of one.
//
// Measured by playing a day of 430 fixtures twice, each time into a store of 297 MB of which 60 are used.
// From the second time on 530 MB were resident, and 270 with a WebAssembly memory. Reads and writes had
// the same speed. Three of some 75 servers had 270 MB more resident than the others from their start, as
// much as their store of 313 MB leaves unused. `bun test/faults/run-attacks.ts alertRules --rounds 4`
// repeats the first. It may be removed when each `SharedArrayBuffer` gets new memory.

const PAGE_BYTES = 65_536;

/** Zeroed memory of so many bytes, rounded up to whole pages. */
export function freshMemory(byteCount: number): SharedArrayBuffer {
  const pages = Math.ceil(byteCount / PAGE_BYTES);
  const { buffer } = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  return buffer as ArrayBufferLike as SharedArrayBuffer;
}
