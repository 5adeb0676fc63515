// Frames that several readers of a signal channel are sent, each made when a reader gets to it. A view has up
// to 2,000 signals: to make all frames at once would stop the thread, and to keep them until the slowest
// client has read them would take megabytes for each slow client.

import type { LruCache } from '../../query/lru-cache.ts';
import { SharedBytes } from '../../query/slate/shared-bytes.ts';
import { type CopyRoom, NoRoomError } from '../../query/slate/slate-copy.ts';
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
  /** The bytes of what the frames are made from. They are reserved in `room`; the last source frees them. */
  readonly byteCount: number;
  readonly room: CopyRoom;
}

export class LazyFrames {
  readonly #count: number;
  readonly #kept: LruCache<Frame>;
  readonly #name: string;
  readonly #bytes: SharedBytes;
  /** Null once the bytes are freed. */
  #make: ((index: number) => Frame) | null;
  #readerCount = 0;

  constructor({ count, make, kept, name, byteCount, room }: LazyFramesOptions) {
    this.#count = count;
    this.#make = make;
    this.#kept = kept;
    this.#name = name;
    this.#bytes = new SharedBytes(byteCount, room, () => {
      this.#make = null;
    });
  }

  /** False once the bytes are freed, with the last source: there can be no further source. */
  get isOpen(): boolean {
    return this.#make !== null;
  }

  /** The frames for one reader. @param room the part of the budget of this reader */
  source(room: CopyRoom): FrameSource {
    let next = 0;
    let isOpen = true;
    const reading = this.#bytes.enter(room);
    this.#readerCount += 1;
    return {
      next: () => (next < this.#count ? this.#at(next++) : null),
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#readerCount -= 1;
        this.#bytes.leave(reading);
        if (this.#readerCount === 0) this.#bytes.free();
      },
    };
  }

  #at(index: number): Frame {
    const make = this.#make;
    if (make === null) throw new NoRoomError();
    if (this.#readerCount < 2) return make(index);
    const key = `${this.#name} ${index}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const frame = make(index);
    this.#kept.set(key, frame, BYTES_KEPT_PER_BYTE * frame.bytes.length);
    return frame;
  }
}
