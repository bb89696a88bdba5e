import { parseDecimal, parseNumber, writeDecimal } from '#contract/decimal.ts'

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>

type Given = number | string | null | undefined

/** Passes decimals to the database as text, because floating-point arithmetic would change them. */
export function decimals(fields: { amount?: Given; fabQty?: Given }): {
  amount?: string | null
  fabQty?: string | null
} {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value === null ? null : numberText(value)]],
    ),
  )
}

/** Returns 0.0000001 for 1e-7, and keeps 0.1 exactly one tenth. */
export const numberText = (value: number | string): string =>
  typeof value === 'number' ? writeDecimal(parseNumber(value)) : value

/**
 * Whether a JSON number is only the rounded form of the stored value: a record sent back unchanged must keep the digits
 * that a number cannot represent.
 */
export const isSameNumber = (given: Given, stored: string | null): boolean =>
  typeof given === 'number' &&
  stored !== null &&
  given === Number(stored) &&
  parseDecimal(stored) !== parseNumber(given)
