// A form that calls the API. Errors are shown next to their field, or below the form with the API's message
// and fix.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { ApiFailure, callJson } from '../data/api.ts';

interface FormProps {
  readonly submitText: string;
  readonly send: (values: FormValues) => Promise<void>;
  readonly children: (fieldError: (name: string) => string | undefined) => ComponentChildren;
  readonly className?: string;
  /** A second button with this text. It sends the same values and one more, which is named `action`. */
  readonly second?: { readonly text: string; readonly action: string };
}

export type FormValues = Readonly<Record<string, string>>;

export function Form({ submitText, send, children, className = 'form', second }: FormProps) {
  const failure = useSignal<ApiFailure | null>(null);
  const isSending = useSignal(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isSending.value) return;
    const data = new FormData(event.currentTarget as HTMLFormElement, event.submitter);
    isSending.value = true;
    failure.value = null;
    try {
      await send(Object.fromEntries([...data].map(([name, value]) => [name, String(value)])));
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    } finally {
      isSending.value = false;
    }
  };
  const errors = failure.value?.fields;
  return (
    <form class={className} onSubmit={submit} noValidate>
      {children((name) => errors?.get(name))}
      <button type="submit" class="button" disabled={isSending.value}>
        {submitText}
      </button>
      {second !== undefined && (
        <button
          type="submit"
          name="action"
          value={second.action}
          class="quiet-button"
          disabled={isSending.value}
        >
          {second.text}
        </button>
      )}
      {failure.value !== null && (
        <p class="field-error" role="alert">
          {failure.value.message}
          {failure.value.fix !== null && `. ${failure.value.fix}`}
        </p>
      )}
    </form>
  );
}

type FieldShape = Omit<FieldProps, 'error'>;

interface CallFormProps<Answer> extends Pick<FormProps, 'submitText' | 'className'> {
  /** The API path that receives the field values as a POST. */
  readonly path: string;
  /** Further values of the body. */
  readonly body?: FormValues;
  readonly fields: readonly FieldShape[];
  readonly done: (answer: Answer, values: FormValues) => void | Promise<void>;
  /** Content below the fields. */
  readonly children?: ComponentChildren;
}

/** A form whose fields become the body of one API call. */
export function CallForm<Answer>({ path, body, fields, done, children, ...form }: CallFormProps<Answer>) {
  return (
    <Form
      {...form}
      send={async (values) =>
        await done(await callJson<Answer>(path, { method: 'POST', body: { ...body, ...values } }), values)
      }
    >
      {(error) => (
        <>
          {fields.map((field) => (
            <Field key={field.name} {...field} error={error(field.name)} />
          ))}
          {children}
        </>
      )}
    </Form>
  );
}

export interface ChoiceFieldProps {
  readonly label: string;
  readonly name: string;
  /** Each option is a value that is shown as it is, or a value with the words that are shown for it. */
  readonly options: readonly (string | readonly [value: string, words: string])[];
  readonly chosen?: string | undefined;
  readonly choose?: ((value: string) => void) | undefined;
}

/** A field that is a list of values. */
export function ChoiceField({ label, name, options, chosen, choose }: ChoiceFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} onChange={(event) => choose?.(event.currentTarget.value)}>
        {options.map((one) => {
          const [value, words] = typeof one === 'string' ? [one, one] : one;
          return (
            <option key={value} value={value} selected={value === chosen}>
              {words}
            </option>
          );
        })}
      </select>
    </label>
  );
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly error: string | undefined;
  readonly hint?: string;
  readonly type?: 'text' | 'email' | 'password' | 'datetime-local';
  readonly autocomplete?: string;
  readonly value?: string;
  readonly inputMode?: 'numeric' | 'email';
}

export function Field({
  label,
  name,
  error,
  hint,
  type = 'text',
  autocomplete = 'off',
  value,
  inputMode,
}: FieldProps) {
  const id = useId();
  // Preact's types allow some attributes only for some input types. The cast allows them for every type used
  // here.
  const kind = { type } as { readonly type: 'text' };
  const described = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`]
    .filter(Boolean)
    .join(' ');
  return (
    <label class="field">
      <span>{label}</span>
      <input
        name={name}
        {...kind}
        autocomplete={autocomplete}
        inputMode={inputMode}
        defaultValue={value}
        aria-invalid={error !== undefined}
        aria-describedby={described === '' ? undefined : described}
      />
      {error !== undefined && (
        <span class="field-error" id={`${id}-error`}>
          {error.replace(/^String should have/, 'Enter')}
        </span>
      )}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </label>
  );
}
