/**
 * Maps the given fields to their columns. Declare `columns` with `as const satisfies Record<keyof Change, keyof
 * Row>`, so that a field without a column fails to compile instead of being lost.
 */
export const columnsOf = <
  const Columns extends Readonly<Record<string, string>>,
  Fields extends { [Field in keyof Columns]?: unknown },
>(
  columns: Columns,
  fields: Fields,
) =>
  Object.fromEntries(
    Object.entries(columns)
      .map(([field, column]) => [column, fields[field]] as const)
      .filter(([, value]) => value !== undefined),
  ) as {
    [Field in keyof Fields as Field extends keyof Columns ? Columns[Field] : never]: Exclude<
      Fields[Field],
      undefined
    >
  }
