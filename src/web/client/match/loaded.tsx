// The content of a pane that one request answers. It is requested when the pane is first shown.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApiFailure } from '../data/api.ts';
import { matchTexts } from './match-texts.ts';

interface LoadedProps<Answer> {
  /** Identifies the request. When it changes, the pane is loaded again. */
  readonly subject: string;
  readonly load: () => Promise<Answer>;
  readonly children: (answer: Answer) => ComponentChildren;
}

export function Loaded<Answer>({ subject, load, children }: LoadedProps<Answer>) {
  const answer = useSignal<{ readonly subject: string; readonly value: Answer } | null>(null);
  const failure = useSignal<ApiFailure | null>(null);
  const newest = useRef('');
  useEffect(() => {
    newest.current = subject;
    load().then(
      (value) => {
        // If the subject has changed since the request, the late answer is dropped.
        if (newest.current !== subject) return;
        failure.value = null;
        answer.value = { subject, value };
      },
      (error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error;
        if (newest.current === subject) failure.value = error;
      },
    );
  }, [subject]);
  if (failure.value !== null) {
    return (
      <p class="pane-note" role="alert">
        {failure.value.message} {failure.value.fix}
      </p>
    );
  }
  if (answer.value?.subject !== subject) return <p class="pane-note quiet late">{matchTexts.working}</p>;
  return <>{children(answer.value.value)}</>;
}
