import { shownReference } from '../../platform/text/order-reference.ts'
import type { api } from '#contract/api.ts'
import type { Language } from '#contract/platform/fields.ts'
import { levelOf } from '#contract/people/level-of.ts'
import type { TimelineEntry } from '#contract/platform/timeline.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { isRecord } from '../../platform/is-record.ts'
import { titleOf, type ShownSubject } from '../../platform/mail/console/present-mail.ts'
import { readShownSubjects } from '../../platform/mail/console/read-shown-subjects.ts'
import { findSummary } from '../../people/members/member.queries.ts'
import { Refused } from '../../platform/refused.ts'
import { listTimeline, type TimelineRow } from './timeline.queries.ts'

export const readMemberTimeline: Handler<typeof api.readMemberTimeline> = async (
  { params, query },
  { db, keys, caller, answer, request },
) => {
  if (!(await findSummary(db, params.id))) throw new Refused('not_found')
  const sight = {
    isFinance: levelOf(caller.rights, 'finance') >= 1,
    isAdmin: caller.rights.isWriteAccessAdmin,
    isOwn: params.id === caller.memberId,
  }
  const page = await listTimeline(db, params.id, sight, query)
  answer.setNext(page.next)
  const mails = page.rows.filter(({ kind }) => kind === 'mail')
  const subjects = await readShownSubjects(
    { db, keys },
    mails.map((row) => ({ id: mailIdOf(row), kind: row.what })),
  )
  const subjectIn = (row: TimelineRow) => subjectOf(row, request.language, subjects)
  return page.rows.map((row) => present(row, params.id, subjectIn(row)))
}

/** The key of a row is the letter of its kind, and its ID. */
const mailIdOf = ({ id }: TimelineRow): string => id.slice(1)

function present(row: TimelineRow, memberId: string, subject: string): TimelineEntry {
  const isMember = row.actor_id === memberId
  return {
    key: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    what: row.what,
    by: isMember || row.actor_id === null ? null : row.actor,
    isMember,
    subjectId: row.subject_id,
    subject,
    detail: detailOf(row),
  }
}

/** Orders and emails have the same names as in their own lists. */
function subjectOf(
  row: TimelineRow,
  language: Language,
  subjects: ReadonlyMap<string, ShownSubject>,
): string {
  const { kind, what, subject } = row
  if (kind === 'mail') return titleOf(what, language, subjects.get(mailIdOf(row)))
  return kind === 'order' && subject ? shownReference(subject) : subject
}

const saidOf = { signIn: 'device', mail: 'state', note: 'text' } as const

function detailOf({ kind, detail }: TimelineRow): string {
  if (!isRecord(detail)) return ''
  const said =
    kind in saidOf ? detail[saidOf[kind as keyof typeof saidOf]] : (detail['changes'] ?? detail['fields'])
  if (Array.isArray(said)) return said.join(', ')
  return typeof said === 'string' ? said : ''
}
