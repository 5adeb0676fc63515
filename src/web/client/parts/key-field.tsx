// The field for an API key. With a key, the page shows what the key's tier may see.

import { signal } from '@preact/signals';
import { apiKey, useKey } from '../data/choices.ts';
import { linkView } from '../data/link-ticket.ts';
import { texts } from '../texts.ts';
import { Dialog } from './dialog.tsx';

const KEY_FORM = /^isk_[0-9A-Za-z]{32}$/;

const isOpen = signal(false);
const entered = signal('');
const isWrong = signal(false);

export function KeyButton() {
  const key = apiKey.value;
  const isByLink = linkView.value === 'open';
  return (
    <>
      <button type="button" class="quiet-button" onClick={openKeyField}>
        {key !== null ? texts.key.inUse(key.slice(-4)) : isByLink ? texts.key.byLink : texts.key.open}
      </button>
      {isOpen.value && (
        <Dialog title={texts.key.title} onClose={close}>
          <form class="form" onSubmit={submit}>
            {key === null && isByLink && <p>{texts.key.byLinkHint}</p>}
            <p>{texts.key.hint}</p>
            <label class="field">
              <span>{texts.key.label}</span>
              <input
                type="password"
                autocomplete="off"
                spellcheck={false}
                value={entered.value}
                aria-invalid={isWrong.value}
                aria-describedby={isWrong.value ? 'key-error' : undefined}
                onInput={(event) => {
                  entered.value = event.currentTarget.value.trim();
                  isWrong.value = false;
                }}
              />
            </label>
            {isWrong.value && (
              <p class="field-error" id="key-error" role="alert">
                {texts.key.refused}
              </p>
            )}
            <div class="form-actions">
              <button type="submit" class="button">
                {texts.key.use}
              </button>
              {key !== null && (
                <button type="button" class="quiet-button" onClick={forget}>
                  {texts.key.forget}
                </button>
              )}
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}

export function openKeyField(): void {
  entered.value = '';
  isWrong.value = false;
  isOpen.value = true;
}

function close(): void {
  isOpen.value = false;
}

function submit(event: Event): void {
  event.preventDefault();
  if (!KEY_FORM.test(entered.value)) {
    isWrong.value = true;
    return;
  }
  useKey(entered.value);
  close();
}

function forget(): void {
  useKey(null);
  close();
}
