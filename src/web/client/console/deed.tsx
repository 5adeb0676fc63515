// Something of the account that is done seldom: folded away until it is wanted.

import type { ComponentChildren } from 'preact';
import { texts } from '../texts.ts';

export const CURRENT_PASSWORD_FIELD = {
  label: texts.console.currentPassword,
  name: 'password',
  type: 'password',
  autocomplete: 'current-password',
} as const;

interface DeedProps {
  readonly title: string;
  /** What came of it; closes the form. Empty before. */
  readonly said: string;
  readonly onOpen?: () => void;
  readonly children: ComponentChildren;
}

export function Deed({ title, said, onOpen, children }: DeedProps) {
  return (
    <details
      class="deed"
      onToggle={(event) => {
        if (event.currentTarget.open) onOpen?.();
      }}
    >
      <summary>{title}</summary>
      {said === '' ? children : <p role="status">{said}</p>}
    </details>
  );
}
