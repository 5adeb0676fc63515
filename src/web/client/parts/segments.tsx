// A row of buttons of which one is chosen.

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
