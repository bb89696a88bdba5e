import type { FormEvent } from 'react'
import { searchLengthMax } from '#contract/announcements.ts'
import { useWords } from '../../i18n/words.tsx'
import { LoadFailed } from '../../loaded/load-failed.tsx'
import { open } from '../../navigation/on-demand.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import type { MessageKey } from '../../i18n/message-key.ts'
import { newsroomAddress, newsroomTabs, type NewsroomTab } from './newsroom-address.ts'
import styles from './newsroom.module.css'
import { PostRow } from './post-row.tsx'
import { useNewsroomPosts } from './use-newsroom-posts.ts'

const tabWords: Readonly<Record<NewsroomTab, MessageKey>> = {
  all: 'newsroom.tab.all',
  drafts: 'newsroom.tab.drafts',
  scheduled: 'newsroom.tab.scheduled',
  published: 'newsroom.tab.published',
  'without-chinese': 'newsroom.tab.withoutChinese',
  'without-english': 'newsroom.tab.withoutEnglish',
  trash: 'newsroom.tab.trash',
}

const emptyWords: Readonly<Record<NewsroomTab, MessageKey>> = {
  all: 'newsroom.empty.all',
  drafts: 'newsroom.empty.drafts',
  scheduled: 'newsroom.empty.scheduled',
  published: 'newsroom.empty.published',
  'without-chinese': 'newsroom.empty.withoutChinese',
  'without-english': 'newsroom.empty.withoutEnglish',
  trash: 'newsroom.empty.trash',
}

/** The posts of one kind, the newest change first. */
export function PostList({ tab, q, mayWrite }: { tab: NewsroomTab; q: string; mayWrite: boolean }) {
  const { t } = useWords()
  const posts = useNewsroomPosts(tab, q)
  return (
    <>
      <PageHead
        heading={t('newsroom.heading')}
        lead={t('newsroom.lead')}
        action={
          mayWrite && <ButtonLink href={newsroomAddress({ name: 'new' })}>{t('newsroom.new')}</ButtonLink>
        }
      />
      <nav className={styles.tabs} aria-label={t('newsroom.tabs')}>
        <ul>
          {newsroomTabs.map((each) => (
            <li key={each}>
              <a
                href={newsroomAddress({ name: 'list', tab: each, q })}
                aria-current={each === tab ? 'page' : undefined}
              >
                {t(tabWords[each])}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <SearchForm key={`${tab} ${q}`} tab={tab} q={q} />
      {posts.state === 'loading' && <Loading label={t('forms.loading')} />}
      {posts.state === 'failed' && (
        <LoadFailed title={t('newsroom.loadFailed')} failure={posts.failure} retry={posts.retry} />
      )}
      {posts.state === 'ready' && posts.list.length === 0 && (
        <Empty role="status" title={q ? t('newsroom.empty.search', { q }) : t(emptyWords[tab])} />
      )}
      {posts.state === 'ready' && posts.list.length > 0 && (
        <>
          <ul className={styles.posts} aria-label={t(tabWords[tab])}>
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
      )}
    </>
  )
}

function SearchForm({ tab, q }: { tab: NewsroomTab; q: string }) {
  const { t } = useWords()
  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget).get('q')
    void open(newsroomAddress({ name: 'list', tab, q: typeof given === 'string' ? given.trim() : '' }))
  }
  return (
    <form className={styles.search} role="search" method="get" action="?" onSubmit={search}>
      <input
        type="search"
        name="q"
        aria-label={t('newsroom.search')}
        placeholder={t('newsroom.search')}
        defaultValue={q}
        maxLength={searchLengthMax}
      />
      <Button type="submit" kind="quiet">
        {t('news.search.submit')}
      </Button>
    </form>
  )
}
