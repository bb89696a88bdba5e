import { useState } from 'react'
import { pageSizeMax } from '#contract/fields.ts'
import {
  getNewsroomPost,
  getPostVersion,
  listPostVersions,
  restorePostVersion,
  type NewsroomPostWhole,
  type PostVersion,
} from '#contract/newsroom.ts'
import { call, callPage } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { TextButton } from '../../ui/button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Comparison } from '../compare/comparison.tsx'
import { BackLink } from './edit-post.tsx'
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
      <BackLink />
      <PageHead
        heading={t('newsroom.versions.heading')}
        lead={loaded.state === 'ready' ? loaded.data.post.title : undefined}
      />
      {loaded.state === 'loading' && <Loading label={t('forms.loading')} />}
      {loaded.state === 'failed' && (
        <LoadFailed title={t('newsroom.versions.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
      )}
      {loaded.state === 'ready' && <Listed {...loaded.data} mayWrite={mayWrite} onRestored={loaded.reload} />}
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
  const { t, formatDateTime } = useMessages()
  const [shown, setShown] = useState<SelectedVersion | null>(null)
  const [restoring, setRestoring] = useState<number | null>(null)
  const newest = versions[0]?.n ?? 0
  const isShown = (n: number, against: Against) => shown?.n === n && shown.against === against
  const toggle = (n: number, against: Against) => setShown(isShown(n, against) ? null : { n, against })
  return (
    <ol className={styles.versions} reversed>
      {versions.map((version, index) => {
        const { n } = version
        const before = versions[index + 1]
        const name = t('newsroom.versions.number', { n })
        const other = isShown(n, 'before') ? before?.n : newest
        return (
          <li key={n} aria-label={name}>
            <div className={styles.version}>
              <p className={styles.tags}>
                <strong>{name}</strong>
                {n === newest && <Tag colour="verdigris">{t('newsroom.versions.newest')}</Tag>}
                {version.publishedAt && <Tag colour="green">{t('newsroom.state.published')}</Tag>}
              </p>
              <p className={styles.when}>
                <span>
                  {t('newsroom.versions.saved', {
                    name: version.savedBy?.name || t('newsroom.somebody'),
                    time: formatDateTime(version.savedAt),
                  })}
                </span>
                {version.publishedAt && (
                  <span>
                    {t('newsroom.versions.published', { time: formatDateTime(version.publishedAt) })}
                  </span>
                )}
                {version.restoredFrom !== null && (
                  <span>{t('newsroom.versions.restoredFrom', { n: version.restoredFrom })}</span>
                )}
              </p>
              <p className={styles.actions}>
                {n !== newest && (
                  <TextButton aria-expanded={isShown(n, 'newest')} onClick={() => toggle(n, 'newest')}>
                    {t('newsroom.versions.compareNewest')}
                  </TextButton>
                )}
                {before && (
                  <TextButton aria-expanded={isShown(n, 'before')} onClick={() => toggle(n, 'before')}>
                    {t('newsroom.versions.compareBefore')}
                  </TextButton>
                )}
                {mayWrite && n !== newest && post.state !== 'deleted' && (
                  <TextButton onClick={() => setRestoring(n)}>{t('newsroom.versions.restore')}</TextButton>
                )}
              </p>
            </div>
            {shown?.n === n && other !== undefined && (
              <Compared id={post._id} earlier={Math.min(n, other)} later={Math.max(n, other)} />
            )}
          </li>
        )
      })}
      {restoring !== null && (
        <li className={styles.none}>
          <ConfirmDialog
            title={t('newsroom.versions.restore.title', { n: restoring })}
            label={t('newsroom.versions.restore')}
            onClose={() => setRestoring(null)}
            step={() =>
              call(restorePostVersion, {
                params: { id: post._id, n: restoring },
                body: { lastEdited: post.lastEdited },
              })
            }
            onDone={() => {
              setShown(null)
              onRestored()
              showNotice(t('newsroom.versions.restored', { n: restoring }), 'success')
            }}
          >
            <p>{t('newsroom.versions.restore.text')}</p>
          </ConfirmDialog>
        </li>
      )}
    </ol>
  )
}

function Compared({ id, earlier, later }: { id: string; earlier: number; later: number }) {
  const { t } = useMessages()
  const loaded = useLoaded(`${id} ${earlier} ${later}`, () =>
    Promise.all([earlier, later].map((n) => call(getPostVersion, { params: { id, n } }))),
  )
  if (loaded.state === 'failed')
    return (
      <LoadFailed title={t('newsroom.versions.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
    )
  const [before, after] = loaded.state === 'ready' ? loaded.data : []
  // While another pair is loading, the previous one is still in state.
  if (before?.n !== earlier || after?.n !== later) return <Loading label={t('forms.loading')} />
  return (
    <div className={styles.compared}>
      <Comparison
        before={{ name: t('newsroom.versions.number', { n: earlier }), text: before }}
        after={{ name: t('newsroom.versions.number', { n: later }), text: after }}
      />
    </div>
  )
}
