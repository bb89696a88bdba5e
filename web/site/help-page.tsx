import { useLayoutEffect } from 'react'
import { useBrand } from '../kernel/content/brand.tsx'
import { FormattedMessage, useMessages } from '../kernel/i18n/messages.tsx'
import { SiteSearch } from '../kernel/layout/site-search.tsx'
import { page, type LoadContext } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import pageSection from '../kernel/ui/page-section.module.css'
import styles from './help-page.module.css'
import { FaqSection } from './help/questions/faq-section.tsx'
import { helpFactFiles, helpFacts, type HelpFacts } from './help/help-facts.ts'
import { ManualsSection } from './help/manuals/manuals-section.tsx'
import { TechnicalSection } from './help/questions/technical-section.tsx'
import { ThreadDrawing } from './help/thread-drawing.tsx'

const load = async ({ facts, brand, language }: LoadContext): Promise<HelpFacts> =>
  helpFacts(await facts(...helpFactFiles), brand, language)

function HelpView({ data }: { data: HelpFacts }) {
  const { t } = useMessages()
  useAddressedQuestion()
  return (
    <>
      <PageHero
        heading={t('help.hero.title')}
        lead={
          <FormattedMessage
            k="help.hero.lead"
            tags={{ link: (words) => <a href={pathTo('contact')}>{words}</a> }}
          />
        }
        drawing={<ThreadDrawing />}
      >
        <div className={styles.search}>
          <SiteSearch />
        </div>
        <HelpContents
          counts={{
            faq: data.questions.length + 1,
            technical: data.technical.length,
            manuals: data.manuals.length,
          }}
        />
        <p className={styles.official}>
          <FormattedMessage
            k="help.contact.official"
            tags={{ link: (words) => <a href={pathTo('official')}>{words}</a> }}
          />
        </p>
      </PageHero>
      <FaqSection main={data.main} brochure={data.brochure} questions={data.questions} />
      {data.technical.length > 0 && <TechnicalSection questions={data.technical} />}
      {data.manuals.length > 0 && <ManualsSection manuals={data.manuals} />}
      <ContactSection />
    </>
  )
}

/** Opens the question named in the URL, even when the URL changes while the page is shown. */
function useAddressedQuestion(): void {
  useLayoutEffect(() => {
    const open = () => {
      const answer = document.getElementById(location.hash.slice(1))
      const question = answer?.closest('details')
      if (!question || question.open) return
      question.open = true
      answer?.scrollIntoView()
    }
    open()
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [])
}

function ContactSection() {
  const { t } = useMessages()
  const { email } = useBrand()
  return (
    <section className={`${pageSection.section} ${styles.contact}`} aria-labelledby="contact-heading">
      <h2 id="contact-heading">{t('help.contact.heading')}</h2>
      <p>
        <FormattedMessage
          k="help.contact.text"
          values={{ email }}
          tags={{ link: (words) => <a href={`mailto:${email}`}>{words}</a> }}
        />
      </p>
      <p>
        <FormattedMessage
          k="help.contact.official"
          tags={{ link: (words) => <a href={pathTo('official')}>{words}</a> }}
        />
      </p>
    </section>
  )
}

/** The sections of the page, with the number of entries in each. */
function HelpContents({ counts }: { counts: { faq: number; technical: number; manuals: number } }) {
  const { t } = useMessages()
  return (
    <ul className={styles.contents}>
      <li>
        <a href="#faq">
          <span>{t('help.faq.heading')}</span> <span className={styles.count}>{counts.faq}</span>
        </a>
      </li>
      {counts.technical > 0 && (
        <li>
          <a href="#technical">
            <span>{t('help.technical.heading')}</span>{' '}
            <span className={styles.count}>{counts.technical}</span>
          </a>
        </li>
      )}
      {counts.manuals > 0 && (
        <li>
          <a href="#manuals">
            <span>{t('help.manuals.heading')}</span> <span className={styles.count}>{counts.manuals}</span>
          </a>
        </li>
      )}
    </ul>
  )
}

export default page({ load, View: HelpView })
