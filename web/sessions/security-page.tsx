import { useMessages } from '../kernel/i18n/messages.tsx'
import { page } from '../kernel/routes/page.ts'
import { useSession } from '../kernel/session/session.ts'
import { PageHead, PagePart } from '../kernel/ui/page-head.tsx'
import { Factors } from './security/factors.tsx'
import { PasswordForm } from './security/password-form.tsx'
import { SessionList } from './security/session-list.tsx'

function SecurityView() {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('security.heading')} lead={t('security.lead')} />
      {member && (
        <>
          <Factors email={member.email} />
          <PagePart
            id="change-password"
            heading={t('security.password.heading')}
            lead={t('security.password.lead')}
          >
            <PasswordForm
              email={member.email}
              isStaff={isStaff(member) || member.waitingRights !== undefined}
            />
          </PagePart>
          <PagePart id="sessions" heading={t('security.sessions.heading')} lead={t('security.sessions.lead')}>
            <SessionList />
          </PagePart>
        </>
      )}
    </>
  )
}

type Rights = Record<'manageNews' | 'manageEmployee' | 'manageFinance' | 'manageCoins', number> & {
  isWriteAccessAdmin: boolean
}

const isStaff = (member: Rights) =>
  member.isWriteAccessAdmin ||
  member.manageNews + member.manageEmployee + member.manageFinance + member.manageCoins > 0

export default page({ View: SecurityView })
