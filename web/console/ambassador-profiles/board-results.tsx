import type { InvitationFlag } from '#contract/ambassador-results.ts'
import type { ConsoleAmbassador } from '#contract/console-ambassador-profiles.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import { Facts } from '../../ui/facts.tsx'

const flagWords: Record<InvitationFlag, PlainKey> = {
  own_mailbox: 'consoleAmbassadorProfiles.flag.own_mailbox',
  own_browser: 'consoleAmbassadorProfiles.flag.own_browser',
  own_network: 'consoleAmbassadorProfiles.flag.own_network',
  loop: 'consoleAmbassadorProfiles.flag.loop',
  throwaway_domain: 'consoleAmbassadorProfiles.flag.throwaway_domain',
  subaddress: 'consoleAmbassadorProfiles.flag.subaddress',
  same_mailbox: 'consoleAmbassadorProfiles.flag.same_mailbox',
}

/** What the invitations brought, and how many do not count and why. */
export function BoardResults({ ambassador }: { ambassador: ConsoleAmbassador }) {
  const { t, formatNumber } = useWords()
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
              label: t(flagWords[flag]),
              value: formatNumber(count),
            }))}
          />
        </>
      )}
    </>
  )
}
