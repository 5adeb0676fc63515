// Controls that choose one of several values: a row of buttons, and a list without a visible label.

interface SegmentsProps<Value extends string> {
  /** Names the row for screen readers. */
  readonly label: string;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
  /** Whether the buttons stand apart, as chips. */
  readonly isChips?: boolean;
}

export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, options, value, onChoose, isChips = false } = props;
  return (
    <fieldset class={isChips ? 'choices' : 'segments'}>
      <legend class="visually-hidden">{label}</legend>
      {options.map(([one, words]) => (
        <button
          key={one}
          type="button"
          class={isChips ? 'chip' : undefined}
          aria-pressed={one === value}
          onClick={() => onChoose(one)}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}

interface SelectProps<Value extends string> {
  readonly label: string;
  /** A hint that is shown while the mouse rests on the list. */
  readonly title?: string;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, title, options, value, onChoose } = props;
  return (
    <select
      class="choice"
      aria-label={label}
      title={title}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value as Value)}
    >
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  );
}
