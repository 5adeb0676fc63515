// A table whose columns have plain names, and one fact of a list of facts.

import type { ComponentChildren } from 'preact';

interface PlainTableProps {
  readonly columns: readonly string[];
  /** Names one more column, of a row's buttons, for screen readers only. */
  readonly buttons?: string;
  readonly children: ComponentChildren;
}

export function PlainTable({ columns, buttons, children }: PlainTableProps) {
  return (
    <table class="plain-table">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
          {buttons !== undefined && (
            <th scope="col">
              <span class="visually-hidden">{buttons}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
