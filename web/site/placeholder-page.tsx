import { useWords } from '../i18n/words.tsx'
import { page } from '../layout/page.ts'
import { pathTo } from '../routes.ts'
import { Hero } from './hero.tsx'

function PlaceholderView() {
  const { t } = useWords()
  return (
    <Hero title={t('placeholder.title')} lead={t('placeholder.text')}>
      <p>
        <a href={pathTo('home')}>{t('placeholder.home')}</a>
      </p>
    </Hero>
  )
}

export default page({ View: PlaceholderView })
