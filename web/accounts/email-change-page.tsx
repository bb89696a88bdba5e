import { useState } from 'react'
import { confirmNewEmail, stopEmailChange } from '#contract/people/members.ts'
import { call } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { EmailedAction } from '../kernel/layout/emailed-action.tsx'
import { page, type PageProps } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'

type Link = { id: string; code: string }

/** The page that both emails about a change of address by staff link to: one to confirm it, and one to stop it. */
function EmailChangeView({ params: { step, id = '', code = '' } }: PageProps<unknown>) {
  return step === 'stop' ? <StopChange link={{ id, code }} /> : <ConfirmAddress link={{ id, code }} />
}

function ConfirmAddress({ link }: { link: Link }) {
  const { t, formatDateTime } = useMessages()
  const [takesEffectAt, setTakesEffectAt] = useState<string | null>(null)
  return (
    <EmailedAction
      heading={t('login.emailConfirm.heading')}
      lead={t('login.emailConfirm.lead')}
      label={t('login.emailConfirm.submit')}
      step={async () => setTakesEffectAt((await call(confirmNewEmail, { body: link })).takesEffectAt)}
      done={
        takesEffectAt
          ? t('login.emailConfirm.waits', { time: formatDateTime(takesEffectAt) })
          : t('login.emailConfirm.done')
      }
      errors={{ code_invalid: t('login.emailConfirm.wrong') }}
      foot={<a href={pathTo('login.signin')}>{t('login.signin.heading')}</a>}
    />
  )
}

function StopChange({ link }: { link: Link }) {
  const { t } = useMessages()
  return (
    <EmailedAction
      heading={t('login.emailStop.heading')}
      lead={t('login.emailStop.lead')}
      label={t('login.emailStop.submit')}
      kind="danger"
      step={() => call(stopEmailChange, { body: link })}
      done={t('login.emailStop.done')}
      errors={{ code_invalid: t('login.emailStop.wrong') }}
      foot={<a href={pathTo('contact')}>{t('layout.footer.contact')}</a>}
    />
  )
}

export default page({ View: EmailChangeView })
