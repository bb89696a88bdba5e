import type { OutputOf } from '#contract/platform/endpoint.ts'
import { readPreview } from '#contract/publishing/newsroom.ts'
import { CallFailed } from '../../kernel/call/call.ts'
import { joinDate } from '../../kernel/i18n/interpolate.ts'
import { locale } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { ButtonLink } from '../../kernel/ui/button.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { PostArticle } from '../post-article.tsx'
import styles from './post-preview.module.css'

type Preview = OutputOf<typeof readPreview>
type PreviewData = { preview: Preview | null }

/** A post as it will look once published, for anyone with the preview link. */
function PostPreviewView({ data: { preview } }: PageProps<PreviewData>) {
  const { t, language } = useMessages()
  if (!preview)
    return (
      <div className={styles.gone}>
        <h1>{t('preview.heading')}</h1>
        <Empty title={t('preview.gone')}>
          <p>{t('preview.gone.help')}</p>
          <ButtonLink kind="quiet" href={pathTo('news')}>
            {t('preview.toNews')}
          </ButtonLink>
        </Empty>
      </div>
    )
  const { post, state, publishAt, zone } = preview
  const time =
    publishAt &&
    joinDate(
      new Intl.DateTimeFormat(locale[language], {
        dateStyle: 'long',
        timeStyle: 'short',
        ...(zone && { timeZone: zone }),
      }).format(new Date(publishAt)),
    )
  return (
    <PostArticle
      post={post}
      before={
        <aside className={styles.banner} aria-label={t('preview.heading')}>
          <p>
            <strong>{t('preview.heading')}</strong>
          </p>
          <p>{t(`preview.${state}`, { time: time ?? '', zone: zone?.replaceAll('_', ' ') ?? '' })}</p>
        </aside>
      }
    />
  )
}

export default page<PreviewData>({
  load: async ({ call, params }) => {
    try {
      return { preview: await call(readPreview, { params: { token: params['token'] ?? '' } }) }
    } catch (failure) {
      // Unknown, revoked, and expired links get the same answer on purpose.
      if (failure instanceof CallFailed && [400, 404].includes(failure.status)) return { preview: null }
      throw failure
    }
  },
  head: () => ({ isUnlisted: true }),
  View: PostPreviewView,
})
