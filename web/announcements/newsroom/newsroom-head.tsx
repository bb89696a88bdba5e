import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { newsroomAddress, newsroomTabs, type NewsroomTab } from './newsroom-address.ts'

export const tabLabels: Readonly<Record<NewsroomTab, PlainKey>> = {
  all: 'newsroom.tab.all',
  drafts: 'newsroom.tab.drafts',
  scheduled: 'newsroom.tab.scheduled',
  due: 'newsroom.tab.due',
  published: 'newsroom.tab.published',
  'without-chinese': 'newsroom.tab.withoutChinese',
  'without-english': 'newsroom.tab.withoutEnglish',
  trash: 'newsroom.tab.trash',
}

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
    label: t(tabLabels[tab]),
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
