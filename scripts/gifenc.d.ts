// The part of gifenc that scripts/moving-picture.ts uses; the package has no types.

declare module 'gifenc' {
  type Palette = number[][];
  interface FrameOptions {
    /** Required for the first frame. Frames without a palette use that of the first. */
    readonly palette?: Palette;
    readonly delay: number;
    readonly transparent: boolean;
    readonly transparentIndex: number;
    /** 1: the next frame is drawn over this one. */
    readonly dispose: number;
  }
  interface Encoder {
    writeFrame(indexes: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  export function GIFEncoder(): Encoder;
  export function quantize(rgba: Uint8ClampedArray, colors: number): Palette;
  export function applyPalette(rgba: Uint8ClampedArray, palette: Palette): Uint8Array;
}
