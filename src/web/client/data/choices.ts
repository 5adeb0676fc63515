// What a visitor chose and a later visit remembers. A browser that keeps nothing (private windows, full storage) is
// served the defaults.

import { signal } from '@preact/signals';

const PREFIX = 'overround.';

/** @returns the remembered text, or null */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null; // Storage is forbidden: nothing is remembered.
  }
}

/** Remembers a text; null forgets it. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Storage is full or forbidden: the choice holds for this page alone.
  }
}

export type Theme = 'light' | 'dark';

/** Null follows the system. */
export const theme = signal<Theme | null>(themeOf(recall('theme')));

function themeOf(text: string | null): Theme | null {
  return text === 'light' || text === 'dark' ? text : null;
}

export function isDark(): boolean {
  return theme.value === null ? matchMedia('(prefers-color-scheme: dark)').matches : theme.value === 'dark';
}

export function switchTheme(): void {
  theme.value = isDark() ? 'light' : 'dark';
  remember('theme', theme.value);
}

/** An API key that the visitor gave for this browser, null for none. */
export const apiKey = signal<string | null>(recall('key'));

/** Whether pages may ask for more by themselves: who has a key or an account has units to spare. */
export function hasUnits(): boolean {
  return apiKey.value !== null || recall('signed-in') !== null;
}

// Who logs out or takes a key out in one window does so in all: what the others show is loaded anew without it.
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
