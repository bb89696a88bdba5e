import { listContentPieces, listContentReleases, type ContentPiece } from '#contract/console-content.ts'
import { levelOf } from '#contract/level-of.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useWords } from '../../i18n/words.tsx'
import { page } from '../../routes/page.ts'
import { useSession, type Member } from '../../session/session.ts'
import { Loading } from '../../ui/loading.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { AddDocument } from './add-document.tsx'
import styles from './content.module.css'
import { FourEyesNotes } from '../four-eyes/four-eyes-notes.tsx'
import { FindWords } from './find-words.tsx'
import { pathToPiece } from './piece-address.ts'
import { PieceState } from './piece-state.tsx'
import {
  groupOf,
  groupWords,
  inOrder,
  loadPieceNames,
  pagesText,
  pieceGroups,
  usePieceName,
} from './piece-words.ts'
import { EndedReleases, loadEnded } from './publish/ended-releases.tsx'
import { PublishTogether } from './publish/publish-together.tsx'
import { ReleaseCard } from './publish/release-card.tsx'

/** Everything that visitors read and that can be changed here. */
function ContentView() {
  const { t } = useWords()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('console.nav.content')} lead={t('consoleContent.lead')} />
      {member && <Content member={member} />}
    </>
  )
}

const load = async () => {
  const [pieces, releases, ended] = await Promise.all([
    call(listContentPieces, {}),
    call(listContentReleases, { query: { limit: 100 } }),
    loadEnded(),
    loadPieceNames(),
  ])
  return { pieces: inOrder(pieces), releases, ended }
}

function Content({ member }: { member: Member }) {
  const { t } = useWords()
  const loaded = useLoaded('content pieces', load)
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('consoleContent.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  const { pieces, releases, ended } = loaded.data
  const mayWrite = levelOf(member, 'news') >= 2
  const drafts = pieces.filter(({ hasDraft, waiting }) => hasDraft && !waiting)
  return (
    <div className={styles.overview}>
      <FourEyesNotes areas={['content']} />
      <FindWords />
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
      {pieceGroups.map((group) => {
        const own = pieces.filter((piece) => groupOf(piece) === group)
        return (
          own.length > 0 && (
            <section key={group} className={styles.group} aria-labelledby={`group-${group}`}>
              <h2 id={`group-${group}`}>{t(groupWords[group])}</h2>
              <Pieces caption={t(groupWords[group])} pieces={own} />
              {group === 'documents' && mayWrite && <AddDocument taken={own.map(({ piece }) => piece)} />}
            </section>
          )
        )
      })}
    </div>
  )
}

function Pieces({ caption, pieces }: { caption: string; pieces: readonly ContentPiece[] }) {
  const { t, formatDateTime } = useWords()
  const nameOfPiece = usePieceName()
  const columns: readonly Column<ContentPiece>[] = [
    {
      name: 'piece',
      heading: t('consoleContent.column.piece'),
      cell: ({ piece }) => (
        <span className={styles.what}>
          <a href={pathToPiece(piece)}>{nameOfPiece(piece)}</a>
          <span className={styles.sign}>{pagesText(t, piece)}</span>
        </span>
      ),
    },
    {
      name: 'state',
      heading: t('consoleContent.column.state'),
      cell: (piece) => <PieceState piece={piece} />,
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
          : t('consoleContent.changed.never'),
    },
  ]
  return (
    <div className={styles.pieces}>
      <Table caption={caption} columns={columns} rows={pieces} rowKey={({ piece }) => piece} />
    </div>
  )
}

export default page({ View: ContentView })
