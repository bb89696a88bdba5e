import { useState } from 'react'
import {
  acceptAmbassadorApplication,
  assignAmbassadorApplication,
  declineAmbassadorApplication,
  eraseAmbassadorApplication,
  getAmbassadorApplication,
  reviewAmbassadorApplication,
  type ApplicationDetail,
} from '#contract/console-ambassadors.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import type { Member } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { languageLabel } from '../language-label.ts'
import { useStale } from '../use-stale.ts'
import styles from './applications.module.css'
import { AssignForm } from './assign-form.tsx'
import { DeclineDialog } from './decline-dialog.tsx'
import { StaleApplication } from './stale-application.tsx'

type Props = {
  application: ApplicationDetail
  reader: Member
  onChanged: (application: ApplicationDetail) => void
  onErased: () => void
}

/** The actions available in the current status. */
export function ApplicationActions({ application, reader, onChanged, onErased }: Props) {
  const { t } = useMessages()
  const [openDialog, setOpenDialog] = useState<'accept' | 'decline' | 'erase'>()
  const { isBusy, error, run } = useAction()
  const { id, status, fullName, language, lastUpdated, assignee } = application
  const params = { id }
  const body = { lastUpdated }
  const isOpen = status === 'received' || status === 'in_review'
  const { seen, attempt, onFailure, forget } = useStale(
    application,
    () => call(getAmbassadorApplication, { params }),
    onChanged,
  )
  const become = (words: string) => (changed: ApplicationDetail) => {
    forget()
    onChanged(changed)
    showNotice(words, 'success')
  }
  const act = (work: Promise<ApplicationDetail>, words: string) =>
    run(async () => {
      try {
        become(words)(await attempt(work))
      } catch (failure) {
        if (!onFailure(failure)) throw failure
      }
    })
  const assign = (to: string | null) =>
    act(
      call(assignAmbassadorApplication, { params, body: { to, ...body } }),
      t(to === null ? 'consoleAmbassadors.released.done' : 'consoleAmbassadors.assigned.done'),
    )
  const note = seen && <StaleApplication seen={seen} now={application} />
  const close = () => {
    setOpenDialog(undefined)
    forget()
  }
  const dialog = { onClose: close, onFailure }
  return (
    <>
      {!openDialog && note}
      {isOpen && (
        <AssignForm
          key={assignee?.id ?? ''}
          assignee={assignee}
          reader={reader}
          isBusy={isBusy}
          onAssign={(to) => void assign(to)}
        />
      )}
      <div className={styles.actions}>
        {status === 'received' && (
          <Button
            busy={isBusy}
            onClick={() =>
              void act(
                call(reviewAmbassadorApplication, { params, body }),
                t('consoleAmbassadors.review.done'),
              )
            }
          >
            {t('consoleAmbassadors.review')}
          </Button>
        )}
        {status === 'in_review' && (
          <Button onClick={() => setOpenDialog('accept')}>{t('consoleAmbassadors.accept')}</Button>
        )}
        {isOpen && (
          <Button kind="danger" onClick={() => setOpenDialog('decline')}>
            {t('consoleAmbassadors.decline')}
          </Button>
        )}
        {application.isErasable && (
          <Button kind="quiet" onClick={() => setOpenDialog('erase')}>
            {t('consoleAmbassadors.erase')}
          </Button>
        )}
      </div>
      {status === 'accepted' && application.ambassadorId && (
        <p>{t(application.isErasable ? 'consoleAmbassadors.invited' : 'consoleAmbassadors.accepted')}</p>
      )}
      <FormStatus error={error} />
      {openDialog === 'accept' && (
        <ConfirmDialog
          title={t('consoleAmbassadors.accept.title', { name: fullName })}
          label={t('consoleAmbassadors.accept.label')}
          step={() => attempt(call(acceptAmbassadorApplication, { params, body }))}
          onDone={become(t('consoleAmbassadors.accept.done'))}
          {...dialog}
        >
          {note}
          <p>{t('consoleAmbassadors.accept.text', { language: languageLabel(t, language) })}</p>
        </ConfirmDialog>
      )}
      {openDialog === 'decline' && (
        <DeclineDialog
          {...dialog}
          name={fullName}
          note={note}
          language={languageLabel(t, language)}
          step={(given) =>
            attempt(call(declineAmbassadorApplication, { params, body: { ...body, ...given } }))
          }
          onDone={become(t('consoleAmbassadors.decline.done'))}
        />
      )}
      {openDialog === 'erase' && (
        <ConfirmDialog
          title={t('consoleAmbassadors.erase.title', { name: fullName })}
          label={t('consoleAmbassadors.erase.label')}
          kind="danger"
          step={() => attempt(call(eraseAmbassadorApplication, { params }))}
          onDone={() => {
            showNotice(t('consoleAmbassadors.erase.done'), 'success')
            onErased()
          }}
          {...dialog}
        >
          {note}
          <p>{t('consoleAmbassadors.erase.text')}</p>
          {application.ambassadorId && <p>{t('consoleAmbassadors.erase.invitation')}</p>}
        </ConfirmDialog>
      )}
    </>
  )
}
