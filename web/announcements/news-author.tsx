import { browsePostsByAuthor } from '#contract/publishing/announcements.ts'
import type { Language } from '#contract/platform/languages.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { Avatar } from '../kernel/brand/avatar.tsx'
import { Rosette } from '../kernel/brand/rosette.tsx'
import { useMessages } from '../kernel/i18n/messages.tsx'
import type { LoadContext } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { Empty } from '../kernel/ui/empty.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import { readFilter } from './news-filter.ts'
import heroStyles from './news-hero.module.css'
import { NewsList, NothingFound } from './news-list.tsx'
import styles from './news.module.css'
import { usePosts } from './use-posts.ts'

export type AuthorData = OutputOf<typeof browsePostsByAuthor> & {
  of: 'author'
  language: Language
  page: number
}

/** The posts by one author, newest first. */
export function NewsAuthor({ data }: { data: AuthorData }) {
  const { t } = useMessages()
  const posts = usePosts(data)
  return (
    <>
      <PageHero
        size="low"
        heading={data.author.name}
        lead={t('news.author.lead')}
        above={<Avatar name={data.author.name} size={72} />}
        drawing={<Rosette figure="light" className={heroStyles.rosette} />}
      />
      <div className={styles.news}>
        <NewsList
          posts={posts}
          filter={{ category: null, q: '', page: data.page }}
          hasMore={data.hasMore}
          empty={
            data.page > 1 ? (
              <NothingFound />
            ) : (
              <Empty title={t('news.author.empty')}>
                <a href={pathTo('news')}>{t('news.showAll')}</a>
              </Empty>
            )
          }
        />
      </div>
    </>
  )
}

export async function loadAuthor({ call, language, params, query }: LoadContext): Promise<AuthorData> {
  const { page } = readFilter(query)
  const found = await call(browsePostsByAuthor, {
    params: { lang: language, slug: params['slug'] ?? '' },
    query: { page },
  })
  return { of: 'author', language, page, ...found }
}
