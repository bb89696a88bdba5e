import { type ReactNode, useId } from 'react'
import { DAY } from '#contract/platform/durations.ts'
import { exportNewsroomPosts, listNewsroomPosts, type NewsroomPost } from '#contract/publishing/newsroom.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { FileButton } from '../../kernel/actions/file-button.tsx'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { joinDate } from '../../kernel/i18n/interpolate.ts'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import { htmlLanguage, locale } from '../../kernel/i18n/language.ts'
import { SavedViews } from '../../kernel/saved-views/saved-views.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { categoryColor, categoryLabel } from '../../kernel/news-choice/category-labels.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { SearchRow } from '../../kernel/ui/search-row.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { zoneName } from '../schedule/zoned-time.ts'
import {
  listAddress,
  listQuery,
  newsroomAddress,
  newsroomViewOf,
  queryOf,
  type NewsroomTab,
} from './newsroom-address.ts'
import { NewsroomHead } from './newsroom-head.tsx'
import { PostActions } from './row/post-actions.tsx'
import { postStates } from './status-labels.ts'
import styles from './newsroom.module.css'
import { useNewsroomPosts } from './use-newsroom-posts.ts'

/** The posts of one tab, last changed first. */
export function PostList({ tab, q, mayWrite }: { tab: NewsroomTab; q: string; mayWrite: boolean }) {
  const { t } = useMessages()
  const posts = useNewsroomPosts(tab, q)
  return (
    <>
      <NewsroomHead current={tab} q={q} mayWrite={mayWrite} />
      <SavedViews
        list={{
          name: 'newsroom',
          path: listAddress('all'),
          shown: listQuery({ name: 'list', tab, q }),
          read: (query) => listQuery(newsroomViewOf(query)),
        }}
      >
        {(save) => (
          <div className={styles.search}>
            <SearchRow
              key={tab}
              label={t('newsroom.search')}
              submitLabel={t('news.search.submit')}
              q={q}
              lengthMax={boundsOf(listNewsroomPosts.query.shape.q).maxLength}
              onSearch={(given) => void navigate(newsroomAddress({ name: 'list', tab, q: given }))}
            />
            <FileButton
              label={t('console.list.file')}
              endpoint={exportNewsroomPosts}
              input={() => ({ query: { ...queryOf[tab], ...(q && { q }) } })}
              name="posts.csv"
            />
            {save}
          </div>
        )}
      </SavedViews>
      {posts.state !== 'ready' && <NotLoaded of={posts} title={t('newsroom.loadFailed')} />}
      {posts.state === 'ready' && posts.list.length === 0 && (
        <Empty role="status" title={q ? t('newsroom.empty.search', { q }) : t(`newsroom.empty.${tab}`)} />
      )}
      {posts.state === 'ready' && posts.list.length > 0 && (
        <Rows posts={posts} label={t(`newsroom.tab.${tab}`)} mayWrite={mayWrite} />
      )}
    </>
  )
}

type ReadyPosts = Extract<ReturnType<typeof useNewsroomPosts>, { state: 'ready' }>

function Rows({ posts, label, mayWrite }: { posts: ReadyPosts; label: string; mayWrite: boolean }) {
  const { t } = useMessages()
  return (
    <>
      <ul className={styles.posts} aria-label={label}>
        {posts.list.map((post) => (
          <PostRow
            key={post._id}
            post={post}
            mayWrite={mayWrite}
            onChanged={posts.put}
            onGone={posts.remove}
          />
        ))}
      </ul>
      {posts.hasMore && (
        <Button kind="quiet" busy={posts.isLoadingMore} onClick={posts.loadMore}>
          {t('newsroom.more')}
        </Button>
      )}
    </>
  )
}

/** One post: title, state, and actions. */
export function PostRow({
  post,
  mayWrite,
  onChanged,
  onGone,
}: {
  post: NewsroomPost
  mayWrite: boolean
  onChanged: (post: NewsroomPost) => void
  onGone: (id: string) => void
}) {
  const { t } = useMessages()
  const id = useId()
  const { words, colour } = postStates[post.state]
  const category = categoryLabel(post.category)
  const isEditable = mayWrite && post.state !== 'deleted'
  return (
    <li className={styles.post}>
      <div className={styles.what}>
        <h2 id={id} lang={htmlLanguage[post.language]}>
          {isEditable ? (
            <a href={newsroomAddress({ name: 'edit', id: post._id })}>{post.title}</a>
          ) : (
            post.title
          )}
        </h2>
        <p className={styles.tags}>
          <Tag colour={colour}>{t(words)}</Tag>
          <span>{languageLabel(t, post.language)}</span>
          <Tag colour={categoryColor(post.category)}>{category ? t(category) : post.category}</Tag>
        </p>
        <p className={styles.when}>
          <Times post={post} />
        </p>
        {post.state !== 'deleted' && <Sibling post={post} />}
      </div>
      <PostActions post={post} titleId={id} mayWrite={mayWrite} onChanged={onChanged} onGone={onGone} />
    </li>
  )
}

const daysUntil = (iso: string): number => Math.max(0, Math.ceil((Date.parse(iso) - Date.now()) / DAY))

/** When it was or will be published or deleted, who last changed it, and how often it was read. */
function Times({ post }: { post: NewsroomPost }) {
  const { t, language, formatDateTime, formatNumber } = useMessages()
  const pieces: ReactNode[] = []
  const { publishAt, zone, goneAt } = post
  if (post.state === 'scheduled' && publishAt && zone) {
    const time = joinDate(
      new Intl.DateTimeFormat(locale[language], {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone: zone,
      }).format(new Date(publishAt)),
    )
    pieces.push(t('newsroom.row.comesOut', { time, zone: zoneName(zone) }))
  }
  if (post.state === 'published')
    pieces.push(t('newsroom.row.cameOut', { time: formatDateTime(post.postedDate) }))
  if (goneAt) {
    pieces.push(t('newsroom.row.goes', { days: daysUntil(goneAt) }))
  }
  const name = post.editedBy?.name || post.createdBy.displayName
  const time = formatDateTime(post.changedAt)
  pieces.push(name ? t('newsroom.row.changed', { name, time }) : t('newsroom.row.changedAt', { time }))
  if (post.state === 'published' || post.reads.total > 0)
    pieces.push(
      t('newsroom.row.reads', {
        recent: formatNumber(post.reads.recent),
        total: formatNumber(post.reads.total),
      }),
    )
  return pieces.map((piece, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the order never changes
    <span key={index}>{piece}</span>
  ))
}

function Sibling({ post: { sibling, language } }: { post: NewsroomPost }) {
  const { t } = useMessages()
  if (!sibling)
    return (
      <p className={styles.when}>
        {t(language === 'en' ? 'newsroom.row.noChinese' : 'newsroom.row.noEnglish')}
      </p>
    )
  return (
    <p className={styles.when}>
      {t(sibling.language === 'en' ? 'newsroom.row.english' : 'newsroom.row.chinese', {
        state: t(postStates[sibling.state].words),
      })}{' '}
      <a href={newsroomAddress({ name: 'edit', id: sibling._id })} lang={htmlLanguage[sibling.language]}>
        {sibling.title}
      </a>
    </p>
  )
}
