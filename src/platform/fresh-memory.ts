// Zeroed shared memory of which only the pages in use are resident, for a store that is made now and then.
// A `SharedArrayBuffer` is that only where the allocator has never used its memory before. A second one may
// get the memory of a first one that has been collected: then the allocator writes zeros over all of it, and
// keeps it resident even when it is collected too. The system maps new memory for each WebAssembly memory,
// and gets it back. This is nothing for code that makes many: tests that make a store for every case took a
// hundred seconds with it instead of one.
//
// Measured by playing a day of 430 fixtures twice, each time into a store of 297 MB of which 60 are used:
// 530 MB resident the second time and from then on, 270 with a WebAssembly memory. The same speed of reads
// and writes. `bun test/faults/run-attacks.ts alertRules --rounds 4` repeats it. It may be removed when
// each `SharedArrayBuffer` gets new memory.

const PAGE_BYTES = 65_536;

/** Zeroed memory of so many bytes, rounded up to whole pages. */
export function freshMemory(byteCount: number): SharedArrayBuffer {
  const pages = Math.ceil(byteCount / PAGE_BYTES);
  const { buffer } = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  return buffer as ArrayBufferLike as SharedArrayBuffer;
}
