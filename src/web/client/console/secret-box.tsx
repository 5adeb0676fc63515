// A secret that is shown only once: to copy, until the visitor dismisses it.

import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { setting } from '../data/setting.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { consoleTexts } from './console-texts.ts';

interface SecretBoxProps {
  readonly title: string;
  readonly secret: string;
  /** Set to null when the visitor dismisses the secret. */
  readonly shown: Signal<unknown>;
  /** How to use the secret. */
  readonly children?: ComponentChildren;
}

export function SecretBox({ title, secret, shown, children }: SecretBoxProps) {
  const dismiss = setting(shown, null);
  return (
    <section class="secret" aria-label={title}>
      <p role="status">
        <strong>{title}</strong>
      </p>
      <p class="secret-row">
        <code class="secret-key">{secret}</code>
        <CopyButton text={secret} />
      </p>
      {children}
      <button type="button" class="quiet-button" onClick={dismiss}>
        {consoleTexts.secretDone}
      </button>
    </section>
  );
}
