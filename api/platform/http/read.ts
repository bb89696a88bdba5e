import type { ZodMiniType } from 'zod/mini'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { fieldProblems, type FieldProblem } from '#contract/platform/errors.ts'
import { isRecord } from '../is-record.ts'
import { Refused, refusedField, type FieldRefusal } from '../refused.ts'

/** The maximum number of problems in an answer, so that it stays small whatever was sent. */
const namedMax = 20
/** A body with more unknown fields than this is refused before its values are checked. */
const unknownMax = 200
/** Names in an answer are cut to this length, because the sender chose them. */
const pathLengthMax = 200

type Raw = { params: unknown; query: unknown; body: unknown }

/** Parses a request by the contract. Unknown fields are refused, never dropped; `appId` was already removed. */
export function readInput(endpoint: Endpoint, raw: Raw): { params: unknown; query: unknown; body: unknown } {
  return {
    params: readPart(endpoint.params, raw.params, 'not_found'),
    query: readPart(endpoint.query, raw.query, 'validation_failed'),
    body: readPart(endpoint.body, raw.body, 'validation_failed'),
  }
}

function readPart(
  schema: ZodMiniType | undefined,
  value: unknown,
  code: 'validation_failed' | 'not_found',
): unknown {
  if (!schema) return undefined
  // The only name that a loose schema would drop silently.
  if (isRecord(value) && Object.hasOwn(value, '__proto__')) throw refusedField('__proto__', 'unknown')
  refuseManyUnknown(schema, value)
  const result = schema.safeParse(value)
  if (result.success) return result.data
  if (code === 'not_found') throw new Refused(code)
  throw new Refused(code, { fields: firstFields(result.error.issues) })
}

/** Also for schemas that accept any field, because a handler would check each. */
function refuseManyUnknown(schema: ZodMiniType, value: unknown): void {
  if (!isRecord(value)) return
  const { shape = {} } = schema.def as { shape?: object }
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(shape, key))
  if (unknown.length > unknownMax)
    throw new Refused('validation_failed', { fields: firstFields([unrecognized(unknown)]) })
}

const unrecognized = (keys: readonly string[]): Issue => ({
  code: 'unrecognized_keys',
  path: [],
  message: '',
  keys,
})

/** Reports only the first problem of each field: an empty address is missing, not also invalid. */
function firstFields(issues: readonly Issue[]): FieldRefusal[] {
  const first = new Map<string, FieldRefusal>()
  for (const issue of issues) {
    for (const field of fieldsOf(issue)) if (!first.has(field.path)) first.set(field.path, field)
    if (first.size >= namedMax) break
  }
  return [...first.values()].slice(0, namedMax)
}

type Issue = {
  code?: string | undefined
  path: readonly PropertyKey[]
  message: string
  keys?: readonly string[]
  minimum?: number | bigint
  maximum?: number | bigint
  params?: { minimum?: number; maximum?: number } | undefined
  input?: unknown
}

function fieldsOf(issue: Issue): FieldRefusal[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys')
    return (issue.keys ?? [])
      .slice(0, namedMax)
      .map((key) => ({ path: pathOf([...path, key]), code: 'unknown' }))
  const { minimum = issue.params?.minimum, maximum = issue.params?.maximum } = issue
  const values: Record<string, number> = {}
  if (minimum !== undefined) values['min'] = Number(minimum)
  if (maximum !== undefined) values['max'] = Number(maximum)
  return [{ path: pathOf(path), code: problemIn(issue), values } as FieldRefusal]
}

const pathOf = (parts: readonly string[]): string =>
  parts
    .map((part) => part.slice(0, pathLengthMax))
    .join('.')
    .slice(0, pathLengthMax)
    .toWellFormed()

/** Checks of the contract use a field problem as their message; type errors do not. */
function problemIn(issue: Issue): FieldProblem {
  if ((fieldProblems as readonly string[]).includes(issue.message)) return issue.message as FieldProblem
  if (issue.code === 'invalid_type') return 'required'
  if (issue.code === 'too_big') return 'too_long'
  if (issue.code === 'too_small') return 'too_short'
  if (issue.code === 'invalid_value') return 'one_of'
  return 'invalid'
}
