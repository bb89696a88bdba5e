import { useWords } from '../i18n/words.tsx'
import { page } from '../layout/page.ts'
import { Hero } from './hero.tsx'

function TermsView() {
  const { t } = useWords()
  return <Hero title={t('legal.terms.title')} lead={t('legal.terms.lead')} />
}

export default page({ View: TermsView })
