import type { ZodMiniType } from 'zod/mini'
import {
  birthDatePattern,
  decimalPattern,
  emailPattern,
  percentPattern,
  phonePattern,
} from '#contract/platform/patterns.ts'

/**
 * Limits of a field according to its schema, as attributes of its control. Lengths in code points are only enforced by
 * messages.
 */
type FieldBounds = {
  type?: 'email' | 'tel' | 'date'
  inputMode?: 'email' | 'tel' | 'decimal'
  minLength?: number
  maxLength?: number
}

type Check = { minimum?: number; maximum?: number; pattern?: RegExp; params?: { minimum?: number } }

/** The part of a schema that is used here. */
type Part = {
  _zod: {
    def: {
      /** The inner schema of an optional one or one with a default. */
      innerType?: Part
      options?: readonly Part[]
      in?: Part
      out?: Part
      element?: Part
      shape?: Record<string, Part>
      checks?: readonly { _zod: { def: Check } }[]
    }
  }
}

const kinds = new Map<RegExp, FieldBounds>([
  [emailPattern, { type: 'email', inputMode: 'email' }],
  [phonePattern, { type: 'tel', inputMode: 'tel' }],
  // A date field, with day, month, and year in the order of the browser's language.
  [birthDatePattern, { type: 'date' }],
  // 20 digits, the decimal point, and 18 digits.
  [decimalPattern, { inputMode: 'decimal', maxLength: 39 }],
  // From 0 to 100, with 2 digits after the decimal point.
  [percentPattern, { inputMode: 'decimal', maxLength: 6 }],
])

export const boundsOf = (schema: ZodMiniType): FieldBounds => read(schema as unknown as Part)

/** Finds the schema of one field of a form. */
export function fieldOf(form: ZodMiniType, name: string): ZodMiniType {
  let part: Part | undefined = form as unknown as Part
  while (part && !part._zod.def.shape) part = part._zod.def.in
  const field = part?._zod.def.shape?.[name]
  if (!field) throw new Error(`the schema of the form has no field ${name}`)
  return field as unknown as ZodMiniType
}

/** Whether an empty value is rejected. */
export const isRequired = (field: ZodMiniType): boolean => !field.safeParse('').success

function read({ _zod: { def } }: Part): FieldBounds {
  if (def.innerType) return read(def.innerType)
  if (def.options) return Object.assign({}, ...def.options.map(read)) as FieldBounds
  // The limits of a pipe's input take precedence over those of its output.
  if (def.in && def.out) return { ...read(def.out), ...read(def.in) }
  const checks = (def.checks ?? []).map((check) => check._zod.def)
  const most = Math.min(...checks.map(({ maximum = Infinity }) => maximum))
  if (def.element) return listed(read(def.element), most)
  const least = Math.max(...checks.map(({ minimum, params }) => minimum ?? params?.minimum ?? 0))
  const kind = checks.map(({ pattern }) => pattern && kinds.get(pattern)).find(Boolean)
  return {
    ...kind,
    ...(least > 1 && { minLength: least }),
    ...(most < Infinity && { maxLength: most }),
  }
}

/** The limits of several values in one line, separated by a comma and a space. */
function listed({ maxLength }: FieldBounds, most: number): FieldBounds {
  const length = most * ((maxLength ?? Infinity) + ', '.length)
  return length < Infinity ? { maxLength: length } : {}
}
