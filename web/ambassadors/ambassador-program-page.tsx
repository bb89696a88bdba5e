import { listAmbassadors } from '#contract/ambassador-profiles.ts'
import { DocumentFacts } from '../documents/document-facts.tsx'
import { linkToDocument } from '../documents/link-to-document.ts'
import { useMessages } from '../i18n/messages.tsx'
import { page, type LoadContext } from '../routes/page.ts'
import { ButtonLink } from '../ui/button.tsx'
import { PageHero } from '../ui/page-hero.tsx'
import { AboutSection } from './about-section.tsx'
import { ambassadorFactFiles, ambassadorFacts, type AmbassadorFacts } from './ambassador-facts.ts'
import { AmbassadorList } from './ambassador-list.tsx'
import styles from './ambassador-program-page.module.css'
import { ApplicationSection } from './application/application-section.tsx'
import { PromoSection } from './promo-section.tsx'
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

export default page({ load, View: AmbassadorProgramView })
