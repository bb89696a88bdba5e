import { hasAnyStaffRight } from '#contract/level-of.ts'
import type { ConsoleMemberDetail } from '#contract/console-members.ts'
import { useWords } from '../../i18n/words.tsx'
import { Facts } from '../../ui/facts.tsx'
import { languageInWords } from '../language-in-words.ts'
import { KycTag, RightTags } from './member-labels.tsx'
import styles from './members.module.css'
import { factorWords, needWords } from './member-words.ts'

export function MemberFacts({ member }: { member: ConsoleMemberDetail }) {
  const { t, formatMoment, formatNumber } = useWords()
  const { waitingRights, factors } = member
  const moment = (iso: string) => <time dateTime={iso}>{formatMoment(iso)}</time>
  const name = [member.firstName, member.midName, member.lastName].filter(Boolean).join(' ')
  const isStaff = hasAnyStaffRight(waitingRights ?? member)
  return (
    <Facts
      facts={[
        ...(name && name !== member.name
          ? [{ name: 'name', label: t('consoleMembers.name'), value: name }]
          : []),
        {
          name: 'rights',
          label: t('consoleMembers.rights'),
          value: isStaff ? (
            <>
              <RightTags member={member} />
              {waitingRights && (
                <p>
                  {t('consoleMembers.rights.waiting', {
                    needs: waitingRights.needs.map((need) => t(needWords[need])).join('; '),
                  })}
                </p>
              )}
            </>
          ) : (
            t('consoleMembers.rights.none')
          ),
        },
        { name: 'kyc', label: t('consoleMembers.kyc'), value: <KycTag kyc={member.kyc} /> },
        {
          name: 'factors',
          label: t('consoleMembers.factor'),
          value:
            factors.length > 0
              ? factors.map((factor) => t(factorWords[factor])).join(', ')
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
          value: languageInWords(t, member.language),
        },
        { name: 'id', label: t('consoleMembers.id'), value: <span className={styles.id}>{member.id}</span> },
      ]}
    />
  )
}
