// The package has no types.

declare module 'bz2' {
  /**
   * Unpacks bzip2. @param checkCRC whether checksums are compared @throws Error when the bytes are damaged
   */
  export function decompress(bytes: Uint8Array, checkCRC?: boolean): Uint8Array;
}
