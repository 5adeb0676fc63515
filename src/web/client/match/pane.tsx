// A pane: heading, content, and the same data as an API call with a curl command to copy.

import type { ComponentChildren } from 'preact';
import { pageSettings } from '../data/page-settings.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { matchTexts } from './match-texts.ts';

export interface ApiCall {
  readonly path: string;
  /** The body of a POST. */
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
        {call.body === undefined ? <a href={call.path}>{matchTexts.api}</a> : <span>{matchTexts.api}</span>}
        <code>{call.path}</code>
        <CopyButton text={curlOf(call)} label={matchTexts.copyCurl} copied={matchTexts.copiedCurl} />
      </p>
    </section>
  );
}

/** The environment variable is the one of the README, which the command line and the clients read too. */
function curlOf({ path, body }: ApiCall): string {
  const url = `'${pageSettings.publicUrl}${path}'`;
  const key = '-H "Authorization: Bearer $OVERROUND_API_KEY"';
  if (body === undefined) return `curl -s ${key} ${url}`;
  return `curl -s -X POST ${key} ${url} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}
