// The visitor's choices, remembered for later visits. If the browser stores nothing (private window, full
// storage), the defaults apply.

import { signal } from '@preact/signals';

const PREFIX = 'overround.';

/** @returns the remembered text, or null */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null; // Storage is forbidden, so nothing is remembered.
  }
}

/** Stores a text; null removes it. A text that is stored already is not written: a write may take long. */
export function remember(name: string, value: string | null): void {
  if (recall(name) === value) return;
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Storage is full or forbidden: the choice lasts for this page only.
  }
}

export type Theme = 'light' | 'dark';

/** Null follows the system setting. */
export const theme = signal<Theme | null>(themeOf(recall('theme')));

function themeOf(text: string | null): Theme | null {
  return text === 'light' || text === 'dark' ? text : null;
}

const system = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(system.matches);
system.addEventListener('change', () => {
  isSystemDark.value = system.matches;
});

export function isDark(): boolean {
  return theme.value === null ? isSystemDark.value : theme.value === 'dark';
}

export function switchTheme(): void {
  theme.value = isDark() ? 'light' : 'dark';
  remember('theme', theme.value);
}

/** The API key that the visitor entered in this browser; null for none. */
export const apiKey = signal<string | null>(recall('key'));

/** Whether pages may make extra requests unasked: visitors with a key or an account have enough units. */
export function hasUnits(): boolean {
  return apiKey.value !== null || recall('signed-in') !== null;
}

// Logging out or removing the key in one window applies to all windows: the others reload without it.
addEventListener('storage', (event) => {
  const { key, newValue } = event as StorageEvent;
  const isSecret = key === null || key === `${PREFIX}signed-in` || key === `${PREFIX}key`;
  if (isSecret && newValue === null) location.reload();
});

export function useKey(key: string | null): void {
  apiKey.value = key;
  remember('key', key);
}

theme.subscribe((chosen) => {
  if (chosen === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
});
