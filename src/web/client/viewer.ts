// Starts the API viewer on /docs. The viewer's own script is loaded before this one.

import './data/choices.ts';

interface ViewerWindow extends Window {
  SwaggerUIBundle(options: Readonly<Record<string, unknown>>): unknown;
}

const settings = document.querySelector<HTMLMetaElement>('meta[name="viewer"]')?.content ?? '{}';
(window as unknown as ViewerWindow).SwaggerUIBundle(JSON.parse(settings));

/** Gives the viewer's server list the label that it lacks. */
new MutationObserver(() => {
  document.querySelector('#servers:not([aria-label])')?.setAttribute('aria-label', 'Server');
}).observe(document.body, { childList: true, subtree: true });

const { theme } = document.documentElement.dataset;
const scheme = matchMedia('(prefers-color-scheme: dark)');
/**
 * Sets the class under which the viewer has its dark colours. The device's scheme may change while the page
 * is open.
 */
function showScheme(): void {
  const isDark = theme === undefined ? scheme.matches : theme === 'dark';
  document.documentElement.classList.toggle('dark-mode', isDark);
}
showScheme();
scheme.addEventListener('change', showScheme);
