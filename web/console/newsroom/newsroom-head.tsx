import { useMessages } from '../../kernel/i18n/messages.tsx'
import { ButtonLink } from '../../kernel/ui/button.tsx'
import { LinkTabs } from '../../kernel/ui/link-tabs.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { listAddress, newsroomAddress } from './newsroom-address.ts'
import styles from './newsroom.module.css'

/** Heading and tabs of the newsroom. Unsaved texts are listed only for editors who may write. */
export function NewsroomHead({
  current,
  mayWrite,
}: {
  current: 'all' | 'trash' | 'unfinished'
  mayWrite: boolean
}) {
  const { t } = useMessages()
  const tabs = [
    { name: 'all', href: listAddress() },
    { name: 'trash', href: listAddress({ state: 'deleted' }) },
    ...(mayWrite ? [{ name: 'unfinished', href: newsroomAddress({ name: 'unfinished' }) } as const] : []),
  ] as const
  return (
    <>
      <PageHead
        heading={t('newsroom.heading')}
        lead={t('newsroom.lead')}
        action={
          mayWrite && <ButtonLink href={newsroomAddress({ name: 'new' })}>{t('newsroom.new')}</ButtonLink>
        }
      />
      <div className={styles.tabs}>
        <LinkTabs
          kind="row"
          label={t('newsroom.tabs')}
          tabs={tabs.map(({ name, href }) => ({
            href,
            label: t(`newsroom.tab.${name}`),
            isCurrent: name === current,
          }))}
        />
      </div>
    </>
  )
}
