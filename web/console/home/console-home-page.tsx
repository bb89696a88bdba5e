import { fourEyesAreas } from '#contract/four-eyes.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { page } from '../../routes/page.ts'
import { useSession } from '../../session/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { FourEyesNotes } from '../four-eyes/four-eyes-notes.tsx'
import { Figures } from './figures.tsx'
import { WaitingList } from './waiting-list.tsx'

/** Items that need the member's attention, and activity in the last four weeks, limited to the member's levels. */
function ConsoleHomeView() {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('console.nav.home')} />
      {member && (
        <>
          <FourEyesNotes areas={fourEyesAreas} />
          <WaitingList />
          <Figures />
        </>
      )}
    </>
  )
}

export default page({ View: ConsoleHomeView })
