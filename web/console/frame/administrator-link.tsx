import { useState } from 'react'
import { staffPasswordLengthMin } from '#contract/fields.ts'
import { sendAdministratorLink } from '#contract/members.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FormStatus } from '../../ui/form-status.tsx'

/** For a member listed in ADMIN_EMAILS whose rights are pending until they set a password by email. */
export function AdministratorLink({ email, isSent }: { email: string; isSent: boolean }) {
  const { t } = useMessages()
  const [sentNow, setSentNow] = useState(false)
  const { isBusy, error, run } = useAction()
  const send = () =>
    run(async () => {
      await call(sendAdministratorLink, { body: null })
      setSentNow(true)
    })
  const values = { email, min: staffPasswordLengthMin }
  return (
    <Empty role="status" title={t('console.adminLink')}>
      <p>{t(isSent || sentNow ? 'console.adminLink.sent' : 'console.adminLink.notSent', values)}</p>
      <Button kind="quiet" busy={isBusy} onClick={() => void send()}>
        {t(isSent || sentNow ? 'console.adminLink.again' : 'console.adminLink.send')}
      </Button>
      {sentNow && !isBusy && !error && <p role="status">{t('console.adminLink.done')}</p>}
      <FormStatus error={error} />
    </Empty>
  )
}
