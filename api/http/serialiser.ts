import type { ZodMiniType } from 'zod/mini'

/** Takes of a value what its schema names; throws where the value is of another type. */
type Take = (value: unknown) => unknown

/** What is looked at of a schema. */
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

export type Serialiser = (value: unknown) => string

/**
 * Writes answers as JSON: what the schema names and nothing else, so that a new column of a row never leaves. Compiled once
 * for a call: reading what we wrote ourselves by the schema took longer than all the rest of a call. Types are checked all the same;
 * whatever is not known here is left to the schema.
 */
export function makeSerialiser(schema: ZodMiniType): Serialiser {
  let take: Take | undefined
  return (value) => {
    try {
      return JSON.stringify((take ??= compile(schema))(value))
    } catch (error) {
      // The schema decides, and says what is wrong and where.
      if (error instanceof WrongType) return JSON.stringify(schema.parse(value))
      throw error
    }
  }
}

function compile(schema: ZodMiniType): Take {
  const def = schema.def as unknown as Def
  // A check may change the value as well, as trimming does.
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
  // Of literals only: which of several shapes is meant is the schema's to say.
  union: ({ options }) => {
    const defs = options!.map((each) => each.def as unknown as Def)
    return defs.every(({ type }) => type === 'literal')
      ? oneOf(defs.flatMap(({ values }) => values!))
      : undefined
  },
}

function takeFields({ shape, catchall }: Def): Take | undefined {
  // Where a field beyond the shape is kept, or refused.
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
