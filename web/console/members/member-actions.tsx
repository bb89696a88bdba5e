import { useState } from 'react'
import {
  assignMember,
  endMemberSessions,
  listMemberColleagues,
  offerMemberExport,
  offerMemberRecovery,
  openMemberErasure,
  resendMemberActivation,
  sendMemberReset,
  setMemberActive,
  setMemberRights,
  type ConsoleMemberDetail,
} from '#contract/people/console-members.ts'
import { hasAnyStaffRight, type Rights } from '#contract/people/level-of.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { AssignForm } from '../detail/assign-form.tsx'
import type { ActionList, DetailAction, DialogTools } from '../detail/detail-actions.tsx'
import type { DetailContext } from '../detail/detail-page.tsx'
import { ReasonDialog } from '../detail/reason-dialog.tsx'
import { CorrectEmailDialog } from './correct-email-dialog.tsx'
import { memberState } from './member-labels.tsx'
import { RightFields } from './right-fields.tsx'

type Context = DetailContext<ConsoleMemberDetail>
type Action = DetailAction<ConsoleMemberDetail>

/** Actions that staff can take on the account in its current state. */
export function memberActions(of: Context): ActionList<ConsoleMemberDetail> {
  const { t, record: member, reader } = of
  const isStaff = hasAnyStaffRight(member.waitingRights ?? member)
  // The server refuses the same with `member_is_staff`.
  const mayLockOut = !isStaff || reader.isWriteAccessAdmin
  const isErasable = !isStaff && member.id !== reader.id
  const isCorrectable =
    mayLockOut && member.id !== reader.id && memberState(member) === 'active' && !member.emailChange
  return {
    before: (act, isBusy) =>
      member.id !== reader.id && (
        <AssignForm
          key={member.assignee?.id ?? ''}
          assignee={member.assignee}
          reader={reader}
          colleagues={() => call(listMemberColleagues, {})}
          assign={(to) => assign(member, to)}
          act={act}
          isBusy={isBusy}
        />
      ),
    actions: [
      ...accessActions(of, mayLockOut, isCorrectable && !member.mailbox),
      ...accountActions(of, mayLockOut, isErasable),
    ],
    after: (
      <>
        {!mayLockOut && <p>{t('consoleMembers.staffAccount')}</p>}
        {isCorrectable && member.mailbox && <p>{t('consoleMembers.emailCorrection.bouncing')}</p>}
        {memberState(member) === 'closed' && isErasable && <p>{t('consoleMembers.erasure.closed')}</p>}
      </>
    ),
  }
}

async function assign(member: ConsoleMemberDetail, to: string | null): Promise<ConsoleMemberDetail> {
  const body = { to, from: member.assignee?.id ?? null }
  return { ...member, ...(await call(assignMember, { params: { id: member.id }, body })) }
}

/** Whether and how the member can sign in, and what they can do then. */
function accessActions(of: Context, mayLockOut: boolean, isCorrectable: boolean): Action[] {
  const { record: member, reader } = of
  const state = memberState(member)
  const target = { params: { id: member.id }, body: null }
  return [
    {
      words: 'consoleMembers.activation',
      isOffered: state === 'pending',
      isImmediate: true,
      step: () => call(resendMemberActivation, target),
      next: 'reload',
    },
    {
      words: 'consoleMembers.reset',
      isOffered: state === 'active',
      isImmediate: true,
      step: () => call(sendMemberReset, target),
      next: 'reload',
    },
    {
      words: 'consoleMembers.emailCorrection',
      isOffered: isCorrectable,
      dialog: (tools) => <CorrectEmailDialog of={of} reason={reasonOf(of)} {...tools} />,
    },
    {
      words: 'consoleMembers.ending',
      isOffered: member.sessions > 0 && mayLockOut,
      dialog: ({ onClose }) => <SessionsDialog of={of} onClose={onClose} />,
    },
    {
      words: 'consoleMembers.rights.change',
      isOffered: reader.isWriteAccessAdmin,
      dialog: (tools) => <RightsDialog of={of} {...tools} />,
    },
  ]
}

const reasonOf = ({ t }: Context, label: PlainKey = 'consoleMembers.reason') => ({
  label: t(label),
  help: t('consoleMembers.reason.help'),
  schema: setMemberActive.body.shape.reason,
})

/** What becomes of the account and its data. */
function accountActions(of: Context, mayLockOut: boolean, isErasable: boolean): Action[] {
  const { lastUpdated, erasure, id } = of.record
  const state = memberState(of.record)
  const params = { id }
  const setActive = (active: boolean) => (reason: string) =>
    call(setMemberActive, { params, body: { active, reason, lastUpdated } })
  return [
    {
      words: 'consoleMembers.export',
      isOffered: state === 'active',
      reason: reasonOf(of, 'consoleMembers.reason.asked'),
      step: (reason) => call(offerMemberExport, { params, body: { reason } }),
    },
    {
      words: 'consoleMembers.recovery',
      isOffered: state === 'active' && of.record.factors.length > 0 && !of.record.recovery,
      reason: reasonOf(of, 'consoleMembers.reason.asked'),
      step: (reason) => call(offerMemberRecovery, { params, body: { reason } }),
    },
    {
      words: 'consoleMembers.opening',
      isOffered: state === 'closed' && mayLockOut,
      reason: reasonOf(of),
      step: setActive(true),
    },
    {
      words: 'consoleMembers.closing',
      isOffered: state !== 'closed' && mayLockOut,
      kind: 'danger',
      reason: reasonOf(of),
      step: setActive(false),
    },
    {
      words: 'consoleMembers.erasure',
      isOffered: !erasure && state !== 'closed' && isErasable,
      kind: 'danger',
      reason: reasonOf(of, 'consoleMembers.reason.asked'),
      step: (reason) => call(openMemberErasure, { params, body: { reason } }),
    },
  ]
}

function SessionsDialog({ of: { t, name, record, reload }, onClose }: { of: Context; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={t('consoleMembers.ending.title', { name })}
      label={t('consoleMembers.ending.label')}
      kind="danger"
      step={() => call(endMemberSessions, { params: { id: record.id }, body: null })}
      onDone={({ ended }) => {
        showNotice(t('consoleMembers.ending.done', { count: ended }), 'success')
        reload()
      }}
      onClose={onClose}
    >
      <p>{t('consoleMembers.ending.text')}</p>
    </ConfirmDialog>
  )
}

/** Grants and revokes the four levels and the administrator right together. Only changes are sent. */
function RightsDialog({ of, attempt, finish, ...rest }: DialogTools<ConsoleMemberDetail> & { of: Context }) {
  const { t, name, record: member } = of
  const granted: Rights = member.waitingRights ?? member
  const [wanted, setWanted] = useState<Partial<Rights>>({})
  const [isSame, setSame] = useState(false)
  const value = { ...granted, ...wanted }
  const changed = Object.fromEntries(
    Object.entries(wanted).filter(([field, level]) => granted[field as keyof Rights] !== level),
  ) as Partial<Rights>
  const change = (field: Partial<Rights>) => setWanted({ ...wanted, ...field })
  return (
    <ReasonDialog
      {...rest}
      title={t('consoleMembers.rights.title', { name })}
      text={t('consoleMembers.rights.text')}
      label={t('consoleMembers.rights.label')}
      reason={reasonOf(of)}
      step={(reason) => {
        const hasChange = Object.keys(changed).length > 0
        setSame(!hasChange)
        if (!hasChange) return null
        const body = { ...changed, reason, lastUpdated: member.lastUpdated }
        return attempt(call(setMemberRights, { params: { id: member.id }, body }))
      }}
      onDone={finish(t('consoleMembers.rights.done'))}
    >
      <RightFields
        value={value}
        error={isSame && Object.keys(changed).length === 0 ? t('consoleMembers.rights.same') : undefined}
        onChange={change}
      />
    </ReasonDialog>
  )
}
