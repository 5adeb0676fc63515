// A dialog that asks before something is done that cannot be undone.

import type { ComponentChildren } from 'preact';
import { Dialog } from '../parts/dialog.tsx';
import { consoleTexts } from './console-texts.ts';

interface ConfirmationProps {
  readonly title: string;
  readonly text: string;
  /** The text of the button that runs `act`. */
  readonly action: string;
  readonly act: () => Promise<void>;
  readonly close: () => void;
  /** What `act` changes, such as the name of a key. */
  readonly children: ComponentChildren;
}

export function Confirmation({ title, text, action, act, close, children }: ConfirmationProps) {
  const confirm = (): void => {
    close();
    void act();
  };
  return (
    <Dialog title={title} onClose={close}>
      <div class="form">
        <p>{children}</p>
        <p>{text}</p>
        <div class="form-actions">
          <button type="button" class="button" onClick={confirm}>
            {action}
          </button>
          <button type="button" class="quiet-button" onClick={close}>
            {consoleTexts.cancel}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
