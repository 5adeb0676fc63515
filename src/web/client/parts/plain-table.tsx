// A table whose columns have plain names.

import type { ComponentChildren } from 'preact';

interface PlainTableProps {
  readonly columns: readonly string[];
  /** The name, for screen readers only, of one more column: the buttons of a row. */
  readonly buttons?: string;
  /** The rows. */
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
