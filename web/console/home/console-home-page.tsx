import { useId } from 'react'
import { fourEyesAreas } from '#contract/people/four-eyes.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { useSession } from '../../kernel/session/session.ts'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { FourEyesNotes } from '../four-eyes/four-eyes-notes.tsx'
import { Figures, periodIn } from './figures.tsx'
import { SetupChecklist } from './setup-checklist.tsx'
import { setupQuery } from './setup-address.ts'
import { loadWaiting, useLatestWaiting } from './waiting.ts'
import { itemsOf, type WaitingItem, WaitingItems } from './waiting-items.tsx'
import { type WaitingGroup, waitingGroups, waitingPlaces } from './waiting-places.ts'
import styles from './home.module.css'

/** Items that need the member's attention, and activity in a period, limited to the member's levels. */
function ConsoleHomeView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('console.nav.home')} />
      {member && (
        <>
          {member.isWriteAccessAdmin && <SetupChecklist rights={member} isAsked={search.has(setupQuery)} />}
          <FourEyesNotes areas={fourEyesAreas} />
          <WaitingList />
          <Figures days={periodIn(search)} />
        </>
      )}
    </>
  )
}

/** Numbers that link to the lists they count. */
function WaitingList() {
  const { t } = useMessages()
  return (
    <section className={styles.section} aria-labelledby="waiting">
      <h2 id="waiting">{t('consoleHome.waiting')}</h2>
      <Waits />
    </section>
  )
}

function Waits() {
  const { t } = useMessages()
  const loaded = useLoaded('waiting', loadWaiting)
  const latest = useLatestWaiting()
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleHome.waiting.failed')} />
  const waiting = itemsOf(latest ?? loaded.data)
  if (waiting.length === 0) return <p role="status">{t('consoleHome.waiting.none')}</p>
  return waitingGroups.map((group) => {
    const items = waiting.filter(({ what }) => (waitingPlaces[what].group ?? 'open') === group)
    return items.length > 0 && <Group key={group} group={group} items={items} />
  })
}

function Group({ group, items }: { group: WaitingGroup; items: readonly WaitingItem[] }) {
  const { t } = useMessages()
  const id = useId()
  return (
    <div>
      <h3 id={id} className={styles.group}>
        {t(`consoleHome.waiting.group.${group}`)}
      </h3>
      <WaitingItems items={items} labelledBy={id} />
    </div>
  )
}

export default page({ View: ConsoleHomeView })
