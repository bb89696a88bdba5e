import type { ZodMiniType } from 'zod/mini'

/** Picks the fields of the schema from a value; throws if the value has another type. */
type Take = (value: unknown) => unknown

/** The part of a schema that is used here. */
type Def = {
  type: string
  checks?: readonly unknown[]
  coerce?: boolean
  check?: string
  format?: string
  shape?: Record<string, ZodMiniType>
  catchall?: ZodMiniType
  element?: ZodMiniType
  innerType?: ZodMiniType
  keyType?: ZodMiniType
  valueType?: ZodMiniType
  options?: readonly ZodMiniType[]
  values?: readonly unknown[]
  entries?: Record<string, unknown>
}

export type Serializer = (value: unknown) => string

/**
 * Serializes answers as JSON with only the fields of the schema, so that a new column is never sent. Compiled
 * once per call, because parsing our own output with the schema took longer than the rest of a call. Types are
 * still checked; schemas that are not supported here fall back to parsing.
 */
export function makeSerializer(schema: ZodMiniType): Serializer {
  let take: Take | undefined
  return (value) => {
    try {
      return JSON.stringify((take ??= compile(schema))(value))
    } catch (error) {
      // The schema decides, and reports what is wrong and where.
      if (error instanceof WrongType) return JSON.stringify(schema.parse(value))
      throw error
    }
  }
}

function compile(schema: ZodMiniType): Take {
  const def = schema.def as unknown as Def
  // A check may change the value as well, such as trimming.
  const isPlain = !def.checks?.length && !def.coerce && (!def.check || def.format === 'safeint')
  return (isPlain && compilers[def.type]?.(def)) || ((value) => schema.parse(value))
}

class WrongType extends Error {}

const ofType =
  (type: 'string' | 'boolean'): Take =>
  (value) => {
    if (typeof value !== type) throw new WrongType()
    return value
  }

const oneOf = (values: Iterable<unknown>): Take => {
  const known = new Set(values)
  return (value) => {
    if (!known.has(value)) throw new WrongType()
    return value
  }
}

const compilers: Record<string, (def: Def) => Take | undefined> = {
  string: () => ofType('string'),
  boolean: () => ofType('boolean'),
  number: ({ format }) => {
    const isRight = format ? Number.isSafeInteger : Number.isFinite
    return (value) => {
      if (!isRight(value)) throw new WrongType()
      return value
    }
  },
  null: () => oneOf([null]),
  literal: ({ values }) => oneOf(values!),
  enum: ({ entries }) => oneOf(Object.values(entries!)),
  unknown: () => (value) => value,
  any: () => (value) => value,
  optional: ({ innerType }) => {
    const take = compile(innerType!)
    return (value) => (value === undefined ? undefined : take(value))
  },
  nullable: ({ innerType }) => {
    const take = compile(innerType!)
    return (value) => (value === null ? null : take(value))
  },
  array: ({ element }) => {
    const take = compile(element!)
    return (value) => {
      if (!Array.isArray(value)) throw new WrongType()
      return value.map((each) => take(each))
    }
  },
  object: takeFields,
  record: ({ keyType, valueType }) => {
    const [takeKey, take] = [compile(keyType!), compile(valueType!)]
    if ((keyType!.def as unknown as Def).type !== 'string') return undefined
    return (value) => {
      const fields = Object.entries(requireObject(value)).map(
        ([name, each]) => [takeKey(name), take(each)] as [string, unknown],
      )
      return Object.fromEntries(fields)
    }
  },
  // Literals only: which of several object types is meant must be decided by the schema.
  union: ({ options }) => {
    const defs = options!.map((each) => each.def as unknown as Def)
    return defs.every(({ type }) => type === 'literal')
      ? oneOf(defs.flatMap(({ values }) => values!))
      : undefined
  },
}

function takeFields({ shape, catchall }: Def): Take | undefined {
  // An extra field may be kept or refused.
  if (catchall) return undefined
  const fields = Object.entries(shape!).map(([name, field]) => ({ name, take: compile(field) }))
  return (value) => {
    const given = requireObject(value)
    const taken: Record<string, unknown> = {}
    for (const { name, take } of fields) taken[name] = take(given[name])
    return taken
  }
}

function requireObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new WrongType()
  return value as Record<string, unknown>
}
