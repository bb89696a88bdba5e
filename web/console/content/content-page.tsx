import { useEffect, useState } from 'react'
import { uploadContentDocument } from '#contract/publishing/console-content-files.ts'
import {
  listContentItems,
  listContentReleases,
  type ContentItem,
} from '#contract/publishing/console-content.ts'
import { type ContentHit, contentHitsMax, findContent } from '#contract/publishing/content-shapes.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { failureMessage } from '../../kernel/actions/failure-message.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession, type Member } from '../../kernel/session/session.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { TextField } from '../../kernel/ui/field.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Table, type Column } from '../../kernel/ui/table.tsx'
import styles from './content.module.css'
import { WaitingForNote, waitingForOf, type WaitingFor } from '../../kernel/waiting-for/waiting-for-note.tsx'
import { FourEyesNotes } from '../four-eyes/four-eyes-notes.tsx'
import { placeLabel } from './facts/field-labels.ts'
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

const baseSchema = uploadContentDocument.body.shape.base

/** A new document starts with a file name. */
function AddDocument({ taken }: { taken: readonly string[] }) {
  const { t } = useMessages()
  const [base, setBase] = useState('')
  const [isWrong, setProblems] = useState(false)
  const documentName = base.trim()
  const isTaken = taken.includes(`documents/${documentName}`)
  const add = () => {
    const isFine = baseSchema.safeParse(documentName).success && !isTaken
    setProblems(!isFine)
    if (isFine) void navigate(pathToItem(`documents/${documentName}`))
  }
  return (
    <form
      className={styles.add}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <TextField
        label={t('consoleContent.document.new')}
        help={t('consoleContent.document.new.help')}
        error={
          isWrong
            ? t(isTaken ? 'consoleContent.document.new.taken' : 'consoleContent.document.new.wrong')
            : undefined
        }
        value={base}
        maxLength={boundsOf(baseSchema).maxLength}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => {
          setBase(target.value)
          setProblems(false)
        }}
      />
      <Button type="submit" kind="quiet">
        {t('consoleContent.document.new.go')}
      </Button>
    </form>
  )
}

/** Milliseconds without typing before a search starts. */
const pause = 200
const lengthMin = 2

type Found = { of: string; hits: readonly ContentHit[]; failure?: unknown }

/** Searches the content shortly after the last keystroke. The previous results stay until the next ones arrive. */
function useFound(wanted: string): Found & { isWorthIt: boolean } {
  const [found, setFound] = useState<Found>({ of: '', hits: [] })
  const isWorthIt = wanted.length >= lengthMin || /\p{Script=Han}/u.test(wanted)
  useEffect(() => {
    if (!isWorthIt) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      call(findContent, { query: { q: wanted } }).then(
        (hits) => isCurrent && setFound({ of: wanted, hits }),
        (failure: unknown) => isCurrent && setFound({ of: wanted, hits: [], failure }),
      )
    }, pause)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [wanted, isWorthIt])
  return isWorthIt ? { ...found, isWorthIt } : { of: wanted, hits: [], isWorthIt }
}

/** Finds a sentence of the site and links to the place where it is edited. */
function FindMessages() {
  const { t } = useMessages()
  const [words, setWords] = useState('')
  const { of, hits, failure, isWorthIt } = useFound(words.trim())
  const isKnown = of === words.trim()
  const countKey = hits.length === contentHitsMax ? 'consoleContent.find.many' : 'consoleContent.find.count'
  return (
    <section className={styles.find} aria-label={t('consoleContent.find')}>
      <TextField
        type="search"
        label={t('consoleContent.find')}
        help={t('consoleContent.find.help')}
        error={isKnown && failure !== undefined ? failureMessage(t, failure) : undefined}
        value={words}
        autoComplete="off"
        maxLength={boundsOf(findContent.query.shape.q).maxLength}
        onChange={({ target }) => setWords(target.value)}
      />
      <p className={styles.sign} role="status">
        {isWorthIt &&
          (isKnown ? failure === undefined && t(countKey, { count: hits.length }) : t('forms.loading'))}
      </p>
      {hits.length > 0 && (
        <ul className={styles.hits}>
          {hits.map((hit) => (
            <Hit key={`${hit.piece} ${hit.place}`} hit={hit} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Hit({ hit: { piece, place, language, text } }: { hit: ContentHit }) {
  const { t } = useMessages()
  const nameOfItem = useItemName()
  const pages = pagesText(t, piece)
  return (
    <li>
      <a href={pathToItem(piece, place)} lang={language ? htmlLanguage[language] : undefined}>
        {text}
      </a>
      <span className={styles.sign}>
        {nameOfItem(piece)} · {placeLabel(t, piece, place)}
        {pages && ` · ${t('consoleContent.stands', { pages })}`}
      </span>
    </li>
  )
}

export default page({ View: ContentView })
