import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Applications } from './applications.tsx'
import { useIsWide } from './use-is-wide.ts'

/** One column per status in a wide window, otherwise the list. */
function AmbassadorsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const isWide = useIsWide()
  return (
    <>
      <PageHead
        heading={t('console.nav.ambassadors')}
        lead={t('consoleAmbassadors.lead')}
        action={
          isWide && (
            <a
              href={[pathTo('console.ambassadorApplications'), ...(search.size > 0 ? [search] : [])].join(
                '?',
              )}
            >
              {t('consoleAmbassadors.asList')}
            </a>
          )
        }
      />
      <Applications search={search} shownAs={isWide ? 'board' : 'list'} route="console.ambassadors" />
    </>
  )
}

export default page({ View: AmbassadorsView })
