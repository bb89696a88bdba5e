import type { FormEvent } from 'react'
import { confirmContact } from '#contract/people/conversations.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { call } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { Button } from '../kernel/ui/button.tsx'
import { FormStatus } from '../kernel/ui/form-status.tsx'
import styles from './contact.module.css'

/** Confirms the address of a message. It requires a click, because mail scanners follow links. */
export function ConfirmContact({ code, onConfirmed }: { code: string; onConfirmed: () => void }) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const confirm = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    void run(async () => {
      await call(confirmContact, { body: { code } })
      onConfirmed()
    })
  }
  return (
    <form className={styles.form} noValidate onSubmit={confirm}>
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

/**
 * The way on for readers without JavaScript who opened the link in an email: the form is sent to the address of the page,
 * whose code the server then reads. It confirms the address, or returns the form for an answer.
 */
export function OpenEmailedLink() {
  const { t } = useMessages()
  return (
    <form className={styles.form} method="post">
      <h2>{t('contact.link.heading')}</h2>
      <p>{t('contact.link.lead')}</p>
      <div>
        <Button type="submit">{t('contact.link.submit')}</Button>
      </div>
    </form>
  )
}
