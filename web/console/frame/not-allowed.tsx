import { useState } from 'react'
import { staffPasswordLengthMin } from '#contract/platform/fields.ts'
import { readAdministratorLink, sendAdministratorLink } from '#contract/people/members.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { FactorNeeded } from '../../kernel/layout/factor-needed.tsx'
import { labelOf, pathTo, type Route } from '../../kernel/routes/routes.ts'
import type { Member } from '../../kernel/session/session.ts'
import { Button, ButtonLink } from '../../kernel/ui/button.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { mayOpen } from '../can-access.ts'

/** For a member listed in ADMIN_EMAILS whose rights are pending until they set a password by email. */
function AdministratorLink({ email, isSent }: { email: string; isSent: boolean }) {
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

/** Shown in place of a page that the member has no right to open, or whose right is pending for a second factor. */
export function NotAllowed({ route, member }: { route: Route; member: Member }) {
  const { t } = useMessages()
  const heading = t(labelOf(route.name))
  if (mayOpen(member, route))
    return (
      <>
        <PageHead heading={heading} />
        <FactorNeeded />
      </>
    )
  // The note above says what to do, so members are not told to request a right that they already have.
  if (member.waitingRights && mayOpen(member.waitingRights, route)) return <PageHead heading={heading} />
  return <Forbidden heading={heading} member={member} />
}

function Forbidden({ heading, member }: { heading: string; member: Member }) {
  const { t } = useMessages()
  const isStaff = mayOpen(member, {})
  const link = useLoaded(member.id, async () => (isStaff ? undefined : call(readAdministratorLink, {})))
  // Otherwise the general message would flash before it is replaced.
  if (link.state === 'loading') return <PageHead heading={heading} />
  if (link.state === 'ready' && link.data?.isWaiting)
    return (
      <>
        <PageHead heading={heading} />
        <AdministratorLink email={member.email} isSent={link.data.isSent} />
      </>
    )
  return (
    <>
      <PageHead heading={heading} />
      <Empty role="status" title={t('console.forbidden')}>
        <p>{t('console.forbidden.help')}</p>
        <ButtonLink kind="quiet" href={isStaff ? pathTo('console.home') : pathTo('account.userInfo')}>
          {t(isStaff ? 'console.forbidden.home' : 'console.forbidden.account')}
        </ButtonLink>
      </Empty>
    </>
  )
}
