import { cancelRecoveryRequest } from '#contract/people/account-recovery.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { EmailedAction } from '../../kernel/layout/emailed-action.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'

/** The page that every recovery email links to. */
function CancelRecoveryView({ params: { id = '', code = '' } }: PageProps<unknown>) {
  const { t } = useMessages()
  return (
    <EmailedAction
      heading={t('login.stop.heading')}
      lead={t('login.stop.lead')}
      label={t('login.stop.submit')}
      kind="danger"
      step={() => call(cancelRecoveryRequest, { body: { id, code } })}
      done={t('login.stop.done')}
      errors={{ code_invalid: t('login.stop.wrong'), conflict: t('login.stop.late') }}
      foot={<a href={pathTo('login.reset')}>{t('login.stop.newPassword')}</a>}
    />
  )
}

export default page({ View: CancelRecoveryView })
