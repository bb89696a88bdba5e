import { useWords } from '../../i18n/words.tsx'
import { page } from '../../routes/page.ts'
import { getRoute, labelOf, pathTo } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { screenGroups } from '../screen-groups.ts'
import { mayOpen } from '../may-open.ts'

function ConsoleHomeView() {
  const { t } = useWords()
  const { member } = useSession()
  const screens = screenGroups
    .flatMap(({ entries }) => entries)
    .filter((name) => name !== 'console.home' && mayOpen(member, getRoute(name)))
  return (
    <>
      <PageHead heading={t('console.nav.home')} />
      <ul>
        {screens.map((name) => (
          <li key={name}>
            <a href={pathTo(name)}>{t(labelOf(name))}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

export default page({ View: ConsoleHomeView })
