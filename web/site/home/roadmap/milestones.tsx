import { useMessages } from '../../../kernel/i18n/messages.tsx'
import type { HomeFacts, MilestoneState } from '../home-facts.ts'
import styles from './roadmap.module.css'

export type Milestone = HomeFacts['roadmap'][number]

/** The entries of the roadmap's two lists. */
export function Milestones({ milestones }: { milestones: readonly Milestone[] }) {
  const { t } = useMessages()
  const statusLabels: Record<MilestoneState, string> = {
    done: t('home.roadmap.done'),
    current: t('home.roadmap.current'),
    next: t('home.roadmap.next'),
  }
  return milestones.map((milestone) => (
    <li
      key={milestone.id}
      className={styles.milestone}
      data-state={milestone.state}
      aria-current={milestone.isToday ? 'date' : undefined}
    >
      <p className={styles.when}>
        <time dateTime={milestone.date.replace(/-Q.$/, '')}>{milestone.month}</time>
        <span className={styles.state}>{statusLabels[milestone.state]}</span>
        {milestone.isToday && <span className={styles.today}>{t('home.roadmap.today')}</span>}
      </p>
      <h3 className={styles.title}>{milestone.title}</h3>
      <p className={styles.text}>{milestone.text}</p>
    </li>
  ))
}
