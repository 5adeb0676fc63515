// The content of a pane that is loaded by request. It shows its age, and is loaded again when the prices
// behind it have moved: at most every REFRESH_MS, only while it is visible, and only for visitors with enough
// units. Other visitors see that prices have moved, and a button.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { systemClock } from '../../../clock.ts';
import { ApiFailure } from '../data/api.ts';
import { hasUnits } from '../data/choices.ts';
import type { Fixture } from '../data/mirror.ts';
import { ageText, countText } from '../data/number-words.ts';
import { useIsSeen } from '../parts/seen.ts';
import { nowMs } from '../parts/ticking.ts';
import { texts } from '../texts.ts';

/** A pane that refreshes costs its one or two units at most this often. */
const REFRESH_MS = 15_000;

interface OnRequestProps<Answer> {
  /** Identifies the request. When it changes, the pane is loaded again at once. */
  readonly subject: string;
  /** The fixture whose prices the answer depends on; null for an answer that never changes. */
  readonly fixture: Fixture | null;
  readonly units: 1 | 2;
  readonly load: () => Promise<Answer>;
  /** @param atMs when the answer arrived, for showing ages */
  readonly children: (answer: Answer, atMs: number) => ComponentChildren;
}

interface ReceivedAnswer<Answer> {
  readonly subject: string;
  readonly value: Answer;
  readonly atMs: number;
  /** How often the fixture had changed when the request was sent. */
  readonly changes: number;
}

export function OnRequest<Answer>({ subject, fixture, units, load, children }: OnRequestProps<Answer>) {
  const element = useRef<HTMLDivElement>(null);
  const isSeen = useIsSeen(element);
  const answer = useSignal<ReceivedAnswer<Answer> | null>(null);
  const failure = useSignal<ApiFailure | null>(null);
  /** The earliest time of the next request. */
  const nextAtMs = useSignal(0);
  const newest = useRef('');
  const request = (): void => {
    newest.current = subject;
    nextAtMs.value = Number.POSITIVE_INFINITY;
    const changes = fixture?.changes ?? 0;
    load().then(
      (value) => {
        // If the subject has changed since the request, the late answer is dropped.
        if (newest.current !== subject) return;
        const atMs = systemClock.wallMs();
        failure.value = null;
        answer.value = { subject, value, atMs, changes };
        nextAtMs.value = atMs + REFRESH_MS;
      },
      (error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error;
        if (newest.current !== subject) return;
        failure.value = error;
        nextAtMs.value = systemClock.wallMs() + Math.max(REFRESH_MS, error.retryAfterMs ?? 0);
      },
    );
  };
  const requestAgain = (): void => {
    if (nextAtMs.peek() !== Number.POSITIVE_INFINITY) request();
  };
  useEffect(request, [subject]);
  const isOfSubject = answer.value?.subject === subject;
  void fixture?.version.value;
  const hasMoved = answer.value !== null && fixture !== null && answer.value.changes !== fixture.changes;
  const isRefreshed = hasUnits() && isSeen && (hasMoved || failure.value !== null);
  const dueAtMs = nextAtMs.value;
  useEffect(() => {
    if (!isRefreshed || dueAtMs === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(request, Math.max(0, dueAtMs - systemClock.wallMs()));
    return () => clearTimeout(timer);
  }, [isRefreshed, dueAtMs, subject]);
  return (
    <div ref={element}>
      {failure.value !== null && (
        <p class="pane-note" role="alert">
          {failure.value.message} {failure.value.fix}
        </p>
      )}
      {!hasUnits() && (hasMoved || failure.value !== null) && (
        <RequestButton label={texts.match.loadAgain} units={units} run={requestAgain} />
      )}
      {!isOfSubject && failure.value === null && <p class="pane-note quiet late">{texts.match.working}</p>}
      {isOfSubject && (
        <>
          {fixture !== null && (
            <Age
              atMs={answer.value!.atMs}
              hasMoved={hasMoved}
              dueAtMs={isRefreshed && Number.isFinite(dueAtMs) ? dueAtMs : null}
            />
          )}
          {children(answer.value!.value, answer.value!.atMs)}
        </>
      )}
    </div>
  );
}

interface RequestButtonProps {
  readonly label: string;
  readonly units: 1 | 2;
  readonly run: () => void;
}

function RequestButton({ label, units, run }: RequestButtonProps) {
  return (
    <div class="pane-request">
      <button type="button" class="quiet-button" onClick={run}>
        {label}
      </button>
      <p class="quiet">{units === 1 ? texts.match.loadHint : texts.match.loadTwoHint}</p>
    </div>
  );
}

interface AgeProps {
  readonly atMs: number;
  readonly hasMoved: boolean;
  /**
   * When the next refresh happens; null while the pane waits for the visitor, or while a request is under
   * way.
   */
  readonly dueAtMs: number | null;
}

/** The age of an answer, updated as time passes. */
function Age({ atMs, hasMoved, dueAtMs }: AgeProps) {
  const now = nowMs.value;
  const dueInS = dueAtMs === null ? null : Math.max(1, Math.ceil((dueAtMs - now) / 1_000));
  return (
    <p class="pane-note quiet answer-age">
      {texts.match.answered(ageText(Math.max(0, now - atMs)))}{' '}
      {hasMoved && <strong>{texts.match.movedSince}</strong>}{' '}
      {hasMoved && dueInS !== null && texts.match.refreshIn(countText(dueInS))}
    </p>
  );
}
