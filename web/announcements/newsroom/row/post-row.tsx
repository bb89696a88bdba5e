import { useId, type ReactNode } from 'react'
import { DAY } from '#contract/durations.ts'
import type { NewsroomPost } from '#contract/newsroom.ts'
import { joinDate } from '../../../i18n/interpolate.ts'
import { htmlLanguage, languageName, locale } from '../../../i18n/language.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { categoryColor, categoryLabel } from '../../../news-choice/category-labels.ts'
import { zoneName } from '../../schedule/zones.ts'
import { newsroomAddress } from '../newsroom-address.ts'
import styles from '../newsroom.module.css'
import { PostActions } from './post-actions.tsx'
import { postStates } from '../status-labels.ts'

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
          <span>{languageName[post.language]}</span>
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

/** When it was or will be published or deleted, and who last changed it. */
function Times({ post }: { post: NewsroomPost }) {
  const { t, language, formatDateTime } = useMessages()
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
