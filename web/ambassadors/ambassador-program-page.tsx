import type { Language } from '#contract/fields.ts'
import { DocumentFacts } from '../documents/document-facts.tsx'
import { linkToDocument } from '../documents/link-to-document.ts'
import { useWords } from '../i18n/words.tsx'
import { page } from '../routes/page.ts'
import { ButtonLink } from '../ui/button.tsx'
import { PageHero } from '../ui/page-hero.tsx'
import { AboutSection } from './about-section.tsx'
import type { AmbassadorFacts } from './ambassador-facts.ts'
import { AmbassadorList } from './ambassador-list.tsx'
import styles from './ambassador-program-page.module.css'
import { ApplicationSection } from './application/application-section.tsx'
import { PromoSection } from './promo-section.tsx'
import { Petals } from './petals.tsx'

async function load({ language }: { language: Language }): Promise<AmbassadorFacts> {
  const { ambassadorFacts } = await import('./ambassador-facts.ts')
  return ambassadorFacts(language)
}

function AmbassadorProgramView({ data }: { data: AmbassadorFacts }) {
  const { t } = useWords()
  return (
    <>
      <PageHero
        heading={t('ambassador.hero.title')}
        lead={t('ambassador.hero.lead')}
        drawing={<Petals people={data.special.length + data.others.length} />}
      >
        <div className={styles.ways}>
          <ButtonLink {...linkToDocument(data.ebook)} download>
            {t('ambassador.hero.ebook')}
          </ButtonLink>
          <a className={styles.apply} href="#apply">
            {t('ambassador.hero.apply')}
          </a>
          <DocumentFacts file={data.ebook} className={styles.facts} />
        </div>
      </PageHero>
      <AmbassadorList special={data.special} others={data.others} />
      <PromoSection film={data.film} />
      <AboutSection />
      <ApplicationSection />
    </>
  )
}

export default page({ load, View: AmbassadorProgramView })
