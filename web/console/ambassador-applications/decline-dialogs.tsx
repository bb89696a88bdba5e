import { useState } from 'react'
import {
  declineAmbassadorApplication,
  declineAmbassadorApplications,
  type ApplicationDetail,
  type ListedApplication,
} from '#contract/people/console-ambassadors.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { Dialog } from '../../kernel/ui/dialog.tsx'
import { Checkbox, TextArea } from '../../kernel/ui/field.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import type { DialogTools } from '../detail/detail-actions.tsx'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import styles from './applications.module.css'

/**
 * The reason, and whether the applicant will read it. `take` returns null while the reason is missing, and the field
 * then shows an error.
 */
function useDeclining() {
  const [reason, setReason] = useState('')
  const [isReasonTold, setTold] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const take = () => {
    setMissing(!reason.trim())
    return reason.trim() ? { reason: reason.trim(), isReasonTold } : null
  }
  return { reason, setReason, isReasonTold, setTold, isMissing: isMissing && !reason.trim(), take }
}

function DecliningFields({ of }: { of: ReturnType<typeof useDeclining> }) {
  const { t } = useMessages()
  return (
    <>
      <TextArea
        label={t('consoleAmbassadors.reason')}
        help={t(of.isReasonTold ? 'consoleAmbassadors.reason.toldHelp' : 'consoleAmbassadors.reason.help')}
        error={of.isMissing ? t('field.required') : undefined}
        rows={3}
        maxLength={boundsOf(declineAmbassadorApplication.body.shape.reason).maxLength}
        value={of.reason}
        onChange={({ target }) => of.setReason(target.value)}
      />
      <Checkbox
        label={t('consoleAmbassadors.reason.tell')}
        checked={of.isReasonTold}
        onChange={({ target }) => of.setTold(target.checked)}
      />
    </>
  )
}

export function DeclineDialog({
  application: { id, fullName, language, lastUpdated },
  note,
  attempt,
  finish,
  ...rest
}: DialogTools<ApplicationDetail> & { application: ApplicationDetail }) {
  const { t } = useMessages()
  const declining = useDeclining()
  return (
    <ConfirmDialog
      {...rest}
      title={t('consoleAmbassadors.decline.title', { name: fullName })}
      label={t('consoleAmbassadors.decline.label')}
      kind="danger"
      step={() => {
        const given = declining.take()
        if (!given) return null
        const body = { lastUpdated, ...given }
        return attempt(call(declineAmbassadorApplication, { params: { id }, body }))
      }}
      onDone={finish(t('consoleAmbassadors.decline.done'))}
    >
      {note}
      <p>{t('consoleAmbassadors.decline.text', { language: languageLabel(t, language) })}</p>
      <DecliningFields of={declining} />
    </ConfirmDialog>
  )
}

type Outcome = OutputOf<typeof declineAmbassadorApplications>

type Props = {
  applications: readonly ListedApplication[]
  onClose: (hasRun: boolean) => void
}

/** Declines several applications with one reason. Those that changed in the meantime are left unchanged and listed. */
export function BulkDecline({ applications, onClose }: Props) {
  const { t } = useMessages()
  const declining = useDeclining()
  const { isBusy, error, run, reset } = useAction()
  const [outcome, setOutcome] = useState<Outcome>()
  const decline = async () => {
    const given = declining.take()
    if (!given) return reset()
    const targets = applications.map(({ id, lastUpdated }) => ({ id, lastUpdated }))
    await run(async () =>
      setOutcome(await call(declineAmbassadorApplications, { body: { applications: targets, ...given } })),
    )
  }
  return (
    <Dialog
      isOpen
      // A running action must not be interrupted by accident.
      onClose={() => !isBusy && onClose(outcome !== undefined)}
      title={t('consoleAmbassadors.decline.bulkTitle', { count: applications.length })}
      actions={
        outcome ? (
          <Button onClick={() => onClose(true)}>{t('console.list.bulk.close')}</Button>
        ) : (
          <>
            <Button kind="quiet" disabled={isBusy} onClick={() => onClose(false)}>
              {t('forms.cancel')}
            </Button>
            <Button kind="danger" busy={isBusy} onClick={() => void decline()}>
              {t('consoleAmbassadors.decline.bulkLabel', { count: applications.length })}
            </Button>
          </>
        )
      }
    >
      {outcome ? (
        <Declined outcome={outcome} applications={applications} />
      ) : (
        <>
          <p>{t('consoleAmbassadors.decline.bulkText')}</p>
          <ul className={styles.chosen}>
            {applications.map(({ id, fullName, city }) => (
              <li key={id}>
                {fullName} · {city}
              </li>
            ))}
          </ul>
          <DecliningFields of={declining} />
        </>
      )}
      <FormStatus error={error} />
    </Dialog>
  )
}

/** How many were declined, and which were left unchanged and why. */
function Declined({ outcome, applications }: Pick<Props, 'applications'> & { outcome: Outcome }) {
  const { t } = useMessages()
  const { declined, unchanged } = outcome
  const nameOf = (id: string) => applications.find((each) => each.id === id)?.fullName ?? id
  return (
    <div role="status">
      <p>
        {t('console.list.bulk.done', {
          count: declined.length,
          all: declined.length + unchanged.length,
        })}
      </p>
      {unchanged.length > 0 && (
        <ul>
          {unchanged.map(({ id, why }) => (
            <li key={id}>{t(`consoleAmbassadors.unchanged.${why}`, { name: nameOf(id) })}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
