import { useWords } from '../i18n/words.tsx'
import { page } from '../layout/page.ts'
import { Hero } from './hero.tsx'

function HelpView() {
  const { t } = useWords()
  return <Hero title={t('help.hero.title')} lead={t('help.hero.lead')} />
}

export default page({ View: HelpView })
