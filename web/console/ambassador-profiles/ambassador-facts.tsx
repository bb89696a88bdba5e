import type { ConsoleAmbassador } from '#contract/console-ambassador-profiles.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import { Facts } from '../../ui/description-list.tsx'
import { Address } from '../../ui/address.tsx'

export function AmbassadorFacts({ ambassador }: { ambassador: ConsoleAmbassador }) {
  const { t, formatDate } = useMessages()
  const { email, memberId, fullName, code, slug, since, applicationId, isOwn } = ambassador
  const page = slug && pathTo('ambassador', { slug })
  return (
    <Facts
      facts={[
        { name: 'fullName', label: t('consoleAmbassadorProfiles.fullName'), value: fullName },
        { name: 'email', label: t('consoleAmbassadorProfiles.email'), value: <Address email={email} /> },
        ...(memberId
          ? [
              {
                name: 'member',
                label: t('consoleAmbassadorProfiles.member'),
                value: (
                  <a href={pathTo('console.member', { id: memberId })}>
                    {t('consoleAmbassadorProfiles.member.open')}
                  </a>
                ),
              },
            ]
          : []),
        // Nobody can read decisions about themselves.
        ...(applicationId && !isOwn
          ? [
              {
                name: 'application',
                label: t('consoleAmbassadorProfiles.application'),
                value: (
                  <a href={pathTo('console.ambassadorApplication', { id: applicationId })}>
                    {t('consoleAmbassadorProfiles.application.open')}
                  </a>
                ),
              },
            ]
          : []),
        { name: 'since', label: t('consoleAmbassadorProfiles.since'), value: formatDate(since) },
        {
          name: 'page',
          label: t('consoleAmbassadorProfiles.page'),
          value: page ? <a href={page}>{page}</a> : t('consoleAmbassadorProfiles.page.none'),
        },
        { name: 'code', label: t('consoleAmbassadorProfiles.code'), value: <code>{code}</code> },
      ]}
    />
  )
}
