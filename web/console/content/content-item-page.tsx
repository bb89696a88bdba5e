import { useRef, useState } from 'react'
import {
  getContentItem,
  listContentReleases,
  type ContentItemDetail,
  type ContentRelease,
} from '#contract/console-content.ts'
import type { ContentProblem } from '#contract/content-rules.ts'
import { levelOf } from '#contract/level-of.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call, CallFailed } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { page } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession, type Member } from '../../session/session.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import styles from './content.module.css'
import { DocumentEditor } from './document-editor.tsx'
import { DraftBar } from './draft-bar.tsx'
import { DraftConflict } from './draft-conflict.tsx'
import { FactsEditor } from './facts/facts-editor.tsx'
import { newDocument } from './new-document.ts'
import { pathToHistory, itemOf } from './item-address.ts'
import { ItemNotes } from './item-notes.tsx'
import { ItemStatus } from './item-status.tsx'
import { loadItemNames, pagesText, useItemName } from './item-labels.ts'
import { PreviewFrame } from './preview-frame.tsx'
import { ProblemList } from './problem-list.tsx'
import { ReleaseCard } from './publish/release-card.tsx'
import { useDraft } from './use-draft.ts'
import { MessagesEditor } from './words/words-editor.tsx'

type Held = { piece: ContentItemDetail; release: ContentRelease | undefined }

async function load(piece: string): Promise<Held> {
  await loadItemNames()
  const whole = await call(getContentItem, { query: { piece } }).catch((failure: unknown) => {
    const isNew = failure instanceof CallFailed && failure.code === 'not_found'
    if (isNew && piece.startsWith('documents/')) return newDocument(piece)
    throw failure
  })
  const releases = whole.waiting ? await call(listContentReleases, { query: { limit: 100 } }) : []
  return { piece: whole, release: releases.find(({ id }) => id === whole.waiting?.id) }
}

/** One content item with its draft. */
function ContentItemView({ params, search }: { params: Record<string, string>; search: URLSearchParams }) {
  const { t } = useMessages()
  const { member } = useSession()
  const name = itemOf(params)
  return (
    <>
      <BackLink href={pathTo('console.content')}>{t('consoleContent.toOverview')}</BackLink>
      {member && <Item key={name} name={name} member={member} at={search.get('at')} />}
    </>
  )
}

type ItemProps = { name: string | undefined; member: Member; at: string | null }

function Item({ name, member, at }: ItemProps) {
  const { t } = useMessages()
  const nameOfItem = useItemName()
  const loaded = useLoaded<Held>(`content ${name}`, () =>
    name === undefined ? Promise.reject(new CallFailed('not_found', t('errors.not_found'))) : load(name),
  )
  const heading = name === undefined ? t('console.nav.content') : nameOfItem(name)
  if (loaded.state !== 'ready')
    return (
      <>
        <PageHead heading={heading} />
        <NotLoaded of={loaded} title={t('consoleContent.loadFailed')} />
      </>
    )
  const { piece, release } = loaded.data
  const pages = pagesText(t, piece.piece)
  return (
    <>
      <PageHead
        heading={heading}
        lead={pages && t('consoleContent.stands', { pages })}
        action={<a href={pathToHistory(piece.piece)}>{t('consoleContent.toHistory')}</a>}
      />
      <ItemEditor
        held={{ piece, release }}
        member={member}
        at={at}
        onPiece={(next) => loaded.setData({ piece: next, release: next.waiting ? release : undefined })}
        onReload={loaded.reload}
      />
    </>
  )
}

type EditorProps = {
  held: Held
  member: Member
  at: string | null
  onPiece: (piece: ContentItemDetail) => void
  onReload: () => void
}

function ItemEditor({ held: { piece, release }, member, at, onPiece, onReload }: EditorProps) {
  const { t } = useMessages()
  const [found, setFound] = useState<readonly ContentProblem[]>()
  const [isPreviewed, setPreviewed] = useState(false)
  const problemsPlace = useRef<HTMLDivElement>(null)
  const show = (next: ContentItemDetail) => {
    setFound(undefined)
    onPiece(next)
  }
  const draft = useDraft(member.id, piece, {
    onSaved: show,
    onMerged: (name) => showNotice(t('consoleContent.merged', { name }), 'success'),
  })
  const isWriter = levelOf(member, 'news') >= 2
  const mayWrite = isWriter && piece.waiting?.state !== 'scheduled'
  const problems = found ?? piece.found
  const goToProblems = (next: readonly ContentProblem[]) => {
    setFound(next)
    // Wait until the problems are rendered.
    if (next.length > 0) setTimeout(() => problemsPlace.current?.focus())
  }
  if (draft.conflict)
    return <DraftConflict piece={piece.piece} conflict={draft.conflict} onChosen={draft.resolveConflict} />
  const editing = { draft, problems, mayWrite, at }
  return (
    <div className={styles.piece}>
      <ItemStatus piece={piece} />
      <ItemNotes draft={draft} isWriter={isWriter} />
      {release && (
        <ReleaseCard release={release} memberId={member.id} mayWrite={isWriter} onDecided={onReload} />
      )}
      <div ref={problemsPlace} tabIndex={-1} className={styles.top}>
        <ProblemList piece={piece.piece} problems={problems} />
      </div>
      {piece.kind === 'messages' && <MessagesEditor {...editing} />}
      {(piece.kind === 'facts' || piece.kind === 'brand') && <FactsEditor {...editing} />}
      {piece.kind === 'document' && <DocumentEditor piece={piece} mayWrite={mayWrite} onSaved={show} />}
      <DraftBar
        draft={draft}
        mayWrite={mayWrite}
        isPreviewed={isPreviewed}
        onPreview={setPreviewed}
        onProblems={goToProblems}
        onPiece={show}
        onReleased={onReload}
      />
      {isPreviewed && <PreviewFrame piece={piece.piece} version={piece.version} />}
    </div>
  )
}

export default page({ View: ContentItemView })
