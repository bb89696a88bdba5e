import { useState } from 'react'
import { getContentItem, listedTextLengthMax } from '#contract/publishing/console-content.ts'
import {
  getContentVersion,
  listContentVersions,
  restoreContentVersion,
  type ContentVersion,
} from '#contract/publishing/content-versions.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call, CallFailed, callPage } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { page } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { BackLink } from '../../kernel/ui/back-link.tsx'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { ChangeView } from './change-view.tsx'
import styles from './content.module.css'
import { itemOf, pathToItem } from './item-address.ts'
import { loadItemNames, useItemName } from './item-labels.ts'

type Held = { versions: readonly ContentVersion[]; next: string | undefined }

async function load(piece: string, after?: string): Promise<Held> {
  await loadItemNames()
  const { rows, next } = await callPage(listContentVersions, {
    query: { piece, limit: 20, ...(after !== undefined && { after }) },
  })
  return { versions: rows, next }
}

/** The published versions of an item: who published them and when, their changes, and a way to restore them. */
function ContentHistoryView({ params }: { params: Record<string, string> }) {
  const { t } = useMessages()
  const nameOfItem = useItemName()
  const piece = itemOf(params)
  return (
    <>
      {piece === undefined ? (
        <BackLink href={pathTo('console.content')}>{t('consoleContent.toOverview')}</BackLink>
      ) : (
        <BackLink href={pathToItem(piece)}>
          {t('consoleContent.history.back', { name: nameOfItem(piece) })}
        </BackLink>
      )}
      <PageHead heading={t('consoleContent.history')} lead={piece !== undefined && nameOfItem(piece)} />
      <Versions piece={piece} />
    </>
  )
}

function Versions({ piece }: { piece: string | undefined }) {
  const { t } = useMessages()
  const loadPage = (after?: string) =>
    piece === undefined
      ? Promise.reject(new CallFailed('not_found', t('errors.not_found')))
      : load(piece, after)
  const loaded = useLoaded<Held>(`content history ${piece}`, loadPage)
  const { isBusy, error, run } = useAction()
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleContent.history.failed')} />
  const { versions, next } = loaded.data
  const more = () =>
    run(async () => {
      const further = await loadPage(next)
      loaded.setData({ versions: [...versions, ...further.versions], next: further.next })
    })
  if (versions.length === 0)
    return (
      <Empty role="status" title={t('consoleContent.history.none')}>
        <p>{t('consoleContent.history.none.help')}</p>
      </Empty>
    )
  return (
    <>
      <ol className={styles.versions}>
        {versions.map((version, at) => (
          <Version key={version.id} version={version} isNewest={at === 0} />
        ))}
      </ol>
      {next !== undefined && (
        <Button kind="quiet" busy={isBusy} onClick={() => void more()}>
          {t('consoleContent.history.more')}
        </Button>
      )}
      <FormStatus error={error} />
    </>
  )
}

type HistoryView = 'changes' | 'now'

function Version({ version, isNewest }: { version: ContentVersion; isNewest: boolean }) {
  const { t, formatDateTime } = useMessages()
  const { member } = useSession()
  const [shown, setShown] = useState<HistoryView | undefined>(isNewest ? 'changes' : undefined)
  const [isRestoring, setRestoring] = useState(false)
  const { id, piece, at, changes, changeCount } = version
  const time = formatDateTime(at)
  const toggle = (next: HistoryView) => setShown(shown === next ? undefined : next)
  const mayWrite = member !== null && levelOf(member, 'news') >= 2
  return (
    <li aria-label={time}>
      <VersionHead version={version} isNewest={isNewest} />
      <p className={styles.actions}>
        {changeCount > 0 && (
          <TextButton aria-expanded={shown === 'changes'} onClick={() => toggle('changes')}>
            {t('consoleContent.history.changes', { count: changeCount })}
          </TextButton>
        )}
        {!isNewest && (
          <TextButton aria-expanded={shown === 'now'} onClick={() => toggle('now')}>
            {t('consoleContent.history.compare')}
          </TextButton>
        )}
        {!isNewest && mayWrite && (
          <TextButton onClick={() => setRestoring(true)}>{t('consoleContent.history.restore')}</TextButton>
        )}
      </p>
      {shown === 'changes' && isListedWhole(version) && <ChangeView piece={piece} changes={changes} />}
      {shown && !(shown === 'changes' && isListedWhole(version)) && (
        <AllChanges id={id} piece={piece} time={time} shown={shown} />
      )}
      {isRestoring && <RestoreDialog version={version} time={time} onClose={() => setRestoring(false)} />}
    </li>
  )
}

function VersionHead({ version, isNewest }: { version: ContentVersion; isNewest: boolean }) {
  const { t, formatDateTime, language } = useMessages()
  const { at, by, confirmedBy, origin, restoredId, legal } = version
  const author = by
    ? confirmedBy
      ? t('consoleContent.history.two', {
          first: staffName(by.name, language),
          second: staffName(confirmedBy.name, language),
        })
      : staffName(by.name, language)
    : t(`consoleContent.origin.${origin}`)
  return (
    <>
      <p className={styles.tags}>
        <strong>
          <time dateTime={at}>{formatDateTime(at)}</time>
        </strong>
        {isNewest && <Tag colour="green">{t('consoleContent.history.current')}</Tag>}
        {restoredId !== null && <Tag colour="quiet">{t('consoleContent.history.restored')}</Tag>}
      </p>
      <p className={styles.sign}>{author}</p>
      {legal && (
        <p className={styles.sign}>
          {t('consoleContent.history.legal', { terms: legal.terms, privacy: legal.privacy })}
        </p>
      )}
    </>
  )
}

function RestoreDialog({
  version: { id, piece },
  time,
  onClose,
}: {
  version: ContentVersion
  time: string
  onClose: () => void
}) {
  const { t } = useMessages()
  return (
    <ConfirmDialog
      title={t('consoleContent.history.restore.title', { time })}
      label={t('consoleContent.history.restore.now')}
      dismissLabel={t('consoleContent.back')}
      step={async () => {
        const { version: present } = await call(getContentItem, { query: { piece } })
        return await call(restoreContentVersion, { params: { id }, body: { version: present } })
      }}
      onDone={() =>
        // Shown on arrival, because leaving a page clears its notices.
        void navigate(pathToItem(piece), { notice: 'consoleContent.history.restore.done' })
      }
      onClose={onClose}
    >
      <p>{t('consoleContent.history.restore.text')}</p>
    </ConfirmDialog>
  )
}

/** The list contains only the first changes of a version, and only the beginning of long texts. */
const isListedWhole = ({ changes, changeCount }: ContentVersion): boolean =>
  changes.length === changeCount &&
  changes.every((each) => [each.from, each.to].every((text) => (text?.length ?? 0) < listedTextLengthMax))

/** All changes of a version, or its differences from the published content. */
function AllChanges({
  id,
  piece,
  time,
  shown,
}: {
  id: string
  piece: string
  time: string
  shown: HistoryView
}) {
  const { t } = useMessages()
  const loaded = useLoaded(`content version ${id}`, () => call(getContentVersion, { params: { id } }))
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleContent.history.failed')} />
  if (shown === 'changes') return <ChangeView piece={piece} changes={loaded.data.changes} />
  return (
    <ChangeView
      piece={piece}
      changes={loaded.data.sinceThen}
      before={time}
      after={t('consoleContent.nowPublished')}
    />
  )
}

export default page({ View: ContentHistoryView })
