import { auditActions, type AuditAction } from '#contract/platform/audit-actions.ts'
import type { RecordEntry } from '#contract/console/console-audit-log.ts'
import type { UsedMessages } from '../../kernel/i18n/messages.tsx'

type T = UsedMessages['t']

const isKnown = (action: string): action is AuditAction =>
  (auditActions as readonly string[]).includes(action)

const shortIdLength = 8

export function nameOfActor(t: T, { actor, detail }: Pick<RecordEntry, 'actor' | 'detail'>): string {
  if (actor === null) return t('record.program')
  const name = actor.name || t('record.erased', { id: actor.id.slice(0, shortIdLength) })
  const end = detail['tokenEnd']
  return typeof end === 'string' ? t('record.byToken', { end: `…${end}`, name }) : name
}

export function nameOfSubject(t: T, { subject }: Pick<RecordEntry, 'subject'>): string {
  const { kind, id, name } = subject
  if (name) return name
  if (id === null) return t('record.somebody')
  const short = id.slice(0, shortIdLength)
  return kind === 'member' ? t('record.erased', { id: short }) : short
}

/** Describes the event in a sentence. An action from another release is shown as its code. */
export function sentenceOf(t: T, entry: RecordEntry): string {
  const { action } = entry
  const actor = nameOfActor(t, entry)
  if (!isKnown(action)) return t('record.unknown', { actor, action })
  return t(`record.action.${action}`, { actor, subject: nameOfSubject(t, entry) })
}

const omitted = '…'

/** Returns the label of an action in the filter: its sentence without names and final punctuation. */
export const sentenceWithoutNames =
  (action: AuditAction) =>
  (t: T): string => {
    const sentence = t(`record.action.${action}`, { actor: omitted, subject: omitted })
    // Most sentences begin with the actor, and would be harder to scan.
    const label = sentence.replace(`${omitted} `, (name, at) => (at === 0 ? '' : name)).replace(/[.。]$/u, '')
    return label.charAt(0).toUpperCase() + label.slice(1)
  }
