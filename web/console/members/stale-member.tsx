import type { ConsoleMemberDetail } from '#contract/console-members.ts'
import { useWords, type UsedWords } from '../../i18n/words.tsx'
import { languageInWords } from '../language-in-words.ts'
import { StaleState, type StateLines } from '../stale-state.tsx'
import { memberState, rightsInWords } from './member-labels.tsx'
import { factorWords, kycWords, stateWords } from './member-words.ts'

export function StaleMember({ seen, now }: { seen: ConsoleMemberDetail; now: ConsoleMemberDetail }) {
  const { t } = useWords()
  return <StaleState seen={linesOf(seen, t)} now={linesOf(now, t)} />
}

const linesOf = (member: ConsoleMemberDetail, t: UsedWords['t']): StateLines => [
  ['consoleMembers.member', member.email],
  ['consoleMembers.name', member.name || '–'],
  ['consoleMembers.state', t(stateWords[memberState(member)])],
  ['consoleMembers.rights', rightsInWords(member, t).join(', ') || t('consoleMembers.rights.none')],
  ['consoleMembers.kyc', t(kycWords[member.kyc])],
  [
    'consoleMembers.factor',
    member.factors.map((factor) => t(factorWords[factor])).join(', ') || t('consoleMembers.factor.no'),
  ],
  ['consoleMembers.language', languageInWords(t, member.language)],
]
