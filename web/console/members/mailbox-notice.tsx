import { useId } from 'react'
import { clearMailboxRefusal, type ConsoleMemberDetail } from '#contract/console-members.ts'
import type { MailboxRefusal } from '#contract/mailboxes.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import styles from './members.module.css'

type Props = {
  member: ConsoleMemberDetail
  refusal: MailboxRefusal
  mayAct: boolean
  onChanged: (member: ConsoleMemberDetail) => void
}

/** Emails do not reach the member: since when and why, which ones are still sent, and how to remove the suppression. */
export function MailboxNotice({ member, refusal, mayAct, onChanged }: Props) {
  const { t, formatMoment } = useMessages()
  const id = useId()
  const { isBusy, error, run } = useAction()
  const { refusedAt, trouble, code, isReported } = refusal
  const remove = () =>
    run(async () => {
      onChanged(await call(clearMailboxRefusal, { params: { id: member.id }, body: null }))
      showNotice(t('consoleMembers.mailbox.removed'), 'success')
    })
  return (
    <section className={styles.erasure} aria-labelledby={id}>
      <h2 id={id}>{t('consoleMembers.mailbox.heading')}</h2>
      <p>
        {t(isReported ? 'consoleMembers.mailbox.reported' : 'consoleMembers.mailbox.refused', {
          email: member.email,
          time: formatMoment(refusedAt),
          trouble: t(`consoleMails.trouble.${trouble}`),
          code,
        })}
      </p>
      <p>{t('consoleMembers.mailbox.still')}</p>
      <p>{t('consoleMembers.mailbox.ends')}</p>
      {mayAct && (
        <div className={styles.actions}>
          <Button kind="quiet" busy={isBusy} onClick={() => void remove()}>
            {t('consoleMembers.mailbox.remove')}
          </Button>
        </div>
      )}
      <FormStatus error={error} />
    </section>
  )
}
