// Frames that several readers of a signal channel are sent, each made when a reader gets to it. A view has up
// to 2,000 signals: to make all frames at once would stop the thread, and to keep them until the slowest
// client has read them would take megabytes for each slow client.

import type { LruCache } from '../../query/lru-cache.ts';
import type { Frame, FrameSource } from '../frames.ts';

/**
 * Besides its bytes, four messages for WebSockets may be kept of a frame: JSON text and MessagePack, each
 * without and with the id of a subscription. If a name has a letter outside Latin-1, text takes two bytes for
 * each character. So they take seven bytes for each byte of the frame, and the eighth is for the ids.
 */
const BYTES_KEPT_PER_BYTE = 8;

interface LazyFramesOptions {
  readonly count: number;
  /** Makes a frame. It may be called again for a frame that is no longer kept, and then makes the same. */
  readonly make: (index: number) => Frame;
  /** Frames of all sets, for readers that follow one another closely. The weight is what they may take. */
  readonly kept: LruCache<Frame>;
  /** Unique among all sets of `kept`. */
  readonly name: string;
}

export class LazyFrames {
  readonly #options: LazyFramesOptions;
  #readerCount = 0;

  constructor(options: LazyFramesOptions) {
    this.#options = options;
  }

  source(): FrameSource {
    let next = 0;
    let isOpen = true;
    this.#readerCount += 1;
    return {
      next: () => (next < this.#options.count ? this.#at(next++) : null),
      close: () => {
        if (isOpen) this.#readerCount -= 1;
        isOpen = false;
      },
    };
  }

  #at(index: number): Frame {
    const { make, kept, name } = this.#options;
    if (this.#readerCount < 2) return make(index);
    const key = `${name} ${index}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const frame = make(index);
    kept.set(key, frame, BYTES_KEPT_PER_BYTE * frame.bytes.length);
    return frame;
  }
}
