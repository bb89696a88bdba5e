import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { useSession } from '../../session/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import { mayOpen } from '../can-access.ts'
import { listOfMembers } from './list-of-members.tsx'

const readOnly = listOfMembers(false)
const withActions = listOfMembers(true)

function MembersView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const mayAct = mayOpen(member, { needs: { level: 'employee', atLeast: 2 } })
  return (
    <>
      <PageHead heading={t('console.nav.members')} lead={t('consoleMembers.lead')} />
      {member && <ConsoleList spec={mayAct ? withActions : readOnly} search={search} />}
    </>
  )
}

export default page({ View: MembersView })
