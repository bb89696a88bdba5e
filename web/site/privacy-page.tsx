import { useWords } from '../i18n/words.tsx'
import { page } from '../layout/page.ts'
import { Hero } from './hero.tsx'

function PrivacyView() {
  const { t } = useWords()
  return <Hero title={t('legal.privacy.title')} lead={t('legal.privacy.lead')} />
}

export default page({ View: PrivacyView })
