import { useWords } from '../../i18n/words.tsx'
import { FactorNeeded } from '../../layout/factor-needed.tsx'
import { labelOf, pathTo, type Route } from '../../routes/routes.ts'
import type { Member } from '../../session/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { mayOpen } from '../may-open.ts'

/** In place of a page that somebody has no right to, or whose right waits for a second factor. */
export function NotAllowed({ route, member }: { route: Route; member: Member }) {
  const { t } = useWords()
  const heading = t(labelOf(route.name))
  if (mayOpen(member, route))
    return (
      <>
        <PageHead heading={heading} />
        <FactorNeeded />
      </>
    )
  const isStaff = mayOpen(member, {})
  return (
    <>
      <PageHead heading={heading} />
      <Empty role="status" title={t('console.forbidden')}>
        <p>{t('console.forbidden.help')}</p>
        <ButtonLink kind="quiet" href={isStaff ? pathTo('console.home') : pathTo('account.userInfo')}>
          {t(isStaff ? 'console.forbidden.home' : 'console.forbidden.account')}
        </ButtonLink>
      </Empty>
    </>
  )
}
