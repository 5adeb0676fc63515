// The top bar of every page: the name, the page's own content, links, and the colour switch. On a phone it is
// one line, with links, key and colours behind a button.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { isDark, switchTheme } from '../data/choices.ts';
import { pageSettings } from '../data/page-settings.ts';
import { texts } from '../texts.ts';
import { KeyButton } from './key-field.tsx';

interface BarProps {
  readonly children?: ComponentChildren;
}

const isMenuOpen = signal(false);

export function Bar({ children }: BarProps) {
  return (
    <header class="bar">
      <a class="skip-link" href="#content">
        {texts.skip}
      </a>
      <a class="brand" href="/">
        {texts.brand}
      </a>
      {children}
      <span class="bar-space" />
      {pageSettings.isSimulated && (
        <span class="tag" title={texts.simulatedHint}>
          {texts.simulated}
          <span class="tag-more"> {texts.simulatedMore}</span>
        </span>
      )}
      <button
        type="button"
        class="icon-button bar-toggle"
        aria-label={texts.menu}
        aria-expanded={isMenuOpen.value}
        onClick={() => {
          isMenuOpen.value = !isMenuOpen.value;
        }}
      >
        <span aria-hidden="true">☰</span>
      </button>
      <div class={isMenuOpen.value ? 'bar-menu is-open' : 'bar-menu'}>
        <nav class="bar-links" aria-label={texts.pages}>
          <a href="/docs/start">{texts.docsPage}</a>
          <a href="/console">{texts.consolePage}</a>
        </nav>
        <KeyButton />
        <ThemeButton />
      </div>
    </header>
  );
}

// Browsers have service workers only over HTTPS or on this machine. Elsewhere the pages cannot be installed.
if ('serviceWorker' in navigator) {
  navigator.serviceWorker.register('/worker.js', { type: 'module' }).catch(() => {
    // Ignore the failure. Without the worker, an offline visitor sees the browser's own page about being
    // offline.
  });
}

function ThemeButton() {
  const label = isDark() ? texts.toLight : texts.toDark;
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={switchTheme}>
      <span aria-hidden="true">{isDark() ? '☀' : '☾'}</span>
    </button>
  );
}
