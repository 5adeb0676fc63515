// A copy of the slate that several readers share.

import { SharedBytes } from '../slate/shared-bytes.ts';
import { type CopyRoom, freeCopy, type SlateCopy } from '../slate/slate-copy.ts';
import type { OddsDelta } from './odds-delta.ts';

/** One view of a copy, for all its readers. */
export interface SharedView {
  readonly delta: OddsDelta;
  /** Unique among all views of all copies. */
  readonly name: string;
  readerCount: number;
}

export class SharedCopy extends SharedBytes {
  readonly copy: SlateCopy;
  readonly madeAtMs: number;
  readonly views = new Map<string, SharedView>();

  /** @param room where the bytes of the copy are reserved */
  constructor(copy: SlateCopy, madeAtMs: number, room: CopyRoom) {
    super(copy.byteCount, room, () => freeCopy(copy));
    this.copy = copy;
    this.madeAtMs = madeAtMs;
  }
}
