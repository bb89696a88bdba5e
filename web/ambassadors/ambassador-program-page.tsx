import { listAmbassadors } from '#contract/ambassador-profiles.ts'
import { DocumentFacts } from '../documents/document-facts.tsx'
import { linkToDocument } from '../documents/link-to-document.ts'
import { FilmVideo } from '../films/film-video.tsx'
import { useMessages } from '../i18n/messages.tsx'
import { page, type LoadContext } from '../routes/page.ts'
import { ButtonLink } from '../ui/button.tsx'
import { PageHero } from '../ui/page-hero.tsx'
import pageSection from '../ui/page-section.module.css'
import { ambassadorFactFiles, ambassadorFacts, type AmbassadorFacts } from './ambassador-facts.ts'
import { AmbassadorList } from './ambassador-list.tsx'
import styles from './ambassador-program-page.module.css'
import { ApplicationSection } from './application/application-section.tsx'
import { Petals } from './petals.tsx'

/**
 * Ambassadors from the file come first, in its order, followed by those who joined, in the display order set by staff.
 */
async function load({ call, facts, brand, language }: LoadContext): Promise<AmbassadorFacts> {
  const [found, joined] = await Promise.all([facts(...ambassadorFactFiles), call(listAmbassadors, {})])
  const localized = ambassadorFacts(found, brand, language)
  const others = joined.map(({ slug, name, place, link, photo }) => ({
    id: slug,
    slug,
    photo: photo ?? undefined,
    profile: link || undefined,
    isSpecial: false,
    isSample: false,
    name: name[language] ?? name.en,
    location: place[language] ?? place.en,
  }))
  return { ...localized, others: [...localized.others, ...others] }
}

function AmbassadorProgramView({ data }: { data: AmbassadorFacts }) {
  const { t } = useMessages()
  return (
    <>
      <PageHero
        heading={t('ambassador.hero.title')}
        lead={t('ambassador.hero.lead')}
        drawing={<Petals people={data.special.length + data.others.length} />}
      >
        <div className={styles.ways}>
          {data.ebook && (
            <ButtonLink {...linkToDocument(data.ebook)} download>
              {t('ambassador.hero.ebook')}
            </ButtonLink>
          )}
          <a className={styles.apply} href="#apply">
            {t('ambassador.hero.apply')}
          </a>
          {data.ebook && <DocumentFacts file={data.ebook} className={styles.facts} />}
        </div>
      </PageHero>
      <AmbassadorList special={data.special} others={data.others} />
      {data.film && <PromoSection film={data.film} />}
      <AboutSection />
      <ApplicationSection />
    </>
  )
}

function PromoSection({ film }: { film: NonNullable<AmbassadorFacts['film']> }) {
  const { t } = useMessages()
  return (
    <section
      id="film"
      className={`${pageSection.section} ${styles.promo}`}
      aria-labelledby="film-heading"
      data-ground="dark"
    >
      <div className={styles.words}>
        <h2 id="film-heading">{t('ambassador.promo.heading')}</h2>
        <p>{film.description}</p>
        <p className={styles.length}>{t('ambassador.promo.intro', { seconds: film.seconds })}</p>
      </div>
      <div className={styles.film}>
        <FilmVideo film={film} sizes="(min-width: 60rem) 66vw, 100vw" />
      </div>
    </section>
  )
}

function AboutSection() {
  const { t } = useMessages()
  return (
    <section id="about" className={`${pageSection.section} ${styles.about}`} aria-labelledby="about-heading">
      <h2 id="about-heading">{t('ambassador.about.heading')}</h2>
      <p className={styles.lead}>{t('ambassador.about.paragraph1')}</p>
      <p className={styles.first}>{t('ambassador.about.paragraph2')}</p>
      <p className={styles.second}>{t('ambassador.about.paragraph3')}</p>
    </section>
  )
}

export default page({ load, View: AmbassadorProgramView })
