import { listContentItems, listContentReleases, type ContentItem } from '#contract/console-content.ts'
import { levelOf } from '#contract/level-of.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession, type Member } from '../../session/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { AddDocument } from './add-document.tsx'
import styles from './content.module.css'
import { WaitingForNote, waitingForOf, type WaitingFor } from '../../waiting-for/waiting-for-note.tsx'
import { FourEyesNotes } from '../four-eyes/four-eyes-notes.tsx'
import { FindMessages } from './find-messages.tsx'
import { pathToItem } from './item-address.ts'
import { ItemStatus } from './item-status.tsx'
import { groupOf, inOrder, loadItemNames, pagesText, itemGroups, useItemName } from './item-labels.ts'
import { EndedReleases, loadEnded } from './publish/ended-releases.tsx'
import { PublishTogether } from './publish/publish-together.tsx'
import { ReleaseCard } from './publish/release-card.tsx'

/** All content that can be edited in the console. */
function ContentView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('console.nav.content')} lead={t('consoleContent.lead')} />
      {member && <Content member={member} waitingFor={waitingForOf(search)} />}
    </>
  )
}

const load = async (waitingFor: WaitingFor) => {
  const [pieces, releases, ended] = await Promise.all([
    call(listContentItems, {}),
    call(listContentReleases, { query: { limit: 100, ...(waitingFor && { waitingFor }) } }),
    loadEnded(),
    loadItemNames(),
  ])
  return { pieces: inOrder(pieces), releases, ended }
}

function Content({ member, waitingFor }: { member: Member; waitingFor: WaitingFor }) {
  const { t } = useMessages()
  const loaded = useLoaded(`content pieces ${waitingFor ?? ''}`, () => load(waitingFor))
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleContent.loadFailed')} />
  const { pieces, releases, ended } = loaded.data
  const mayWrite = levelOf(member, 'news') >= 2
  const drafts = pieces.filter(({ hasDraft, waiting }) => hasDraft && !waiting)
  return (
    <div className={styles.overview}>
      <FourEyesNotes areas={['content']} />
      <FindMessages />
      <WaitingForNote waitingFor={waitingFor} all={pathTo('console.content')} />
      {releases.length > 0 && (
        <section className={styles.group} aria-labelledby="waiting">
          <h2 id="waiting">{t('consoleContent.waiting')}</h2>
          {releases.map((release) => (
            <ReleaseCard
              key={release.id}
              release={release}
              memberId={member.id}
              mayWrite={mayWrite}
              onDecided={loaded.reload}
            />
          ))}
        </section>
      )}
      {ended.releases.length > 0 && <EndedReleases key={ended.releases[0]!.id} first={ended} />}
      {drafts.length > 0 && (
        <PublishTogether drafts={drafts} mayWrite={mayWrite} onReleased={loaded.reload} />
      )}
      {itemGroups.map((group) => {
        const own = pieces.filter((piece) => groupOf(piece) === group)
        return (
          own.length > 0 && (
            <section key={group} className={styles.group} aria-labelledby={`group-${group}`}>
              <h2 id={`group-${group}`}>{t(`consoleContent.group.${group}`)}</h2>
              <Pieces caption={t(`consoleContent.group.${group}`)} pieces={own} />
              {group === 'documents' && mayWrite && <AddDocument taken={own.map(({ piece }) => piece)} />}
            </section>
          )
        )
      })}
    </div>
  )
}

function Pieces({ caption, pieces }: { caption: string; pieces: readonly ContentItem[] }) {
  const { t, formatDateTime } = useMessages()
  const nameOfItem = useItemName()
  const columns: readonly Column<ContentItem>[] = [
    {
      name: 'piece',
      heading: t('consoleContent.column.piece'),
      cell: ({ piece }) => {
        const name = nameOfItem(piece)
        const pages = pagesText(t, piece)
        return (
          <span className={styles.what}>
            <a href={pathToItem(piece)}>{name}</a>
            {pages !== name && <span className={styles.sign}>{pages}</span>}
          </span>
        )
      },
    },
    {
      name: 'state',
      heading: t('consoleContent.column.state'),
      cell: (piece) => <ItemStatus piece={piece} />,
    },
    {
      name: 'changed',
      heading: t('consoleContent.column.changed'),
      cell: ({ changedAt, changedBy }) =>
        changedAt
          ? t('consoleContent.changed', {
              name: changedBy?.name || t('consoleContent.somebody'),
              time: formatDateTime(changedAt),
            })
          : '–',
    },
  ]
  return (
    <div className={styles.pieces}>
      <Table caption={caption} columns={columns} rows={pieces} rowKey={({ piece }) => piece} />
    </div>
  )
}

export default page({ View: ContentView })
