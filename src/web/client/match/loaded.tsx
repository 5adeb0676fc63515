// The content of a pane that one request answers. It is requested when the pane is first shown.

import { useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApiFailure } from '../data/api.ts';
import { matchTexts } from './match-texts.ts';

interface LoadedProps<Answer> {
  /** Identifies the request. When it changes, the pane is loaded again. */
  readonly subject: string;
  readonly load: () => Promise<Answer>;
  readonly onFailure?: (failure: ApiFailure) => void;
  /** Fills the place of the answer while there is none. By default, words do. */
  readonly Space?: ComponentType;
  readonly children: (answer: Answer) => ComponentChildren;
}

type Reply<Answer> = { readonly subject: string } & (
  | { readonly answer: Answer }
  | { readonly failure: ApiFailure }
);

export function Loaded<Answer>({ subject, load, onFailure, Space, children }: LoadedProps<Answer>) {
  const reply = useSignal<Reply<Answer> | null>(null);
  const newest = useRef('');
  useEffect(() => {
    newest.current = subject;
    load().then(
      (answer) => {
        // If the subject has changed since the request, the late answer is dropped.
        if (newest.current === subject) reply.value = { subject, answer };
      },
      (error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error;
        if (newest.current !== subject) return;
        onFailure?.(error);
        reply.value = { subject, failure: error };
      },
    );
  }, [subject]);
  const now = reply.value?.subject === subject ? reply.value : null;
  if (now !== null && 'answer' in now) return <>{children(now.answer)}</>;
  return (
    <>
      {now !== null && (
        <p class="pane-note" role="alert">
          {now.failure.message} {now.failure.fix}
        </p>
      )}
      {Space !== undefined && <Space />}
      {Space === undefined && now === null && <p class="pane-note quiet late">{matchTexts.working}</p>}
    </>
  );
}
