// A rarely used action of the account, collapsed until the visitor opens it.

import type { ComponentChildren } from 'preact';
import { consoleTexts } from './console-texts.ts';

export const CURRENT_PASSWORD_FIELD = {
  label: consoleTexts.currentPassword,
  name: 'password',
  type: 'password',
  autocomplete: 'current-password',
} as const;

interface AccountActionProps {
  readonly title: string;
  /** The result message, empty before there is one. Once set, it is shown in place of the form. */
  readonly result: string;
  readonly onOpen?: () => void;
  readonly children: ComponentChildren;
}

export function AccountAction({ title, result, onOpen, children }: AccountActionProps) {
  return (
    <details
      class="account-action"
      onToggle={(event) => {
        if (event.currentTarget.open) onOpen?.();
      }}
    >
      <summary>{title}</summary>
      {result === '' ? children : <p role="status">{result}</p>}
    </details>
  );
}
