// Copies a text, and says that it did.

import { useSignal } from '@preact/signals';
import { texts } from '../texts.ts';

const SHOWN_MS = 2_000;

export function CopyButton({ text, label = texts.copy }: { readonly text: string; readonly label?: string }) {
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
      <span role="status">{isCopied.value ? texts.copied : label}</span>
    </button>
  );
}

/** Without https a browser has no clipboard for pages; a selection that is copied works there too. */
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
