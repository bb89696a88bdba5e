import type { FormEvent } from 'react'
import { confirmContact } from '#contract/people/conversations.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { call } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { Button } from '../kernel/ui/button.tsx'
import { FormStatus } from '../kernel/ui/form-status.tsx'
import styles from './contact.module.css'

/**
 * Confirms the address of a message. It requires a click, because mail scanners follow links. Without JavaScript, the form
 * is sent to the address of the page, which contains the code.
 */
export function ConfirmContact({ code, onConfirmed }: { code: string; onConfirmed?: () => void }) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const confirm = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    void run(async () => {
      await call(confirmContact, { body: { code } })
      onConfirmed?.()
    })
  }
  return (
    <form className={styles.form} method="post" noValidate onSubmit={confirm}>
      <h2>{t('contact.confirm.heading')}</h2>
      <p>{t('contact.confirm.lead')}</p>
      <div>
        <Button type="submit" busy={isBusy} busyLabel={t('forms.sending')}>
          {t('contact.confirm.submit')}
        </Button>
      </div>
      <FormStatus error={error} />
    </form>
  )
}
