// The dialog that lists the keyboard shortcuts; `?` opens it.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { setting } from '../data/setting.ts';
import { Dialog } from '../parts/dialog.tsx';
import { texts } from '../texts.ts';
import { isTyping } from './filters.tsx';

const isOpen = signal(false);

export function Shortcuts() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === '?' && !isTyping(event.target)) isOpen.value = true;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!isOpen.value) return null;
  return (
    <Dialog title={texts.shortcuts} onClose={setting(isOpen, false)}>
      <dl class="shortcuts">
        {texts.shortcutList.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
