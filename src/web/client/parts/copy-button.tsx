// A button that copies a text and then shows a note for a while. By default the note says that the text was
// copied.

import { useSignal } from '@preact/signals';
import { texts } from '../texts.ts';

const SHOWN_MS = 4_000;

interface CopyButtonProps {
  readonly text: string;
  readonly label?: string;
  /** The note that is shown for a while after copying. */
  readonly copied?: string;
}

export function CopyButton({ text, label = texts.copy, copied = texts.copied }: CopyButtonProps) {
  const isCopied = useSignal(false);
  return (
    <button
      type="button"
      class="quiet-button"
      onClick={async () => {
        await copy(text);
        isCopied.value = true;
        setTimeout(() => {
          isCopied.value = false;
        }, SHOWN_MS);
      }}
    >
      <span role="status">{isCopied.value ? copied : label}</span>
    </button>
  );
}

/** Copies a text. Without https, pages have no clipboard API, but copying a selection works there too. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
