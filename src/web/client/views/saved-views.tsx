// The list of saved views, to open and to delete, and the form that saves what the board shows now.

import { signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { useEffect } from 'preact/hooks';
import type { SavedViewsAnswer } from '../../../contract/saved-views.ts';
import { SAVED_VIEW_NAME_CHARS_MAX } from '../../../limits.ts';
import { ApiFailure, callJson } from '../data/api.ts';
import { savedQuery } from '../data/view.ts';
import { texts } from '../texts.ts';

const PATH = '/platform/views';

const views = signal<Static<typeof SavedViewsAnswer>['views'] | null>(null);
const failure = signal<ApiFailure | null>(null);

/** Makes a change, if there is one, and reads the list again. */
async function load(change?: () => Promise<unknown>): Promise<void> {
  try {
    await change?.();
    ({ views: views.value } = await callJson<Static<typeof SavedViewsAnswer>>(PATH));
    failure.value = null;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    failure.value = error;
  }
}

export function SavedViews() {
  useEffect(() => void load(), []);
  const list = views.value;
  return (
    <>
      {list?.length === 0 && <p class="quiet">{texts.views.none}</p>}
      {list !== null && list.length > 0 && (
        <ul>
          {list.map(({ view_id: id, name, query }) => (
            <li key={id}>
              <a href={`/?${query}`}>{name}</a>
              <button
                type="button"
                class="quiet-button"
                aria-label={texts.views.remove(name)}
                onClick={() => void load(() => callJson(`${PATH}/${id}`, { method: 'DELETE' }))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const name = String(new FormData(form).get('name')).trim();
          if (name === '') return;
          const body = { name, query: savedQuery() };
          void load(async () => {
            await callJson(PATH, { method: 'POST', body });
            form.reset();
          });
        }}
      >
        <input
          name="name"
          required
          maxLength={SAVED_VIEW_NAME_CHARS_MAX}
          aria-label={texts.views.name}
          placeholder={texts.views.name}
        />
        <button type="submit" class="button">
          {texts.views.save}
        </button>
      </form>
      {failure.value !== null && (
        <p class="field-error" role="alert">
          {failure.value.message} {failure.value.fix}
        </p>
      )}
    </>
  );
}
