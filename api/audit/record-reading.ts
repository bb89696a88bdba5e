import type { ZodMiniType } from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Caller } from '../http/caller.ts'
import type { Services } from '../services.ts'
import { isRecord } from '../is-record.ts'
import { recordAudit } from './audit.queries.ts'

type Input = { params: unknown; query: unknown; body: unknown }
type Detail = Record<string, string | number | boolean>

/**
 * Who of the staff listed, searched or opened records of others, by what, and how many they saw, also if none: a record that
 * was not found is given as an empty list. Written before the answer is sent: what cannot be recorded is not shown. One's
 * own record is nobody else's business.
 */
export async function recordReading(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  endpoint: Endpoint,
  caller: Caller,
  input: Input,
  output: unknown,
): Promise<void> {
  const subjectKind = endpoint.recordsReading ?? endpoint.recordsItself
  if (!subjectKind || !caller.isStaff) return
  const one = isRecord(output) ? idOf(output) : null
  const isOwnOrder = isRecord(output) && subjectKind === 'order' && output['memberId'] === caller.memberId
  if (one === caller.memberId || isOwnOrder) return
  const blind = (text: string) => keys.blind(`audit ${text.trim().toLowerCase()}`)
  await recordAudit(db, {
    actorId: caller.memberId,
    action: one === null || subjectKind === 'record' ? `${subjectKind}-listed` : `${subjectKind}-viewed`,
    subjectKind,
    subjectId: one,
    detail: {
      ...(Array.isArray(output)
        ? { count: output.length, ...filterOf(endpoint.params, input.params, blind) }
        : {}),
      ...filterOf(endpoint.query, input.query, blind),
      ...filterOf(endpoint.body, input.body, blind),
    },
  })
}

/** As the answers name the record that they are about. */
const idOf = ({ id, _id, orderId }: Record<string, unknown>): string | null =>
  [id, _id, orderId].find((each) => typeof each === 'string') ?? null

/**
 * What was filtered by. Choices, numbers and ids are written as they are. What was typed is about a person, and the log is
 * never erased: it is written as a keyed hash, which tells whether somebody searched for a text that one knows.
 */
function filterOf(schema: ZodMiniType | undefined, given: unknown, blind: (text: string) => string): Detail {
  if (!isRecord(given)) return {}
  const { shape = {} } = (schema?.def ?? {}) as { shape?: Record<string, ZodMiniType> }
  const filter: Detail = {}
  for (const [name, value] of Object.entries(given)) {
    if (name === 'limit' || name === 'sort' || value === undefined) continue
    if (name === 'after') filter['isLaterPage'] = true
    else if (typeof value === 'number' || typeof value === 'boolean') filter[name] = value
    else if (typeof value === 'string')
      filter[name] =
        isChosen(shape[name]) || isId(name, value) || isDay(name, value) ? value : `hashed:${blind(value)}`
  }
  return filter
}

/** As the database makes them: whatever else is given as one was typed. */
const isId = (name: string, value: string): boolean =>
  ['memberId', 'id', '_id'].includes(name) && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)

/** The days between which a list of the console lies. */
const isDay = (name: string, value: string): boolean =>
  ['from', 'to'].includes(name) && /^\d{4}-\d\d-\d\d$/.test(value)

function isChosen(schema: ZodMiniType | undefined): boolean {
  const { type, innerType } = (schema?.def ?? {}) as { type?: string; innerType?: ZodMiniType }
  return innerType ? isChosen(innerType) : type === 'enum' || type === 'literal'
}
