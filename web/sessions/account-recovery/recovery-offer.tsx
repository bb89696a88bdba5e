import { useEffect, useRef, useState } from 'react'
import { requestAccountRecovery, type RecoveryState } from '#contract/people/account-recovery.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import type { Credentials } from '../credentials.ts'
import styles from './account-recovery.module.css'

/**
 * Shown where the second factor is requested: account recovery for members without any factor, and the status of their
 * request.
 */
export function RecoveryOffer({
  credentials,
  known,
}: {
  credentials: Credentials
  known: RecoveryState | undefined
}) {
  const { t } = useMessages()
  const [state, setState] = useState(known)
  const [isOpen, setIsOpen] = useState(false)
  const { isBusy, error, run } = useAction()
  const offer = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isOpen) offer.current?.focus()
  }, [isOpen])
  if (state)
    return (
      <Message kind="note" role="status">
        <RecoveryMessages state={state} />
      </Message>
    )
  if (!isOpen)
    return (
      <p className={styles.begin}>
        <TextButton
          // Blurring the empty code field would show its error and move the button away from the pointer.
          onMouseDown={(press) => press.preventDefault()}
          onClick={() => setIsOpen(true)}
        >
          {t('login.lost.begin')}
        </TextButton>
      </p>
    )
  return (
    <section className={styles.offer} aria-labelledby="lost-factor" tabIndex={-1} ref={offer}>
      <h2 id="lost-factor">{t('login.lost.heading')}</h2>
      <p>{t('login.lost.text')}</p>
      <div>
        <Button
          kind="quiet"
          busy={isBusy}
          busyLabel={t('forms.sending')}
          onClick={() =>
            void run(async () => setState(await call(requestAccountRecovery, { body: credentials })))
          }
        >
          {t('login.lost.ask')}
        </Button>
      </div>
      <FormStatus error={error} />
    </section>
  )
}

function RecoveryMessages({ state: { state, takesEffectAt } }: { state: RecoveryState }) {
  const { t, formatDateTime } = useMessages()
  if (state === 'confirmed' && takesEffectAt)
    return <p>{t('login.lost.confirmed', { time: formatDateTime(takesEffectAt) })}</p>
  return <p>{t(state === 'opened' ? 'login.lost.opened' : 'login.lost.asked')}</p>
}
