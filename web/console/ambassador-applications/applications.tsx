import { useMemo } from 'react'
import { listApplicationCountries } from '#contract/console-ambassadors.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import type { RouteName } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import { ConsoleList } from '../list/console-list.tsx'
import { mayOpen } from '../can-access.ts'
import { applicationFilters, applicationList } from './application-list.tsx'
import { Board } from './board.tsx'

type Props = { search: URLSearchParams; shownAs: 'board' | 'list'; route: RouteName }

/** Filter options are loaded first, because the address may contain one of them. */
export function Applications(props: Props) {
  const { t } = useMessages()
  const loaded = useLoaded('', async () => (await call(listApplicationCountries, {})).countries)
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('console.list.failed')} />
  return <LoadedApplications countries={loaded.data} {...props} />
}

function LoadedApplications({ countries, search, shownAs, route }: Props & { countries: readonly string[] }) {
  const { language } = useMessages()
  const { member } = useSession()
  const mayAct = mayOpen(member, { needs: { level: 'employee', atLeast: 2 } })
  const filters = useMemo(() => applicationFilters(countries, language), [countries, language])
  const spec = useMemo(() => applicationList(route, filters, mayAct), [route, filters, mayAct])
  if (shownAs === 'board') return <Board filters={filters} search={search} />
  return <ConsoleList spec={spec} search={search} />
}
