import type { Language } from '#contract/fields.ts'
import { useWords } from '../i18n/words.tsx'
import { page } from '../routes/page.ts'
import { PageHero } from '../ui/page-hero.tsx'
import { ContactSection } from './help/contact-section.tsx'
import { FaqSection } from './help/questions/faq-section.tsx'
import type { HelpFacts } from './help/help-facts.ts'
import { HelpContents } from './help/help-contents.tsx'
import { ManualsSection } from './help/manuals/manuals-section.tsx'
import { TechnicalSection } from './help/questions/technical-section.tsx'
import { ThreadDrawing } from './help/thread-drawing.tsx'
import { useAddressedQuestion } from './help/questions/use-addressed-question.ts'

async function load({ language }: { language: Language }): Promise<HelpFacts> {
  const { helpFacts } = await import('./help/help-facts.ts')
  return helpFacts(language)
}

function HelpView({ data }: { data: HelpFacts }) {
  const { t } = useWords()
  useAddressedQuestion()
  return (
    <>
      <PageHero heading={t('help.hero.title')} lead={t('help.hero.lead')} drawing={<ThreadDrawing />}>
        <HelpContents
          counts={{
            faq: data.questions.length + 1,
            technical: data.technical.length,
            manuals: data.manuals.length,
          }}
        />
      </PageHero>
      <FaqSection main={data.main} brochure={data.brochure} questions={data.questions} />
      <TechnicalSection questions={data.technical} />
      <ManualsSection manuals={data.manuals} />
      <ContactSection />
    </>
  )
}

export default page({ load, View: HelpView })
