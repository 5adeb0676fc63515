// A list of values of which one is chosen, without a visible label.

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
