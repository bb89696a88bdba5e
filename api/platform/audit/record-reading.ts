import { AsyncResource } from 'node:async_hooks'
import type { ZodMiniType } from 'zod/mini'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import type { Caller } from '../http/caller.ts'
import { isDownload } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { isRecord } from '../is-record.ts'
import { recordAudit } from './audit.queries.ts'

type Input = { params: unknown; query: unknown; body: unknown }
type Detail = Record<string, string | number | boolean>

/**
 * Records which staff member listed, searched, or opened records of others, with which filters, and how many they saw,
 * even none: a record that was not found counts as an empty list. Recorded before the response is sent, so that nothing
 * is shown unrecorded. The number of rows in a file is known only once it is sent, and is recorded then. Viewing one's
 * own record is not recorded.
 */
export async function recordReading(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  endpoint: Endpoint,
  caller: Caller,
  { input, output }: { input: Input; output: unknown },
): Promise<void> {
  const subjectKind = endpoint.auditsAccess ?? endpoint.auditsItself
  if (!subjectKind || !caller.isStaff) return
  const one = isRecord(output) ? idOf(output) : null
  const isOwnOrder = isRecord(output) && subjectKind === 'order' && output['memberId'] === caller.memberId
  if (one === caller.memberId || isOwnOrder) return
  const blind = (text: string) => keys.blind(`audit ${text.trim().toLowerCase()}`)
  const entry: Parameters<typeof recordAudit>[1] = {
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
  }
  await recordAudit(db, entry)
  if (isDownload(output) && output.rows)
    // Keeps the API token of the request, which the entry names.
    output.rows.onEnd = AsyncResource.bind((count: number) =>
      recordAudit(db, { ...entry, detail: { ...entry.detail, count } }),
    )
}

/** Returns the ID of the record, under the names used in responses. */
const idOf = ({ id, _id, orderId }: Record<string, unknown>): string | null =>
  [id, _id, orderId].find((each) => typeof each === 'string') ?? null

/**
 * Returns the filters for the log. Choices, numbers, and IDs are recorded as they are. Typed text may be personal and
 * the log is never erased, so it is recorded as a keyed hash, which can confirm whether someone searched for a known
 * text.
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
      filter[name] = isPlain(shape[name], name, value) ? value : `hashed:${blind(value)}`
  }
  return filter
}

/** Whether the value was not typed freely. */
const isPlain = (schema: ZodMiniType | undefined, name: string, value: string): boolean =>
  isChosen(schema) || isId(name, value) || isDay(name, value)

/** Whether the value is an ID in the format of the database; anything else was typed. */
const isId = (name: string, value: string): boolean =>
  ['memberId', 'id', '_id'].includes(name) && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)

/** Whether the value is a day that bounds a list of the console. */
const isDay = (name: string, value: string): boolean =>
  ['from', 'to'].includes(name) && /^\d{4}-\d\d-\d\d$/.test(value)

function isChosen(schema: ZodMiniType | undefined): boolean {
  const { type, innerType } = (schema?.def ?? {}) as { type?: string; innerType?: ZodMiniType }
  return innerType ? isChosen(innerType) : type === 'enum' || type === 'literal'
}
