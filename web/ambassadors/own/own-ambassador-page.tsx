import {
  getOwnAmbassador,
  joinAsAmbassador,
  type OwnAmbassador,
} from '#contract/people/ambassador-profiles.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import type { KeyTaking } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { page } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Button, ButtonLink } from '../../kernel/ui/button.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import { PageHead, PagePart } from '../../kernel/ui/page-head.tsx'
import { OwnProfile } from './own-profile.tsx'
import { OwnResults } from './own-results.tsx'
import styles from './own-ambassador.module.css'

function OwnAmbassadorView() {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <div className={styles.page}>
      <PageHead heading={t('ambassadorAccount.heading')} lead={t('ambassadorAccount.lead')} />
      {member && <LoadedAmbassador key={member.id} email={member.email} />}
    </div>
  )
}

function LoadedAmbassador({ email }: { email: string }) {
  const { t } = useMessages()
  const loaded = useLoaded(email, () => call(getOwnAmbassador, {}))
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('ambassadorAccount.loadFailed')} />
  const { state, ambassador } = loaded.data
  if (state === 'unproved')
    return (
      <Empty title={t('ambassadorAccount.unproved.title')}>
        <p>{t('ambassadorAccount.unproved.text')}</p>
        <ButtonLink href={pathTo('account.security')}>{t('ambassadorAccount.unproved.go')}</ButtonLink>
      </Empty>
    )
  if (state === 'invited') return <Invitation onJoined={loaded.setData} />
  if (!ambassador)
    return (
      <Empty title={t('ambassadorAccount.none.title')}>
        <p>{t('ambassadorAccount.none.text', { email })}</p>
        <ButtonLink kind="quiet" href={pathTo('ambassadorProgram')}>
          {t('ambassadorAccount.none.go')}
        </ButtonLink>
      </Empty>
    )
  const statusMessage = standingMessage(ambassador)
  return (
    <>
      {statusMessage && (
        <Message kind="note">
          <p>{t(statusMessage, { reason: ambassador.reason })}</p>
        </Message>
      )}
      <OwnProfile ambassador={ambassador} onChanged={loaded.setData} onStale={loaded.reload} />
      <OwnResults />
    </>
  )
}

/** Why the profile is not shown. The review of a reinstated ambassador is pending, so there is no reason yet. */
function standingMessage({
  standing,
  reason,
  slug,
}: NonNullable<OwnAmbassador['ambassador']>): KeyTaking<'reason'> | null {
  if (standing === 'ended') return slug ? 'ambassadorAccount.ended' : 'ambassadorAccount.endedUnlisted'
  if (standing === 'active') return null
  return reason ? 'ambassadorAccount.hidden' : 'ambassadorAccount.again'
}

function Invitation({ onJoined }: { onJoined: (own: OwnAmbassador) => void }) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const join = () =>
    run(async () => {
      onJoined(await call(joinAsAmbassador, { body: null }))
      showNotice(t('ambassadorAccount.joined'), 'success')
    })
  return (
    <PagePart id="invitation" heading={t('ambassadorAccount.invited.heading')}>
      <p>{t('ambassadorAccount.invited.text')}</p>
      <p>{t('ambassadorAccount.invited.public')}</p>
      <div>
        <Button busy={isBusy} busyLabel={t('ambassadorAccount.joining')} onClick={() => void join()}>
          {t('ambassadorAccount.join')}
        </Button>
      </div>
      <FormStatus error={error} />
    </PagePart>
  )
}

export default page({ View: OwnAmbassadorView })
