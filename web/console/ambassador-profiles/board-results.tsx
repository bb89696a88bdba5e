import type { ConsoleAmbassador } from '#contract/console-ambassador-profiles.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Facts } from '../../ui/description-list.tsx'

/** Results of the invitations, and the sign-ups that do not count, with reasons. */
export function BoardResults({ ambassador }: { ambassador: ConsoleAmbassador }) {
  const { t, formatNumber } = useMessages()
  if (!ambassador.results) return <p>{t('consoleAmbassadorProfiles.results.own')}</p>
  const { totals, points, flags } = ambassador.results
  const flagged = ambassador.flagged ?? 0
  return (
    <>
      <Facts
        facts={[
          {
            name: 'signUps',
            label: t('consoleAmbassadorProfiles.results.signUps'),
            value: formatNumber(totals.signUps),
          },
          {
            name: 'activations',
            label: t('consoleAmbassadorProfiles.results.activations'),
            value: formatNumber(totals.activations),
          },
          {
            name: 'identities',
            label: t('consoleAmbassadorProfiles.results.identities'),
            value: formatNumber(totals.identities),
          },
          {
            name: 'points',
            label: t('consoleAmbassadorProfiles.results.points'),
            value: formatNumber(points),
          },
          {
            name: 'flagged',
            label: t('consoleAmbassadorProfiles.results.flagged'),
            value: flagged > 0 ? formatNumber(flagged) : t('consoleAmbassadorProfiles.results.noFlags'),
          },
        ]}
      />
      {flags.length > 0 && (
        <>
          <p>{t('consoleAmbassadorProfiles.flags')}</p>
          <Facts
            facts={flags.map(({ flag, count }) => ({
              name: flag,
              label: t(`consoleAmbassadorProfiles.flag.${flag}`),
              value: formatNumber(count),
            }))}
          />
        </>
      )}
    </>
  )
}
