import type { ConsoleMember } from '#contract/people/console-members.ts'
import type { Rights } from '#contract/people/level-of.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import styles from './members.module.css'

const rightLabel = {
  isWriteAccessAdmin: 'consoleMembers.right.admin',
  manageNews: 'consoleMembers.right.news',
  manageEmployee: 'consoleMembers.right.employee',
  manageFinance: 'consoleMembers.right.finance',
  manageCoins: 'consoleMembers.right.coins',
} as const

const rightNames = Object.keys(rightLabel) as (keyof typeof rightLabel)[]

type Granted = Rights & Pick<ConsoleMember, 'waitingRights'>

/** Granted rights, whether effective or not. */
export function rightLabels(member: Granted, t: UsedMessages['t']): string[] {
  const granted: Rights = member.waitingRights ?? member
  return rightNames.flatMap((name) => {
    const level = granted[name]
    if (level === false || level === 0) return []
    const right = t(rightLabel[name])
    return typeof level === 'number' ? t('consoleMembers.right.level', { right, level }) : right
  })
}

/** Granted rights; pending ones are marked. */
export function RightTags({ member }: { member: Granted }) {
  const { t } = useMessages()
  const held = rightLabels(member, t)
  if (held.length === 0) return null
  return (
    <span className={styles.tags}>
      {held.map((right) => (
        <Tag key={right} colour={member.waitingRights ? 'quiet' : 'verdigris'}>
          {right}
        </Tag>
      ))}
      {member.waitingRights && <span className={styles.waiting}>{t('consoleMembers.right.waiting')}</span>}
    </span>
  )
}

export const memberState = ({ active, isClosed }: Pick<ConsoleMember, 'active' | 'isClosed'>) =>
  active ? 'active' : isClosed ? 'closed' : 'pending'

const statusColors = { active: 'green', closed: 'red', pending: 'yellow' } as const

export function StateTag({ member }: { member: Pick<ConsoleMember, 'active' | 'isClosed'> }) {
  const { t } = useMessages()
  const state = memberState(member)
  return <Tag colour={statusColors[state]}>{t(`consoleMembers.state.${state}`)}</Tag>
}
