import type { ConsoleMemberDetail } from '#contract/console-members.ts'
import { useMessages, type UsedMessages } from '../../i18n/messages.tsx'
import { languageLabel } from '../language-label.ts'
import { StaleState, type StateLines } from '../detail/conflict.tsx'
import { memberState, rightLabels } from './member-labels.tsx'

export function StaleMember({ seen, now }: { seen: ConsoleMemberDetail; now: ConsoleMemberDetail }) {
  const messages = useMessages()
  return <StaleState seen={linesOf(seen, messages)} now={linesOf(now, messages)} />
}

const linesOf = (member: ConsoleMemberDetail, { t, joinNames }: UsedMessages): StateLines => [
  ['consoleMembers.member', member.email],
  ['consoleMembers.name', member.name || '–'],
  ['consoleMembers.state', t(`consoleMembers.state.${memberState(member)}`)],
  ['consoleMembers.rights', joinNames(rightLabels(member, t)) || t('consoleMembers.rights.none')],
  ['consoleMembers.kyc', t(`consoleMembers.kyc.${member.kyc}`)],
  [
    'consoleMembers.factor',
    joinNames(member.factors.map((factor) => t(`consoleMembers.factor.${factor}`))) ||
      t('consoleMembers.factor.no'),
  ],
  ['consoleMembers.language', languageLabel(t, member.language)],
]
