import { parseDecimal, parseNumber, writeDecimal } from '#contract/decimal.ts'

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>

type Given = number | string | null | undefined

/** Decimals go to the database as text: they are never computed with as floating point. */
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

/** 1e-7 becomes 0.0000001, and 0.1 stays exactly one tenth. */
export const numberText = (value: number | string): string =>
  typeof value === 'number' ? writeDecimal(parseNumber(value)) : value

/**
 * Whether a JSON number is only the rounded form of the stored value: a record sent back unchanged must not lose the
 * digits that a number cannot represent.
 */
export const isSameNumber = (given: Given, stored: string | null): boolean =>
  typeof given === 'number' &&
  stored !== null &&
  given === Number(stored) &&
  parseDecimal(stored) !== parseNumber(given)
