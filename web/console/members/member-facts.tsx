import { hasAnyStaffRight } from '#contract/level-of.ts'
import type { ConsoleMemberDetail } from '#contract/console-members.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Facts } from '../../ui/description-list.tsx'
import { languageLabel } from '../language-label.ts'
import { KycTag, RightTags } from './member-labels.tsx'
import styles from './members.module.css'

export function MemberFacts({ member }: { member: ConsoleMemberDetail }) {
  const { t, formatMoment, formatNumber, joinNames } = useMessages()
  const { factors } = member
  const moment = (iso: string) => <time dateTime={iso}>{formatMoment(iso)}</time>
  const name = [member.firstName, member.midName, member.lastName].filter(Boolean).join(' ')
  return (
    <Facts
      facts={[
        ...(name && name !== member.name
          ? [{ name: 'name', label: t('consoleMembers.name'), value: name }]
          : []),
        {
          name: 'rights',
          label: t('consoleMembers.rights'),
          value: <Rights member={member} />,
        },
        { name: 'kyc', label: t('consoleMembers.kyc'), value: <KycTag kyc={member.kyc} /> },
        {
          name: 'factors',
          label: t('consoleMembers.factor'),
          value:
            factors.length > 0
              ? joinNames(factors.map((factor) => t(`consoleMembers.factor.${factor}`)))
              : t('consoleMembers.factor.no'),
        },
        { name: 'sessions', label: t('consoleMembers.sessions'), value: formatNumber(member.sessions) },
        {
          name: 'signIn',
          label: t('consoleMembers.signIn'),
          value: member.lastSignIn ? moment(member.lastSignIn) : t('consoleMembers.signIn.never'),
        },
        { name: 'joined', label: t('consoleMembers.joined'), value: moment(member.memberSince) },
        ...(member.closedAt
          ? [{ name: 'closed', label: t('consoleMembers.closedAt'), value: moment(member.closedAt) }]
          : []),
        {
          name: 'language',
          label: t('consoleMembers.language'),
          value: languageLabel(t, member.language),
        },
        { name: 'id', label: t('consoleMembers.id'), value: <span className={styles.id}>{member.id}</span> },
      ]}
    />
  )
}

function Rights({ member }: { member: ConsoleMemberDetail }) {
  const { t, joinNames } = useMessages()
  const { waitingRights } = member
  if (!hasAnyStaffRight(waitingRights ?? member)) return t('consoleMembers.rights.none')
  return (
    <>
      <RightTags member={member} />
      {waitingRights && (
        <p>
          {t('consoleMembers.rights.waiting', {
            needs: joinNames(waitingRights.needs.map((need) => t(`consoleMembers.rights.needs.${need}`))),
          })}
        </p>
      )}
    </>
  )
}
