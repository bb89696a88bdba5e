import { exportNewsroomPosts, listNewsroomPosts } from '#contract/newsroom.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { FileButton } from '../../actions/file-button.tsx'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { SavedViews } from '../../saved-views/saved-views.tsx'
import { navigate } from '../../navigation/navigate.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SearchRow } from '../../ui/search-row.tsx'
import {
  listAddress,
  listQuery,
  newsroomAddress,
  newsroomViewOf,
  queryOf,
  type NewsroomTab,
} from './newsroom-address.ts'
import { NewsroomHead } from './newsroom-head.tsx'
import styles from './newsroom.module.css'
import { PostRow } from './row/post-row.tsx'
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
