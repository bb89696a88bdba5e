import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { useSession } from '../../session/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import { ChainPart } from './chain-part.tsx'
import { recordList } from './record-list.tsx'

/** The audit log, and whether its chain is intact. */
function RecordView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('record.heading')} lead={t('record.lead')} />
      {member && (
        <>
          <ChainPart />
          <ConsoleList spec={recordList} search={search} />
        </>
      )}
    </>
  )
}

export default page({ View: RecordView })
