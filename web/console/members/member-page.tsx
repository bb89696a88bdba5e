import { fullName } from '#contract/people/full-name.ts'
import { useId, useState, type ReactNode } from 'react'
import {
  addMemberNote,
  cancelMemberEmailChange,
  cancelMemberErasure,
  clearMailboxRefusal,
  confirmMemberErasure,
  getConsoleMember,
  listMemberReaders,
  removeMemberNote,
  type ConsoleMemberDetail,
} from '#contract/people/console-members.ts'
import { hasAnyStaffRight, levelOf } from '#contract/people/level-of.ts'
import type { MailboxRefusal } from '#contract/platform/mailboxes.ts'
import { ConversationLink } from '../../conversations/conversation-link.tsx'
import { call } from '../../kernel/call/call.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { nameOfAssignee } from '../detail/assign-form.tsx'
import type { StateLines } from '../detail/conflict.tsx'
import { DetailActions, type DetailAction } from '../detail/detail-actions.tsx'
import { detailPage, type DetailContext } from '../detail/detail-page.tsx'
import type { LabeledValues } from '../detail/labeled-facts.tsx'
import type { NotesSpec } from '../../kernel/staff-notes/staff-notes.tsx'
import { CopyValue } from '../detail/copy-value.tsx'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import { memberActions } from './member-actions.tsx'
import { memberState, rightLabels, RightTags, StateTag } from './member-labels.tsx'
import { KycTag } from '../kyc-tag.tsx'
import { MemberOrders } from './member-orders.tsx'
import { MemberTimeline } from './member-timeline.tsx'
import styles from './members.module.css'

type Context = DetailContext<ConsoleMemberDetail>

const factorsOf = ({ factors }: ConsoleMemberDetail, { t, joinNames }: UsedMessages): string =>
  joinNames(factors.map((factor) => t(`consoleMembers.factor.${factor}`))) || t('consoleMembers.factor.no')

function factsOf(of: Context): LabeledValues {
  const { t, moment, formatNumber, record: member } = of
  const name = fullName(member.firstName, member.lastName, member.midName)
  return {
    'consoleMembers.email': (
      <CopyValue name={t('consoleMembers.email')} text={member.email}>
        <Address email={member.email} />
      </CopyValue>
    ),
    'consoleMembers.name': name !== member.name && name,
    'consoleMembers.rights': <Rights member={member} />,
    'consoleMembers.kyc': <KycTag kyc={member.kyc} />,
    'consoleMembers.factor': factorsOf(member, of),
    'consoleMembers.sessions': formatNumber(member.sessions),
    'consoleMembers.signIn': member.lastSignIn ? moment(member.lastSignIn) : t('consoleMembers.signIn.never'),
    'consoleMembers.joined': moment(member.memberSince),
    'console.assignee': nameOfAssignee(member, of),
    'consoleMembers.closedAt': member.closedAt && moment(member.closedAt),
    'consoleMembers.language': languageLabel(t, member.language),
    'consoleMembers.id': (
      <CopyValue name={t('consoleMembers.id')} text={member.id}>
        <span className={styles.id}>{member.id}</span>
      </CopyValue>
    ),
  }
}

function Rights({ member }: { member: ConsoleMemberDetail }) {
  const { t, joinNames } = useMessages()
  const { waitingRights } = member
  if (!hasAnyStaffRight(waitingRights ?? member)) return t('consoleMembers.rights.none')
  return (
    <>
      <RightTags member={member} />
      {waitingRights && (
        <p>
          {t('consoleMembers.rights.waiting', {
            needs: joinNames(waitingRights.needs.map((need) => t(`consoleMembers.rights.needs.${need}`))),
          })}
        </p>
      )}
    </>
  )
}

type NoticeProps = {
  of: Context
  heading: string
  actions: readonly DetailAction<ConsoleMemberDetail>[]
  children: ReactNode
}

/** What needs attention before anything else. */
function Notice({ of, heading, actions, children }: NoticeProps) {
  const id = useId()
  return (
    <section className={styles.erasure} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {children}
      {of.mayAct && actions.length > 0 && <DetailActions of={of} actions={actions} />}
    </section>
  )
}

/** Emails are not sent to the member: since when and why, which ones still are, and how to remove the suppression. */
function MailboxNotice({ of, mailbox }: { of: Context; mailbox: MailboxRefusal }) {
  const { t, language, record } = of
  const { refusedAt, trouble, code, isReported } = mailbox
  const actions: DetailAction<ConsoleMemberDetail>[] = [
    {
      words: 'consoleMembers.mailbox.remove',
      isOffered: true,
      isImmediate: true,
      step: () => call(clearMailboxRefusal, { params: { id: record.id }, body: null }),
    },
  ]
  const said = { email: record.email, time: formatMoment(refusedAt, language) }
  if (trouble === 'complaint')
    return (
      <Notice of={of} heading={t('consoleMembers.mailbox.spam.heading')} actions={actions}>
        <p>{t('consoleMembers.mailbox.spam.text', said)}</p>
        <p>{t('consoleMembers.mailbox.spam.still')}</p>
        <p>{t('consoleMembers.mailbox.spam.ends')}</p>
      </Notice>
    )
  return (
    <Notice of={of} heading={t('consoleMembers.mailbox.heading')} actions={actions}>
      <p>
        {t(isReported ? 'consoleMembers.mailbox.reported' : 'consoleMembers.mailbox.refused', {
          ...said,
          trouble: t(`consoleMails.trouble.${trouble}`),
          code,
        })}
      </p>
      <p>{t('consoleMembers.mailbox.still')}</p>
      <p>{t('consoleMembers.mailbox.ends')}</p>
    </Notice>
  )
}

type EmailChangeProps = { of: Context; change: NonNullable<ConsoleMemberDetail['emailChange']> }

/** A pending change of the address: who started it, and what it waits for. */
function EmailChangeNotice({ of, change }: EmailChangeProps) {
  const { t, language, record } = of
  const { newEmail: email, startedBy, takesEffectAt, isConfirmed } = change
  const startedAt = formatMoment(change.startedAt, language)
  const time = takesEffectAt && formatMoment(takesEffectAt, language)
  const actions: DetailAction<ConsoleMemberDetail>[] = [
    {
      words: 'consoleMembers.emailChange.drop',
      isOffered: true,
      isImmediate: true,
      step: () => call(cancelMemberEmailChange, { params: { id: record.id } }),
    },
  ]
  return (
    <Notice of={of} heading={t('consoleMembers.emailChange.heading')} actions={actions}>
      <p>
        {time
          ? t('consoleMembers.emailChange.startedBy', {
              name: startedBy ? staffName(startedBy, language) : t('console.formerColleague'),
              email,
              time: startedAt,
            })
          : t('consoleMembers.emailChange.own', { email, time: startedAt })}
      </p>
      {time && (
        <p>
          {isConfirmed
            ? t('consoleMembers.emailChange.confirmed', { time })
            : t('consoleMembers.emailChange.unconfirmed', {
                expires: formatMoment(change.expiresAt, language),
                time,
              })}
        </p>
      )}
    </Notice>
  )
}

type RecoveryProps = { of: Context; recovery: NonNullable<ConsoleMemberDetail['recovery']> }

/** An open account recovery request, and where staff decide on it. */
function RecoveryNotice({ of, recovery: { state, askedAt, takesEffectAt } }: RecoveryProps) {
  const { t, language } = of
  const asked = formatMoment(askedAt, language)
  return (
    <Notice of={of} heading={t('consoleMembers.recovery.heading')} actions={[]}>
      <p>
        {state === 'confirmed'
          ? t('consoleMembers.recovery.confirmed', {
              asked,
              time: takesEffectAt ? formatMoment(takesEffectAt, language) : '–',
            })
          : t(`consoleMembers.recovery.${state}`, { asked })}
      </p>
      {of.mayAct && (
        <p>
          <a href={pathTo('console.lostFactors')}>{t('consoleMembers.recovery.open')}</a>
        </p>
      )}
    </Notice>
  )
}

type ErasureProps = { of: Context; erasure: NonNullable<ConsoleMemberDetail['erasure']> }

/** A pending erasure: who started it and why, and when someone else can carry it out. */
function ErasureNotice({ of, erasure }: ErasureProps) {
  const { t, language, record } = of
  const params = { id: record.id }
  const [isDue] = useState(() => Date.now() >= Date.parse(erasure.dueAt))
  const actions: DetailAction<ConsoleMemberDetail>[] = [
    {
      words: 'consoleMembers.erasure.confirm',
      isOffered: isDue && !erasure.isOwn,
      kind: 'danger',
      step: () => call(confirmMemberErasure, { params, body: null }),
      next: 'leave',
    },
    {
      words: 'consoleMembers.erasure.drop',
      isOffered: true,
      isImmediate: true,
      step: () => call(cancelMemberErasure, { params }),
    },
  ]
  return (
    <Notice of={of} heading={t('consoleMembers.erasure.heading')} actions={actions}>
      <p>
        {t('consoleMembers.erasure.opened', {
          name: erasure.openedBy ? staffName(erasure.openedBy, language) : t('console.formerColleague'),
          time: formatMoment(erasure.openedAt, language),
        })}
      </p>
      <blockquote>{erasure.reason}</blockquote>
      <p>{t('consoleMembers.erasure.due', { time: formatMoment(erasure.dueAt, language) })}</p>
      {erasure.isOwn && <p>{t('consoleMembers.erasure.own')}</p>}
    </Notice>
  )
}

/** Notes by colleagues, and the reasons for actions on the account. */
const notesOf = ({ t, reader, record: { id, notes } }: Context): NotesSpec<ConsoleMemberDetail> => ({
  notes: notes.map((note) => ({ ...note, kind: t(`consoleMembers.note.${note.kind}`) })),
  draft: `member ${id}`,
  isOwn: id === reader.id,
  help: t('console.notes.exported'),
  schema: addMemberNote.body.shape.text,
  colleagues: () => call(listMemberReaders, { params: { id } }),
  add: (text, mentions) => call(addMemberNote, { params: { id }, body: { text, mentions } }),
  remove: (noteId) => call(removeMemberNote, { params: { id, noteId } }),
})

const comparedIn = (member: ConsoleMemberDetail, messages: UsedMessages): StateLines => {
  const { t, joinNames } = messages
  return [
    ['consoleMembers.member', member.email],
    ['consoleMembers.name', member.name || '–'],
    ['consoleMembers.emailChange.heading', member.emailChange?.newEmail ?? '–'],
    ['consoleMembers.state', t(`consoleMembers.state.${memberState(member)}`)],
    ['consoleMembers.rights', joinNames(rightLabels(member, t)) || t('consoleMembers.rights.none')],
    ['consoleMembers.kyc', t(`consoleMembers.kyc.${member.kyc}`)],
    ['consoleMembers.factor', factorsOf(member, messages)],
    ['consoleMembers.language', languageLabel(t, member.language)],
    ['console.assignee', nameOfAssignee(member, messages)],
  ]
}

export default detailPage<ConsoleMemberDetail>({
  route: 'console.member',
  back: 'consoleMembers.back',
  failed: 'consoleMembers.failed',
  read: (id) => call(getConsoleMember, { params: { id } }),
  conflict: comparedIn,
  name: ({ record }) => record.name || record.email,
  title: ({ record }) => record.name || <Address email={record.email} />,
  lead: ({ record }) => (
    <>
      {record.name && record.email}
      <StateTag member={record} />
    </>
  ),
  notices: (of) => (
    <>
      {of.record.mailbox && <MailboxNotice of={of} mailbox={of.record.mailbox} />}
      {of.record.emailChange && <EmailChangeNotice of={of} change={of.record.emailChange} />}
      {of.record.recovery && <RecoveryNotice of={of} recovery={of.record.recovery} />}
      {of.record.erasure && <ErasureNotice of={of} erasure={of.record.erasure} />}
    </>
  ),
  columns: [
    (of) => [
      {
        id: 'actions',
        heading: 'consoleMembers.actions',
        actions: memberActions(of),
        readOnly: 'consoleMembers.readOnly',
      },
      {
        id: 'timeline',
        heading: 'consoleMembers.timeline',
        lead: 'consoleMembers.timeline.help',
        body: (
          <MemberTimeline
            id={of.record.id}
            state={`${of.record.lastUpdated} ${of.record.notes.length} ${of.record.emailChange?.startedAt}`}
            reader={of.reader}
          />
        ),
      },
    ],
    (of) => [
      { id: 'facts', heading: 'consoleMembers.facts', facts: factsOf(of) },
      levelOf(of.reader, 'finance') >= 1 && {
        id: 'orders',
        heading: 'consoleMembers.orders',
        body: <MemberOrders id={of.record.id} email={of.record.email} />,
      },
      {
        id: 'messages',
        heading: 'consoleConversations.part',
        body: <ConversationLink about="account" of={of.record.id} ownerId={of.record.id} />,
      },
      { id: 'notes', heading: 'console.notes', notes: notesOf(of) },
    ],
  ],
})
