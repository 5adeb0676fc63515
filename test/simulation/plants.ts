// Bugs that the simulation must find, each a change to the text of a source file. The change is made when the
// simulation's process loads the file; the file on disk stays as it is. A change that no longer fits its file
// is an error.

import { join } from 'node:path';
import { plugin } from 'bun';

interface Plant {
  readonly file: string;
  readonly changes: readonly { readonly from: string; readonly to: string }[];
}

export const PLANTS: Readonly<Record<string, Plant>> = {
  'publish-before-the-copy': {
    file: 'src/store/writer/draft-pages.ts',
    changes: [
      {
        from: 'copyPage(this.#views, source, page);',
        to: `this.#pool.seal(page); Atomics.store(this.#views.slotPage, slot, page);
    copyPage(this.#views, source, page);
    Atomics.store(this.#views.slotPage, slot, source); Atomics.add(this.#views.pageGeneration, page, 1);`,
      },
    ],
  },
  'forget-a-tombstone': {
    file: 'src/store/writer/slot-turnover.ts',
    changes: [{ from: 'noteDeparture(this.#views, published, this.#batch.commonVersion);', to: '' }],
  },
  'stamp-from-the-wrong-batch': {
    file: 'src/store/writer/quote-writer.ts',
    changes: [
      {
        from: "import type { StoreViews } from '../layout.ts';",
        to: "import { type StoreViews, WIDE } from '../layout.ts';",
      },
      {
        from: 'views.quoteVersion[row] = isSharp ? this.#batch.sharpVersion : this.#batch.commonVersion;',
        to: 'views.quoteVersion[row] = Number(Atomics.load(views.wide, WIDE.slateVersion));',
      },
    ],
  },
  'double-refund': {
    file: 'src/access/quotas/limiter.ts',
    changes: [
      {
        from: 'returnToken(words, word + SLOT_FULL_AT, pace);\n    sharing.forgive(slot);',
        to: 'returnToken(words, word + SLOT_FULL_AT, pace);\n    returnToken(words, word + SLOT_FULL_AT, pace);',
      },
    ],
  },
  'reuse-a-page-early': {
    file: 'src/store/writer/draft-pages.ts',
    changes: [
      {
        from: 'copyPage(this.#views, source, page);',
        to: 'copyPage(this.#views, source, page); if (Atomics.load(this.#views.slotPage, slot) === source) this.#pool.release(source);',
      },
      { from: 'else this.#pool.release(old);', to: '' },
    ],
  },
};

const ROOT = join(import.meta.dir, '../..');

/**
 * Plants the bug of this name: from now on, its file is loaded with the bug. Loading the file fails if a
 * change does not fit.
 * @throws Error when no plant has this name
 */
export function plant(name: string): void {
  const known = PLANTS[name];
  if (known === undefined)
    throw new Error(`Cannot plant ${name}: known are ${Object.keys(PLANTS).join(', ')}`);
  const { file, changes } = known;
  plugin({
    name: 'plant',
    setup: (build) => {
      build.onLoad({ filter: new RegExp(`${file.replaceAll('.', '\\.')}$`) }, async () => {
        let text = await Bun.file(join(ROOT, file)).text();
        for (const { from, to } of changes) {
          if (text.split(from).length !== 2)
            throw new Error(`Cannot plant ${name}: ${file} does not contain exactly once: ${from}`);
          text = text.replace(from, () => to);
        }
        return { contents: text, loader: 'ts' };
      });
    },
  });
}
