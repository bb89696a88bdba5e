import type {
  ConsoleMail,
  ConsoleMailDetail,
  ConsoleMailState,
  MailFailureReason,
} from '#contract/platform/console-mails.ts'
import type { Language } from '#contract/platform/fields.ts'
import { fill, isAlwaysKnown } from '../../text/fill.ts'
import { isRecord } from '../../is-record.ts'
import { covered } from '../redact-values.ts'
import { complaint, failureReasonOf, type MailFailure } from '../mail-failure.ts'
import { isMailKind } from '../mail-kinds.ts'
import { subjectOf } from '../render-mail.ts'
import type { ShownMailRow } from './console-mail.queries.ts'

/**
 * The subject of a kind's template, with a mark in place of values. For a written email, `shown` is its subject
 * as staff may see it, and its visible values are filled in. A kind of an old release may no longer have a
 * template.
 */
export function titleOf(kind: string, language: Language, shown?: ShownSubject): string {
  if (!isMailKind(kind)) return kind
  const template = subjectOf(kind, language)
  const values = shown ? readValues(subjectOf(kind, shown.language), shown.subject) : {}
  return fill(template, Object.fromEntries(blanksIn(template).map((name) => [name, values[name] ?? covered])))
}

export type ShownSubject = { subject: string; language: Language }

export const blanksIn = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => !isAlwaysKnown(name))

/** The values in a subject that was written from a template. Empty if the template has changed since. */
function readValues(template: string, subject: string): Partial<Record<string, string>> {
  const blanks = blanksIn(template)
  const marked = fill(template, Object.fromEntries(blanks.map((name) => [name, '\0'])))
  const pattern = marked.split('\0').map(escapeForPattern).join('(.+?)')
  const [, ...found] = new RegExp(`^${pattern}$`, 'u').exec(subject) ?? []
  return Object.fromEntries(found.map((value, n) => [blanks[n]!, value]))
}

const escapeForPattern = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)

type Try = ConsoleMailDetail['tries'][number]

export function presentTries({ tries, is_in_hand }: ShownMailRow): Try[] {
  const rows = (Array.isArray(tries) ? (tries as unknown[]) : []).filter(isRecord)
  return rows.map((row, n): Try => {
    const word = (name: string): string | undefined => {
      const value = row[name]
      return typeof value === 'string' ? value : undefined
    }
    const error = word('error')
    const endedAt = word('endedAt') ?? null
    const failure: MailFailure | undefined = error
      ? {
          error,
          ...pick('enhanced', word('enhanced')),
          ...pick('step', word('step')),
          ...(row['isRelayRefused'] === true && { isRelayRefused: true }),
        }
      : undefined
    const isUnderWay = is_in_hand && n === rows.length - 1
    return {
      at: word('at') ?? '',
      endedAt,
      trouble: failure ? failureReasonOf(failure) : endedAt === null && !isUnderWay ? 'interrupted' : null,
      code: failure ? codeOf(failure) : null,
      step: failure?.step ?? null,
    }
  })
}

const pick = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: string }

export const codeOf = ({ error, enhanced }: MailFailure): string =>
  enhanced ? `${error} ${enhanced}` : error

export function presentMail(row: ShownMailRow, language: Language, shown?: ShownSubject): ConsoleMail {
  const tries = presentTries(row)
  const last = tries.findLast(({ code }) => code !== null)
  const state = stateOf(row)
  const isOpen = row.last_error !== null && state !== 'sent'
  const isComplained = row.last_error === complaint
  return {
    id: row.id,
    to: row.to_address,
    kind: row.kind,
    title: titleOf(row.kind, language, shown),
    state,
    attempts: row.attempts,
    // Old releases stored only the code of the last failure.
    trouble: isComplained ? 'complaint' : isOpen ? (last?.trouble ?? oldTrouble(row.last_error!)) : null,
    code: isOpen ? (last?.code ?? row.last_error) : null,
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
    nextTryAt: row.state === 'waiting' && !row.is_in_hand ? row.next_try_at.toISOString() : null,
  }
}

const oldTrouble = (error: string): MailFailureReason => failureReasonOf({ error })

function stateOf({ state, is_in_hand, last_error }: ShownMailRow): ConsoleMailState {
  if (state !== 'waiting') return state
  if (is_in_hand) return 'sending'
  return last_error === null ? 'waiting' : 'retrying'
}
