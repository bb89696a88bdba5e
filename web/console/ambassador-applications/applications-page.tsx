import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Applications } from './applications.tsx'
import { useIsWide } from './use-is-wide.ts'

/** The list, even if there is room for the board, because the list has selection, sorting, and saved views. */
function ApplicationsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const isWide = useIsWide()
  return (
    <>
      <PageHead
        heading={t('console.nav.ambassadors')}
        lead={t('consoleAmbassadors.lead')}
        action={isWide && <a href={pathTo('console.ambassadors')}>{t('consoleAmbassadors.asBoard')}</a>}
      />
      <Applications search={search} shownAs="list" route="console.ambassadorApplications" />
    </>
  )
}

export default page({ View: ApplicationsView })
