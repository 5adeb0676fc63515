// Makes an animated GIF of a page. Chromium decodes the frames, gifenc encodes them. Each frame contains only
// the pixels that changed.

import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import type { Page } from 'playwright-core';

/** All frames share the colours of the last frame, and one more that means "unchanged". */
const COLORS = 63;

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray;
}

/** @param page any page, which is left blank @param frames PNG files of the same size */
export async function gifOf(page: Page, frames: readonly Buffer[], frameMs: number): Promise<Uint8Array> {
  await page.goto('about:blank');
  const decoded: Frame[] = [];
  for (const frame of frames) decoded.push(await decodedBy(page, frame));
  const gif = GIFEncoder();
  const palette = quantize(decoded.at(-1)!.rgba, COLORS);
  const unchanged = palette.length;
  let shown: Uint8Array | null = null;
  for (const { width, height, rgba } of decoded) {
    const indexes = applyPalette(rgba, palette);
    const drawn: Uint8Array = indexes.map((index, pixel) => (shown?.[pixel] === index ? unchanged : index));
    gif.writeFrame(drawn, width, height, {
      ...(shown === null ? { palette: [...palette, [0, 0, 0]] } : {}),
      delay: frameMs,
      transparent: true,
      transparentIndex: unchanged,
      dispose: 1,
    });
    shown = indexes;
  }
  gif.finish();
  return gif.bytes();
}

/** The code is passed as a text, because types for these browser objects are missing here. */
async function decodedBy(page: Page, png: Buffer): Promise<Frame> {
  const { width, height, pixels } = await page.evaluate<{ width: number; height: number; pixels: string }>(
    `(async () => {
      const image = new Image();
      image.src = 'data:image/png;base64,${png.toString('base64')}';
      await image.decode();
      const { width, height } = image;
      const context = new OffscreenCanvas(width, height).getContext('2d');
      context.drawImage(image, 0, 0);
      const blob = new Blob([context.getImageData(0, 0, width, height).data]);
      const url = await new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.readAsDataURL(blob);
      });
      return { width, height, pixels: url.slice(url.indexOf(',') + 1) };
    })()`,
  );
  return { width, height, rgba: new Uint8ClampedArray(Buffer.from(pixels, 'base64')) };
}
