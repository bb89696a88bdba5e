import type {
  ConsoleMail,
  ConsoleMailDetail,
  ConsoleMailState,
  MailTrouble,
} from '#contract/console-mails.ts'
import type { Language } from '#contract/fields.ts'
import { fill, isAlwaysKnown } from '../../fill.ts'
import { isRecord } from '../../is-record.ts'
import { covered } from '../cover-values.ts'
import { troubleOf, type MailFailure } from '../mail-failure.ts'
import { isMailKind, subjectOf } from '../render-mail.ts'
import type { ShownMailRow } from './console-mail.queries.ts'

/** The subject of its template, with a mark where values stand. A mail of an old release may have none any more. */
export function titleOf(kind: string, language: Language): string {
  if (!isMailKind(kind)) return kind
  const subject = subjectOf(kind, language)
  const blanks = [...subject.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name!)
    .filter((name) => !isAlwaysKnown(name))
  return fill(subject, Object.fromEntries(blanks.map((name) => [name, covered])))
}

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
      trouble: failure ? troubleOf(failure) : endedAt === null && !isUnderWay ? 'interrupted' : null,
      code: failure ? codeOf(failure) : null,
      step: failure?.step ?? null,
    }
  })
}

const pick = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: string }

export const codeOf = ({ error, enhanced }: MailFailure): string =>
  enhanced ? `${error} ${enhanced}` : error

export function presentMail(row: ShownMailRow, language: Language): ConsoleMail {
  const tries = presentTries(row)
  const last = tries.findLast(({ code }) => code !== null)
  const state = stateOf(row)
  const isOpen = row.last_error !== null && state !== 'sent'
  return {
    id: row.id,
    to: row.to_address,
    kind: row.kind,
    title: titleOf(row.kind, language),
    state,
    attempts: row.attempts,
    // An old release kept the code of the last failure only.
    trouble: isOpen ? (last?.trouble ?? oldTrouble(row.last_error!)) : null,
    code: isOpen ? (last?.code ?? row.last_error) : null,
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
    nextTryAt: row.state === 'waiting' && !row.is_in_hand ? row.next_try_at.toISOString() : null,
  }
}

const oldTrouble = (error: string): MailTrouble => troubleOf({ error })

function stateOf({ state, is_in_hand, last_error }: ShownMailRow): ConsoleMailState {
  if (state !== 'waiting') return state
  if (is_in_hand) return 'sending'
  return last_error === null ? 'waiting' : 'retrying'
}
