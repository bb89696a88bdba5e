import type { ZodMiniObject } from 'zod/mini'

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name
type Sent<Value> = Value extends Date ? string : Value

/** The columns with the names of fields, as they are sent. */
type Projected<Row, Field> = {
  [Column in keyof Row & string as Extract<Camel<Column>, Field>]: Sent<Row[Column]>
}

const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * The columns of a row that are fields of a schema: camel case, and times as text. Fields without a column of
 * their name are left to the caller, and columns without a field are never sent.
 */
export function project<Row extends object, Schema extends ZodMiniObject>(
  schema: Schema,
  row: Row,
): Projected<Row, keyof Schema['def']['shape']> {
  const columns = row as Readonly<Record<string, unknown>>
  const fields = Object.keys(schema.def.shape).map((field) => [field, columns[columnOf(field)]] as const)
  return Object.fromEntries(
    fields.flatMap(([field, value]) =>
      value === undefined ? [] : [[field, value instanceof Date ? value.toISOString() : value]],
    ),
  ) as Projected<Row, keyof Schema['def']['shape']>
}
