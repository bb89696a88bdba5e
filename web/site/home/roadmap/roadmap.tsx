import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { HomeSection } from '../home-section.tsx'
import { Milestones, type Milestone } from './milestones.tsx'
import { RoadmapCarousel } from './roadmap-carousel.tsx'
import { fewAtOnce } from './roadmap-steps.ts'
import styles from './roadmap.module.css'

/** A carousel from 960 px on and a collapsed list below. Only one of the two is displayed. */
export function Roadmap({ milestones }: { milestones: readonly Milestone[] }) {
  const { t } = useMessages()
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
        milestones={milestones}
      />
      <details className={styles.list} open={milestones.length <= fewAtOnce}>
        <summary>{t('home.roadmap.list', { count: milestones.length })}</summary>
        <ol>
          <Milestones milestones={milestones} />
        </ol>
      </details>
    </HomeSection>
  )
}
