import type { ConsoleMemberDetail } from '#contract/console-members.ts'
import { useWords, type UsedWords } from '../../i18n/words.tsx'
import { languageInWords } from '../language-in-words.ts'
import { StaleState, type StateLines } from '../stale-state.tsx'
import { memberState, rightsInWords } from './member-labels.tsx'

export function StaleMember({ seen, now }: { seen: ConsoleMemberDetail; now: ConsoleMemberDetail }) {
  const words = useWords()
  return <StaleState seen={linesOf(seen, words)} now={linesOf(now, words)} />
}

const linesOf = (member: ConsoleMemberDetail, { t, joinNames }: UsedWords): StateLines => [
  ['consoleMembers.member', member.email],
  ['consoleMembers.name', member.name || '–'],
  ['consoleMembers.state', t(`consoleMembers.state.${memberState(member)}`)],
  ['consoleMembers.rights', joinNames(rightsInWords(member, t)) || t('consoleMembers.rights.none')],
  ['consoleMembers.kyc', t(`consoleMembers.kyc.${member.kyc}`)],
  [
    'consoleMembers.factor',
    joinNames(member.factors.map((factor) => t(`consoleMembers.factor.${factor}`))) ||
      t('consoleMembers.factor.no'),
  ],
  ['consoleMembers.language', languageInWords(t, member.language)],
]
