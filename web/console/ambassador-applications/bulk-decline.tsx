import { useState } from 'react'
import { declineAmbassadorApplications, type ListedApplication } from '#contract/console-ambassadors.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import type { KeyTaking } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import styles from './applications.module.css'
import { DecliningFields, useDeclining } from './declining-fields.tsx'

type Outcome = OutputOf<typeof declineAmbassadorApplications>

const whyWords = {
  changed: 'consoleAmbassadors.unchanged.changed',
  decided: 'consoleAmbassadors.unchanged.decided',
  own: 'consoleAmbassadors.unchanged.own',
  gone: 'consoleAmbassadors.unchanged.gone',
} as const satisfies Record<Outcome['unchanged'][number]['why'], KeyTaking<'name'>>

/** Several with one reason. What moved meanwhile is left as it is, and named. */
export function BulkDecline({
  applications,
  onClose,
}: {
  applications: readonly ListedApplication[]
  onClose: (hasRun: boolean) => void
}) {
  const { t } = useWords()
  const declining = useDeclining()
  const { isBusy, error, run, forget } = useAction()
  const [outcome, setOutcome] = useState<Outcome>()
  const decline = async () => {
    const given = declining.take()
    if (!given) return forget()
    const asked = applications.map(({ id, lastUpdated }) => ({ id, lastUpdated }))
    await run(async () =>
      setOutcome(await call(declineAmbassadorApplications, { body: { applications: asked, ...given } })),
    )
  }
  const nameOf = (id: string) => applications.find((each) => each.id === id)?.fullName ?? id
  return (
    <Dialog
      isOpen
      // What runs is not interrupted by a slip of the hand.
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
        <div role="status">
          <p>
            {t('console.list.bulk.done', {
              count: outcome.declined.length,
              all: outcome.declined.length + outcome.unchanged.length,
            })}
          </p>
          {outcome.unchanged.length > 0 && (
            <ul>
              {outcome.unchanged.map(({ id, why }) => (
                <li key={id}>{t(whyWords[why], { name: nameOf(id) })}</li>
              ))}
            </ul>
          )}
        </div>
      ) : (
        <>
          <p>{t('consoleAmbassadors.decline.bulkText')}</p>
          <ul className={styles.chosen}>
            {applications.map(({ id, fullName, city }) => (
              <li key={id}>
                {fullName}, {city}
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
