import { useWords } from '../../../i18n/words.tsx'
import type { LateParts } from '../../../still/late-parts.ts'
import { Still } from '../../../still/still.tsx'
import { HomeSection } from '../home-section.tsx'
import type { Milestone, Milestones } from './milestones.tsx'
import { RoadmapCarousel } from './roadmap-carousel.tsx'
import { fewAtOnce } from './roadmap-steps.ts'
import styles from './roadmap.module.css'

type Parts = LateParts<{ Milestones: typeof Milestones }>

/** A carousel from 960 px on, a closed list below; only one of the two is displayed. */
export function Roadmap({ milestones, parts }: { milestones: readonly Milestone[]; parts: Parts }) {
  const { t } = useWords()
  const entries = <Still as="ol" className="" of={parts} part="Milestones" given={{ milestones }} />
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
        {entries}
      </details>
    </HomeSection>
  )
}
