import { cancelRecoveryRequest } from '#contract/people/account-recovery.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { LoginFrame } from '../../kernel/layout/login-frame.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'

/** The page that every recovery email links to. It requires a click, because mail scanners follow links. */
function CancelRecoveryView({ params: { id = '', code = '' } }: PageProps<unknown>) {
  const { t } = useMessages()
  const { isBusy, isDone, failure, error, run } = useAction()
  const wrong = failure instanceof CallFailed ? wordsOf[failure.code] : undefined
  return (
    <LoginFrame
      heading={t('login.stop.heading')}
      lead={t('login.stop.lead')}
      foot={<a href={pathTo('login.reset')}>{t('login.stop.newPassword')}</a>}
    >
      {isDone ? (
        <Message kind="good" role="status">
          <p>{t('login.stop.done')}</p>
        </Message>
      ) : (
        <div>
          <Button
            kind="danger"
            busy={isBusy}
            busyLabel={t('forms.sending')}
            onClick={() => void run(() => call(cancelRecoveryRequest, { body: { id, code } }))}
          >
            {t('login.stop.submit')}
          </Button>
        </div>
      )}
      <FormStatus error={wrong ? t(wrong) : error} />
    </LoginFrame>
  )
}

const wordsOf: Record<string, 'login.stop.wrong' | 'login.stop.late'> = {
  code_invalid: 'login.stop.wrong',
  conflict: 'login.stop.late',
}

export default page({ View: CancelRecoveryView })
