import { useState } from 'react'
import { confirmSubscription } from '#contract/publishing/newsletter.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { call, CallFailed } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { LoginFrame } from '../kernel/layout/login-frame.tsx'
import { page } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { Button } from '../kernel/ui/button.tsx'
import { FormStatus, Message } from '../kernel/ui/form-status.tsx'
import { Subscribed } from './subscribed.tsx'
import { useMailedCode } from './use-mailed-code.ts'

/** The page that the confirmation email links to. It requires a click, because mail scanners follow links. */
function ConfirmNewsView() {
  const { t } = useMessages()
  const code = useMailedCode()
  const { isBusy, failure, error, run } = useAction()
  const [confirmed, setConfirmed] = useState<OutputOf<typeof confirmSubscription>>()
  const isWrong = code === '' || (failure instanceof CallFailed && failure.status === 400)
  if (confirmed) {
    const { token, ...subscription } = confirmed
    return (
      <LoginFrame
        heading={t('newsletter.confirmed')}
        foot={<a href={pathTo('news')}>{t('newsletter.toNews')}</a>}
      >
        <Message kind="good" role="status">
          <p>{t('newsletter.confirmed.text', { address: subscription.address })}</p>
        </Message>
        <Subscribed key={token} token={token} subscription={subscription} isNew />
      </LoginFrame>
    )
  }
  return (
    <LoginFrame
      heading={t('newsletter.confirm.heading')}
      lead={isWrong ? undefined : t('newsletter.confirm.lead')}
      foot={<a href={pathTo('newsletter')}>{t(isWrong ? 'newsletter.anew' : 'newsletter.again')}</a>}
    >
      {!isWrong && (
        <div>
          <Button
            busy={isBusy || code === undefined}
            busyLabel={t('forms.sending')}
            onClick={() =>
              void run(async () =>
                setConfirmed(await call(confirmSubscription, { body: { code: code ?? '' } })),
              )
            }
          >
            {t('newsletter.confirm.submit')}
          </Button>
        </div>
      )}
      <FormStatus error={isWrong ? t('newsletter.confirm.wrong') : error} />
    </LoginFrame>
  )
}

export default page({ View: ConfirmNewsView })
