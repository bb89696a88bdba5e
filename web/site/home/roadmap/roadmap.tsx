import { useWords } from '../../../i18n/words.tsx'
import type { HomeFacts, MilestoneState } from '../home-facts.ts'
import { HomeSection } from '../home-section.tsx'
import { RoadmapCarousel } from './roadmap-carousel.tsx'
import { fewAtOnce } from './roadmap-steps.ts'
import styles from './roadmap.module.css'

export type Milestone = HomeFacts['roadmap'][number]

/** A carousel from 960 px on, a closed list below; only one of the two is displayed. */
export function Roadmap({ milestones }: { milestones: readonly Milestone[] }) {
  const { t } = useWords()
  const stateWords: Record<MilestoneState, string> = {
    done: t('home.roadmap.done'),
    current: t('home.roadmap.current'),
    next: t('home.roadmap.next'),
  }
  const entries = milestones.map((milestone) => (
    <li key={milestone.id} className={styles.milestone} data-state={milestone.state}>
      <p className={styles.when}>
        <time dateTime={milestone.date}>{milestone.month}</time>
        <span className={styles.state}>{stateWords[milestone.state]}</span>
      </p>
      <h3 className={styles.title}>{milestone.title}</h3>
      <p className={styles.text}>{milestone.text}</p>
    </li>
  ))
  return (
    <HomeSection
      id="roadmap"
      heading={t('home.roadmap.heading')}
      intro={t('home.roadmap.intro', { done: milestones.filter(({ state }) => state === 'done').length })}
      className={styles.section}
      headClass={styles.head}
    >
      <RoadmapCarousel
        label={t('home.roadmap.heading')}
        previousLabel={t('home.roadmap.previous')}
        nextLabel={t('home.roadmap.following')}
        count={milestones.length}
      >
        {entries}
      </RoadmapCarousel>
      <details className={styles.list} open={milestones.length <= fewAtOnce}>
        <summary>{t('home.roadmap.list', { count: milestones.length })}</summary>
        <ol>{entries}</ol>
      </details>
    </HomeSection>
  )
}
