import { useRef, useState } from 'react'
import {
  getContentItem,
  listContentReleases,
  type ContentItemDetail,
  type ContentRelease,
} from '#contract/publishing/console-content.ts'
import type { ContentProblem } from '#contract/publishing/content-rules.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { TextDifferences } from '../../announcements/compare/text-differences.tsx'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { ConflictNotice } from '../../kernel/forms/conflict-notice.tsx'
import { SentenceSpace, useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { page } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession, type Member } from '../../kernel/session/session.ts'
import { BackLink } from '../../kernel/ui/back-link.tsx'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Radios } from '../../kernel/ui/field.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import styles from './content.module.css'
import { DocumentEditor } from './document-editor.tsx'
import { DraftBar } from './draft-bar.tsx'
import { FactsEditor } from './facts/facts-editor.tsx'
import { placeLabel } from './facts/field-labels.ts'
import { newDocument } from './new-document.ts'
import { pathToHistory, itemOf } from './item-address.ts'
import { ItemStatus } from './item-status.tsx'
import { loadItemNames, pagesText, useItemName } from './item-labels.ts'
import type { Side } from './merge-values.ts'
import { PreviewFrame } from './preview-frame.tsx'
import { ProblemList } from './problem-list.tsx'
import { ReleaseCard } from './publish/release-card.tsx'
import { type Draft, type EditConflict, useDraft } from './use-draft.ts'
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

/** What an editor should know before editing an item. */
function ItemNotes({ draft, isWriter }: { draft: Draft; isWriter: boolean }) {
  const { t, formatDateTime } = useMessages()
  const { piece, isDirty, isRestored } = draft
  const { waiting, outdated, isLeftOut, legal, hasDraft, changedBy, changedAt } = piece
  return (
    <div className={styles.notes}>
      {hasDraft && changedAt && (
        <p className={styles.sign}>
          {t('consoleContent.draftBy', {
            name: changedBy?.name || t('consoleContent.somebody'),
            time: formatDateTime(changedAt),
          })}
        </p>
      )}
      {!isWriter && <p>{t('consoleContent.readOnly')}</p>}
      {isRestored && isDirty && (
        <Message kind="note" role="status">
          <p>
            {t('consoleContent.restored')}
            <SentenceSpace />
            <TextButton onClick={draft.clearInput}>{t('consoleContent.restored.drop')}</TextButton>
          </p>
        </Message>
      )}
      {isLeftOut && (
        <Message kind="bad">
          <p>{t('consoleContent.leftOut')}</p>
        </Message>
      )}
      {outdated.length > 0 && <OutdatedPlaces piece={piece.piece} places={outdated} />}
      {waiting && isWriter && (
        <Message kind="note">
          <p>
            {t(
              waiting.state === 'scheduled'
                ? 'consoleContent.scheduled.locked'
                : 'consoleContent.proposed.ends',
            )}
          </p>
        </Message>
      )}
      {legal && (
        <Message kind="note">
          <p>
            <strong>
              {t('consoleContent.legal.versions', { terms: legal.terms, privacy: legal.privacy })}
            </strong>
          </p>
          <p>{t('consoleContent.legal.text')}</p>
        </Message>
      )}
    </div>
  )
}

/** The maximum number of places listed. */
const outdatedMax = 10

function OutdatedPlaces({ piece, places }: { piece: string; places: readonly string[] }) {
  const { t } = useMessages()
  return (
    <Message kind="note">
      <p>{t('consoleContent.outdated', { count: places.length })}</p>
      <ul className={styles.places}>
        {places.slice(0, outdatedMax).map((place) => (
          <li key={place}>{placeLabel(t, piece, place)}</li>
        ))}
      </ul>
    </Message>
  )
}

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value, null, 1)

/** The editor's input next to a colleague's concurrent changes in the same places. */
function DraftConflict({
  piece,
  conflict,
  onChosen,
}: {
  piece: string
  conflict: EditConflict
  onChosen: (choices: Readonly<Record<string, Side>>) => Promise<unknown>
}) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const places = conflict.flatMap(({ their, places: own }) => own.map((each) => ({ ...each, their })))
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>(() =>
    Object.fromEntries(places.map(({ place }) => [place, 'mine'])),
  )
  return (
    <form
      className={styles.conflict}
      method="post"
      aria-label={t('consoleContent.clash')}
      onSubmit={(event) => {
        event.preventDefault()
        void run(() => onChosen(choices))
      }}
    >
      <ConflictNotice heading={t('consoleContent.clash')} text={t('consoleContent.clash.text')} />
      {places.map((each) => (
        <OnePlace
          key={each.place}
          piece={piece}
          clashing={each}
          choice={choices[each.place]}
          onChoice={(side) => setChoices({ ...choices, [each.place]: side })}
        />
      ))}
      <div className={styles.actions}>
        <Button type="submit" busy={isBusy}>
          {t('consoleContent.clash.goOn')}
        </Button>
      </div>
      <FormStatus error={error} />
    </form>
  )
}

function OnePlace({
  piece,
  clashing: { place, mine, theirs, their },
  choice,
  onChoice,
}: {
  piece: string
  clashing: EditConflict[number]['places'][number] & Pick<EditConflict[number], 'their'>
  choice: Side | undefined
  onChoice: (side: Side) => void
}) {
  const { t, formatDateTime } = useMessages()
  return (
    <fieldset>
      <legend>{placeLabel(t, piece, place)}</legend>
      <p className={styles.sign}>
        {t('consoleContent.clash.by', {
          name: their.by?.name || t('consoleContent.somebody'),
          time: formatDateTime(their.at),
        })}
      </p>
      <TextDifferences
        before={{ name: t('consoleContent.clash.theirs') }}
        after={{ name: t('consoleContent.clash.mine') }}
        differences={[{ key: place, label: '', from: textOf(theirs), to: textOf(mine) }]}
      />
      <Radios
        options={[
          { value: 'theirs', label: t('consoleContent.clash.takeTheirs') },
          { value: 'mine', label: t('consoleContent.clash.takeMine') },
        ]}
        chosen={choice}
        onChoose={onChoice}
      />
    </fieldset>
  )
}

export default page({ View: ContentItemView })
