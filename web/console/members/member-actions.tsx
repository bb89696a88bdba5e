import { useState } from 'react'
import {
  endMemberSessions,
  getConsoleMember,
  offerMemberExport,
  openMemberErasure,
  resendMemberActivation,
  sendMemberReset,
  setMemberActive,
  type ConsoleMemberDetail,
} from '#contract/console-members.ts'
import { hasAnyStaffRight } from '#contract/level-of.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import type { Member } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { memberState } from './member-labels.tsx'
import styles from './members.module.css'
import { useStale } from '../detail/conflict.tsx'
import { MemberReasonDialog } from './member-reason-dialog.tsx'
import { RightsDialog } from './rights-dialog.tsx'
import { StaleMember } from './stale-member.tsx'

type Props = {
  member: ConsoleMemberDetail
  reader: Member
  onChanged: (member: ConsoleMemberDetail) => void
  onStale: () => void
}

type OpenDialog = 'close' | 'open' | 'sessions' | 'export' | 'erasure' | 'rights'

/** Actions that staff can take on the account in its current state. */
export function MemberActions({ member, reader, onChanged, onStale }: Props) {
  const { t } = useMessages()
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const { isBusy, error, run } = useAction()
  const state = memberState(member)
  const isStaff = hasAnyStaffRight(member.waitingRights ?? member)
  // The server refuses the same with `member_is_staff`.
  const mayLockOut = !isStaff || reader.isWriteAccessAdmin
  const params = { id: member.id }
  const send = (endpoint: typeof sendMemberReset, done: string) =>
    run(async () => {
      await call(endpoint, { params, body: null })
      showNotice(done, 'success')
      onChanged(await call(getConsoleMember, { params }))
    })
  const name = member.name || member.email
  const close = () => {
    setOpenDialog(undefined)
    forget()
  }
  const done = (words: string) => (changed: ConsoleMemberDetail) => {
    onChanged(changed)
    showNotice(words, 'success')
  }
  // The dialog stays open with its input, shows the current state, and continues from there.
  const { seen, attempt, onFailure, forget } = useStale(
    member,
    () => call(getConsoleMember, { params }),
    onChanged,
  )
  const note = seen && <StaleMember seen={seen} now={member} />
  const dialog = { onClose: close, onFailure, note }
  const { lastUpdated } = member
  return (
    <>
      <div className={styles.actions}>
        {state === 'pending' && (
          <Button
            kind="quiet"
            busy={isBusy}
            onClick={() => void send(resendMemberActivation, t('consoleMembers.activation.done'))}
          >
            {t('consoleMembers.activation')}
          </Button>
        )}
        {state === 'active' && (
          <Button
            kind="quiet"
            busy={isBusy}
            onClick={() => void send(sendMemberReset, t('consoleMembers.reset.done'))}
          >
            {t('consoleMembers.reset')}
          </Button>
        )}
        {member.sessions > 0 && mayLockOut && (
          <Button kind="quiet" onClick={() => setOpenDialog('sessions')}>
            {t('consoleMembers.ending')}
          </Button>
        )}
        {reader.isWriteAccessAdmin && (
          <Button kind="quiet" onClick={() => setOpenDialog('rights')}>
            {t('consoleMembers.rights.change')}
          </Button>
        )}
        {state === 'active' && (
          <Button kind="quiet" onClick={() => setOpenDialog('export')}>
            {t('consoleMembers.export')}
          </Button>
        )}
        {state === 'closed' && mayLockOut && (
          <Button kind="quiet" onClick={() => setOpenDialog('open')}>
            {t('consoleMembers.opening')}
          </Button>
        )}
        {state !== 'closed' && mayLockOut && (
          <Button kind="danger" onClick={() => setOpenDialog('close')}>
            {t('consoleMembers.closing')}
          </Button>
        )}
        {!member.erasure && state !== 'closed' && !isStaff && member.id !== reader.id && (
          <Button kind="danger" onClick={() => setOpenDialog('erasure')}>
            {t('consoleMembers.erasure')}
          </Button>
        )}
      </div>
      {!mayLockOut && <p>{t('consoleMembers.staffAccount')}</p>}
      {state === 'closed' && !isStaff && member.id !== reader.id && (
        <p>{t('consoleMembers.erasure.closed')}</p>
      )}
      <FormStatus error={error} />
      {(openDialog === 'close' || openDialog === 'open') && (
        <MemberReasonDialog
          {...dialog}
          title={t(openDialog === 'close' ? 'consoleMembers.closing.title' : 'consoleMembers.opening.title', {
            name,
          })}
          text={t(openDialog === 'close' ? 'consoleMembers.closing.text' : 'consoleMembers.opening.text', {
            name,
          })}
          label={t(openDialog === 'close' ? 'consoleMembers.closing.label' : 'consoleMembers.opening.label')}
          kind={openDialog === 'close' ? 'danger' : 'primary'}
          step={(reason) =>
            attempt(
              call(setMemberActive, { params, body: { active: openDialog === 'open', reason, lastUpdated } }),
            )
          }
          onDone={done(
            t(openDialog === 'close' ? 'consoleMembers.closing.done' : 'consoleMembers.opening.done'),
          )}
        />
      )}
      {openDialog === 'sessions' && (
        <ConfirmDialog
          title={t('consoleMembers.ending.title', { name })}
          label={t('consoleMembers.ending.label')}
          kind="danger"
          step={() => call(endMemberSessions, { params, body: null })}
          onDone={({ ended }) => {
            showNotice(t('consoleMembers.ending.done', { count: ended }), 'success')
            onStale()
          }}
          onClose={close}
        >
          <p>{t('consoleMembers.ending.text')}</p>
        </ConfirmDialog>
      )}
      {openDialog === 'export' && (
        <MemberReasonDialog
          {...dialog}
          title={t('consoleMembers.export.title', { name })}
          text={t('consoleMembers.export.text')}
          label={t('consoleMembers.export.label')}
          reasonLabel={t('consoleMembers.reason.asked')}
          step={(reason) => attempt(call(offerMemberExport, { params, body: { reason } }))}
          onDone={done(t('consoleMembers.export.done'))}
        />
      )}
      {openDialog === 'erasure' && (
        <MemberReasonDialog
          {...dialog}
          title={t('consoleMembers.erasure.title', { name })}
          text={t('consoleMembers.erasure.text')}
          label={t('consoleMembers.erasure.label')}
          reasonLabel={t('consoleMembers.reason.asked')}
          kind="danger"
          step={(reason) => attempt(call(openMemberErasure, { params, body: { reason } }))}
          onDone={done(t('consoleMembers.erasure.done'))}
        />
      )}
      {openDialog === 'rights' && (
        <RightsDialog
          {...dialog}
          member={member}
          name={name}
          attempt={attempt}
          onDone={done(t('consoleMembers.rights.done'))}
        />
      )}
    </>
  )
}
