import { useMessages } from '../../kernel/i18n/messages.tsx'
import { ButtonLink } from '../../kernel/ui/button.tsx'
import { LinkTabs } from '../../kernel/ui/link-tabs.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { newsroomAddress, newsroomTabs, type NewsroomTab } from './newsroom-address.ts'

/** Heading and tabs of the newsroom. Unsaved texts are listed only for editors who may write. */
export function NewsroomHead({
  current,
  q = '',
  mayWrite,
}: {
  current: NewsroomTab | 'unfinished'
  q?: string
  mayWrite: boolean
}) {
  const { t } = useMessages()
  const lists = newsroomTabs.map((tab) => ({
    href: newsroomAddress({ name: 'list', tab, q }),
    label: t(`newsroom.tab.${tab}`),
    isCurrent: tab === current,
  }))
  const unfinished = {
    href: newsroomAddress({ name: 'unfinished' }),
    label: t('newsroom.tab.unfinished'),
    isCurrent: current === 'unfinished',
  }
  return (
    <>
      <PageHead
        heading={t('newsroom.heading')}
        lead={t('newsroom.lead')}
        action={
          mayWrite && <ButtonLink href={newsroomAddress({ name: 'new' })}>{t('newsroom.new')}</ButtonLink>
        }
      />
      <LinkTabs kind="row" label={t('newsroom.tabs')} tabs={mayWrite ? [...lists, unfinished] : lists} />
    </>
  )
}
