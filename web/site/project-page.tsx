import { useWords } from '../i18n/words.tsx'
import { page } from '../layout/page.ts'
import { Hero } from './hero.tsx'

function ProjectView() {
  const { t } = useWords()
  return <Hero title={t('project.hero.title')} lead={t('project.hero.lead')} />
}

export default page({ View: ProjectView })
