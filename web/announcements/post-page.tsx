import { name } from '#content/brand.json'
import { getPost, type Announcement } from '#contract/announcements.ts'
import type { Language } from '#contract/fields.ts'
import { htmlLanguage } from '../i18n/language.ts'
import { useWords } from '../i18n/words.tsx'
import { page, type PageProps } from '../layout/page.ts'
import { pathIn, pathTo } from '../routes.ts'
import { PageHero } from '../ui/page-hero.tsx'
import { SanitizedHtml } from '../ui/sanitized-html.tsx'
import { Tag } from '../ui/tag.tsx'
import { categoryColour, categoryWords } from './category-words.ts'
import content from './content.module.css'
import { beginningOf, firstPictureOf } from './post-beginning.ts'
import styles from './post-page.module.css'

export type PostData = { post: Announcement; languages: Language[] }

/** One announcement at its own address, whole. */
function PostView({ data }: PageProps<PostData>) {
  const { t, language, formatDate } = useWords()
  const { post, languages } = data
  const category = categoryWords(post.category)
  const other = languages.find((each) => each !== post.language)
  return (
    <article>
      <PageHero
        size="low"
        heading={
          <span className={styles.title} lang={htmlLanguage[post.language]}>
            {post.title}
          </span>
        }
        above={
          <p className={styles.meta}>
            <time dateTime={post.postedDate}>{formatDate(post.postedDate)}</time>
            <Tag colour={categoryColour(post.category)}>{category ? t(category) : post.category}</Tag>
          </p>
        }
      />
      <div className={styles.body}>
        {post.language !== language && <p className={styles.note}>{t('news.post.onlyOther')}</p>}
        <div className={content.content}>
          <SanitizedHtml html={post.content} lang={htmlLanguage[post.language]} />
        </div>
        <footer className={styles.foot}>
          {post.lastEdited && post.lastEdited > post.postedDate && (
            <p>
              {t('news.post.edited')} <time dateTime={post.lastEdited}>{formatDate(post.lastEdited)}</time>
            </p>
          )}
          <p>
            <a href={pathTo('news')}>{t('news.post.back')}</a>
          </p>
          {other && (
            <p>
              <a
                href={pathIn(other, 'newsPost', { slug: post.slug })}
                lang={htmlLanguage[other]}
                hrefLang={htmlLanguage[other]}
                data-language={other}
              >
                {t(other === 'en' ? 'news.post.inEnglish' : 'news.post.inChinese')}
              </a>
            </p>
          )}
        </footer>
      </div>
    </article>
  )
}

export default page<PostData>({
  load: ({ call, language, params }) =>
    call(getPost, { params: { lang: language, slug: params['slug'] ?? '' } }),
  movedTo: ({ post }, params) => (post.slug === params['slug'] ? null : { slug: post.slug }),
  head: ({ post, languages }) => {
    const picture = firstPictureOf(post.content)
    return {
      title: `${post.title} · ${name}`,
      description: beginningOf(post.content),
      languages,
      isArticle: true,
      ...(picture && { picture: { ...picture, alt: picture.alt || post.title } }),
    }
  },
  View: PostView,
})
