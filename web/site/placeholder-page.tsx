import { useMessages } from '../i18n/messages.tsx'
import { page } from '../routes/page.ts'
import { pathTo } from '../routes/routes.ts'
import { ButtonLink } from '../ui/button.tsx'
import { PageHero } from '../ui/page-hero.tsx'
import { UnfinishedRosette } from './placeholder/unfinished-rosette.tsx'

function PlaceholderView() {
  const { t } = useMessages()
  return (
    <PageHero heading={t('placeholder.title')} lead={t('placeholder.text')} drawing={<UnfinishedRosette />}>
      <ButtonLink href={pathTo('home')}>{t('placeholder.home')}</ButtonLink>
    </PageHero>
  )
}

export default page({ View: PlaceholderView })
