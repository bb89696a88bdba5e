import { useWords } from '../i18n/words.tsx'
import { page } from '../layout/page.ts'
import { Hero } from './hero.tsx'

function AmbassadorProgramView() {
  const { t } = useWords()
  return <Hero title={t('ambassador.hero.title')} lead={t('ambassador.hero.lead')} />
}

export default page({ View: AmbassadorProgramView })
