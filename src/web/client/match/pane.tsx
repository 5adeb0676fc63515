// A pane: its heading, its content, and the same thing from the API with a curl to copy. Content that costs units is
// asked for when the visitor has units to spare, or says so.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ApiFailure } from '../data/api.ts';
import { hasUnits } from '../data/choices.ts';
import { pageSettings } from '../data/page-settings.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { texts } from '../texts.ts';

export interface ApiCall {
  readonly path: string;
  /** Of a POST. */
  readonly body?: unknown;
}

interface PaneProps {
  readonly title: string;
  readonly call: ApiCall;
  readonly children: ComponentChildren;
}

export function Pane({ title, call, children }: PaneProps) {
  return (
    <section class="pane" aria-label={title}>
      <h2>{title}</h2>
      {children}
      <p class="pane-foot">
        {call.body === undefined ? <a href={call.path}>{texts.match.api}</a> : <span>{texts.match.api}</span>}
        <code>{call.path}</code>
        <CopyButton text={curlOf(call)} label={texts.match.copyCurl} />
      </p>
    </section>
  );
}

function curlOf({ path, body }: ApiCall): string {
  const url = `'${pageSettings.publicUrl}${path}'`;
  const key = '-H "Authorization: Bearer $OVERROUND_KEY"';
  if (body === undefined) return `curl -s ${key} ${url}`;
  return `curl -s -X POST ${key} ${url} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}

interface AskedProps<Answer> {
  /** Asked again when it changes. */
  readonly subject: string;
  readonly units: 1 | 2;
  readonly ask: () => Promise<Answer>;
  readonly children: (answer: Answer) => ComponentChildren;
}

/** Content that has to be asked for. */
export function Asked<Answer>({ subject, units, ask, children }: AskedProps<Answer>) {
  const answer = useSignal<{ readonly subject: string; readonly value: Answer } | null>(null);
  const failure = useSignal<ApiFailure | null>(null);
  const isWanted = useSignal(hasUnits());
  const wants = isWanted.value;
  useEffect(() => {
    if (!wants) return;
    failure.value = null;
    ask().then(
      (value) => {
        answer.value = { subject, value };
      },
      (error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error;
        failure.value = error;
      },
    );
  }, [wants, subject]);
  if (failure.value !== null) {
    return (
      <p class="pane-note" role="alert">
        {failure.value.message} {failure.value.fix}
      </p>
    );
  }
  if (!wants) {
    return (
      <div class="pane-ask">
        <button
          type="button"
          class="quiet-button"
          onClick={() => {
            isWanted.value = true;
          }}
        >
          {texts.match.load}
        </button>
        <p class="quiet">{units === 1 ? texts.match.loadHint : texts.match.loadTwoHint}</p>
      </div>
    );
  }
  if (answer.value === null) return <p class="pane-note quiet late">{texts.match.working}</p>;
  return <>{children(answer.value.value)}</>;
}
