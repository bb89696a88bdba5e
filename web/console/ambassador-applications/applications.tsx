import { useMemo, useSyncExternalStore } from 'react'
import { listApplicationCountries } from '#contract/console-ambassadors.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { page, type Page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { mayOpen } from '../can-access.ts'
import { ConsoleList } from '../list/console-list.tsx'
import { applicationFilters, applicationList } from './application-list.tsx'
import { Board } from './board.tsx'

type ListRoute = 'console.ambassadors' | 'console.ambassadorApplications'

/**
 * The board is shown at its own address, if the window is wide enough. The list is shown at the other address even if
 * there is room for the board, because the list has selection, sorting, and saved views.
 */
export const applicationsPage = (route: ListRoute): Page =>
  page({
    View: function ApplicationsView({ search }: PageProps<unknown>) {
      const { t } = useMessages()
      const isWide = useIsWide()
      const isBoard = isWide && route === 'console.ambassadors'
      const list = [pathTo('console.ambassadorApplications'), ...(search.size > 0 ? [search] : [])].join('?')
      const other = isBoard ? (
        <a href={list}>{t('consoleAmbassadors.asList')}</a>
      ) : (
        <a href={pathTo('console.ambassadors')}>{t('consoleAmbassadors.asBoard')}</a>
      )
      return (
        <>
          <PageHead
            heading={t('console.nav.ambassadors')}
            lead={t('consoleAmbassadors.lead')}
            action={isWide && other}
          />
          <Applications search={search} isBoard={isBoard} route={route} />
        </>
      )
    },
  })

/** The width of four columns next to the navigation. */
const wide = '(min-width: 70rem)'

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(wide)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** The server has no window, but it renders console pages only as shells. */
const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(wide).matches,
    () => false,
  )

type Props = { search: URLSearchParams; isBoard: boolean; route: ListRoute }

/** Filter options are loaded first, because the address may contain one of them. */
function Applications(props: Props) {
  const { t } = useMessages()
  const loaded = useLoaded('', async () => (await call(listApplicationCountries, {})).countries)
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('console.list.failed')} />
  return <LoadedApplications countries={loaded.data} {...props} />
}

function LoadedApplications({ countries, search, isBoard, route }: Props & { countries: readonly string[] }) {
  const { language } = useMessages()
  const { member } = useSession()
  const mayAct = mayOpen(member, { needs: { level: 'employee', atLeast: 2 } })
  const filters = useMemo(() => applicationFilters(countries, language), [countries, language])
  const spec = useMemo(() => applicationList(route, filters, mayAct), [route, filters, mayAct])
  if (isBoard) return <Board filters={filters} search={search} />
  return <ConsoleList spec={spec} search={search} />
}
