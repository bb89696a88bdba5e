import { useState } from 'react'
import { pageSizeMax } from '#contract/platform/fields.ts'
import {
  getNewsroomPost,
  getPostVersion,
  listPostVersions,
  restorePostVersion,
  type NewsroomPostWhole,
  type PostVersion,
} from '#contract/publishing/newsroom.ts'
import { call, callPage } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { TextButton } from '../../kernel/ui/button.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { Comparison } from '../../announcements/compare/comparison.tsx'
import { PostLinks } from './edit-post.tsx'
import styles from './newsroom.module.css'

type Loaded = { post: NewsroomPostWhole; versions: PostVersion[] }

async function load(id: string): Promise<Loaded> {
  const versions: PostVersion[] = []
  const post = await call(getNewsroomPost, { params: { id } })
  let after: string | undefined
  do {
    const query = { limit: pageSizeMax, ...(after !== undefined && { after }) }
    const page = await callPage(listPostVersions, { params: { id }, query })
    versions.push(...page.rows)
    after = page.next
  } while (after !== undefined)
  return { post, versions }
}

/** The history of a post. Every saved version can be compared with any other one and restored. */
export function Versions({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const { t } = useMessages()
  const loaded = useLoaded(id, () => load(id))
  return (
    <>
      <PostLinks id={id} to="versions" />
      <PageHead
        heading={t('newsroom.versions.heading')}
        lead={loaded.state === 'ready' ? loaded.data.post.title : undefined}
      />
      {loaded.state === 'ready' ? (
        <Listed {...loaded.data} mayWrite={mayWrite} onRestored={loaded.reload} />
      ) : (
        <NotLoaded of={loaded} title={t('newsroom.versions.loadFailed')} />
      )}
    </>
  )
}

/** The previous version, or the newest one. */
type Against = 'newest' | 'before'
type SelectedVersion = { n: number; against: Against }

function Listed({
  post,
  versions,
  mayWrite,
  onRestored,
}: Loaded & { mayWrite: boolean; onRestored: () => void }) {
  const { t } = useMessages()
  const [shown, setShown] = useState<SelectedVersion | null>(null)
  const [restoring, setRestoring] = useState<number | null>(null)
  const newest = versions[0]?.n ?? 0
  return (
    <ol className={styles.versions} reversed>
      {versions.map((version, index) => {
        const { n } = version
        const before = versions[index + 1]?.n
        const against = shown?.n === n ? shown.against : null
        const other = against === 'before' ? before : newest
        return (
          <li key={n} aria-label={t('newsroom.versions.number', { n })}>
            <div className={styles.version}>
              <VersionFacts version={version} isNewest={n === newest} />
              <p className={styles.actions}>
                {n !== newest && (
                  <CompareButton version={n} against="newest" shown={shown} onShow={setShown} />
                )}
                {before !== undefined && (
                  <CompareButton version={n} against="before" shown={shown} onShow={setShown} />
                )}
                {mayWrite && n !== newest && post.state !== 'deleted' && (
                  <TextButton onClick={() => setRestoring(n)}>{t('newsroom.versions.restore')}</TextButton>
                )}
              </p>
            </div>
            {against && other !== undefined && (
              <Compared key={other} id={post._id} earlier={Math.min(n, other)} later={Math.max(n, other)} />
            )}
          </li>
        )
      })}
      {restoring !== null && (
        <li className={styles.none}>
          <RestoreDialog
            post={post}
            n={restoring}
            onClose={() => setRestoring(null)}
            onRestored={() => {
              setShown(null)
              onRestored()
            }}
          />
        </li>
      )}
    </ol>
  )
}

function VersionFacts({ version, isNewest }: { version: PostVersion; isNewest: boolean }) {
  const { t, formatDateTime } = useMessages()
  const { n, savedBy, savedAt, publishedAt, restoredFrom } = version
  return (
    <>
      <p className={styles.tags}>
        <strong>{t('newsroom.versions.number', { n })}</strong>
        {isNewest && <Tag colour="verdigris">{t('newsroom.versions.newest')}</Tag>}
        {publishedAt && <Tag colour="green">{t('newsroom.state.published')}</Tag>}
      </p>
      <p className={styles.when}>
        <span>
          {t('newsroom.versions.saved', {
            name: savedBy?.name || t('newsroom.somebody'),
            time: formatDateTime(savedAt),
          })}
        </span>
        {publishedAt && (
          <span>{t('newsroom.versions.published', { time: formatDateTime(publishedAt) })}</span>
        )}
        {restoredFrom !== null && <span>{t('newsroom.versions.restoredFrom', { n: restoredFrom })}</span>}
      </p>
    </>
  )
}

const compareLabels = {
  newest: 'newsroom.versions.compareNewest',
  before: 'newsroom.versions.compareBefore',
} as const satisfies Record<Against, PlainKey>

/** Shows or hides one comparison. Only one is shown at a time. */
function CompareButton({
  version,
  against,
  shown,
  onShow,
}: {
  version: number
  against: Against
  shown: SelectedVersion | null
  onShow: (shown: SelectedVersion | null) => void
}) {
  const { t } = useMessages()
  const isShown = shown?.n === version && shown.against === against
  return (
    <TextButton aria-expanded={isShown} onClick={() => onShow(isShown ? null : { n: version, against })}>
      {t(compareLabels[against])}
    </TextButton>
  )
}

function RestoreDialog({
  post,
  n,
  onClose,
  onRestored,
}: {
  post: NewsroomPostWhole
  n: number
  onClose: () => void
  onRestored: () => void
}) {
  const { t } = useMessages()
  return (
    <ConfirmDialog
      title={t('newsroom.versions.restore.title', { n })}
      label={t('newsroom.versions.restore.do')}
      onClose={onClose}
      step={() =>
        call(restorePostVersion, { params: { id: post._id, n }, body: { lastEdited: post.lastEdited } })
      }
      onDone={() => {
        onRestored()
        showNotice(t('newsroom.versions.restored', { n }), 'success')
      }}
    >
      <p>{t('newsroom.versions.restore.text')}</p>
    </ConfirmDialog>
  )
}

function Compared({ id, earlier, later }: { id: string; earlier: number; later: number }) {
  const { t } = useMessages()
  const versionAt = (n: number) => call(getPostVersion, { params: { id, n } })
  const loaded = useLoaded(`${id} ${earlier} ${later}`, () =>
    Promise.all([versionAt(earlier), versionAt(later)]),
  )
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('newsroom.versions.loadFailed')} />
  const [before, after] = loaded.data
  return (
    <div className={styles.compared}>
      <Comparison
        before={{ name: t('newsroom.versions.number', { n: earlier }), text: before }}
        after={{ name: t('newsroom.versions.number', { n: later }), text: after }}
      />
    </div>
  )
}
