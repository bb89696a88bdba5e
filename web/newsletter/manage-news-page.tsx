import { openSubscription, type Subscription } from '#contract/publishing/newsletter.ts'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { call, CallFailed } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { LoginFrame } from '../kernel/layout/login-frame.tsx'
import { page } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { Message } from '../kernel/ui/form-status.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import { Subscribed } from './subscribed.tsx'
import { useMailedCode } from './use-mailed-code.ts'

/** Null if the link is invalid. Unknown, deleted, and replaced links look the same. */
async function open(token: string): Promise<Subscription | null> {
  if (token === '') return null
  try {
    return await call(openSubscription, { body: { token } })
  } catch (failure) {
    if (failure instanceof CallFailed && failure.status === 400) return null
    throw failure
  }
}

/** The page that every newsletter links to, where readers change or end their subscription without an account. */
function ManageNewsView() {
  const { t } = useMessages()
  const token = useMailedCode()
  return (
    <LoginFrame
      heading={t('newsletter.manage.heading')}
      foot={<a href={pathTo('newsletter')}>{t('newsletter.again')}</a>}
    >
      {token === undefined ? <Loading label={t('forms.loading')} /> : <Opened key={token} token={token} />}
    </LoginFrame>
  )
}

function Opened({ token }: { token: string }) {
  const { t } = useMessages()
  const loaded = useLoaded(token, () => open(token))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('newsletter.failed')} failure={loaded.failure} retry={loaded.retry} />
  if (!loaded.data)
    return (
      <Message kind="note">
        <p>{t('newsletter.manage.nothing')}</p>
      </Message>
    )
  return <Subscribed token={token} subscription={loaded.data} />
}

export default page({ View: ManageNewsView })
