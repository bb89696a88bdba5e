import { officialListDays, officialListPath, type PostedCheck } from '#contract/official.ts'
import { WovenBand } from '../brand/woven-band.tsx'
import { useMessages, FormattedMessage } from '../i18n/messages.tsx'
import { page, type LoadContext, type PageProps } from '../routes/page.ts'
import { PageHero } from '../ui/page-hero.tsx'
import { CheckForm } from './check-form.tsx'
import styles from './official.module.css'

/** Only the result of a form that was sent without JavaScript, because pasted text never appears in a URL. */
const load = async ({ posted }: LoadContext): Promise<{ posted: PostedCheck | null }> => ({
  posted: posted ?? null,
})

function OfficialView({ data }: PageProps<{ posted: PostedCheck | null }>) {
  const { t } = useMessages()
  return (
    <>
      <PageHero
        heading={t('official.title')}
        lead={t('official.lead')}
        size="low"
        drawing={<WovenBand className={styles.band} />}
      />
      <div className={styles.page}>
        <div className={styles.main}>
          <CheckForm posted={data.posted} />
        </div>
        <section className={styles.list} aria-labelledby="look-heading">
          <h2 id="look-heading">{t('official.look.heading')}</h2>
          <ul>
            <li>{t('official.look.end')}</li>
            <li>{t('official.look.letters')}</li>
            <li>{t('official.look.address')}</li>
          </ul>
          <h2 id="list-heading">{t('official.list.heading')}</h2>
          <p>
            <FormattedMessage
              k="official.list.text"
              values={{ days: officialListDays, path: officialListPath }}
              tags={{ link: (words) => <a href={officialListPath}>{words}</a> }}
            />
          </p>
        </section>
      </div>
    </>
  )
}

export default page({ load, View: OfficialView })
