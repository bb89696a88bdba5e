import { useLayoutEffect } from 'react'
import { useMessages } from '../i18n/messages.tsx'
import { page, type LoadContext } from '../routes/page.ts'
import { PageHero } from '../ui/page-hero.tsx'
import { ContactSection } from './help/contact-section.tsx'
import { FaqSection } from './help/questions/faq-section.tsx'
import { helpFactFiles, helpFacts, type HelpFacts } from './help/help-facts.ts'
import { HelpContents } from './help/help-contents.tsx'
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

export default page({ load, View: HelpView })
