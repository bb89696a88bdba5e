import { useMemo } from 'react'
import { levelOf } from '#contract/level-of.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { useSession } from '../../session/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import { subscriberList } from './subscriber-list.tsx'

/** Recipients of the newsletter. */
function SubscribersView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const mayAct = member !== null && levelOf(member, 'employee') >= 2
  const spec = useMemo(() => subscriberList(mayAct), [mayAct])
  return (
    <>
      <PageHead heading={t('consoleNewsletter.heading')} lead={t('consoleNewsletter.lead')} />
      {member && <ConsoleList spec={spec} search={search} />}
    </>
  )
}

export default page({ View: SubscribersView })
