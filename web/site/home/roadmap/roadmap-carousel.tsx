import { Milestones, type Milestone } from './milestones.tsx'
import { fewAtOnce } from './roadmap-steps.ts'
import styles from './roadmap.module.css'

/** A natively scrolling rail with a button for each direction. Their behavior is in `hydrate-carousel.ts`. */
export function RoadmapCarousel({
  label,
  previousLabel,
  nextLabel,
  milestones,
}: {
  label: string
  previousLabel: string
  nextLabel: string
  milestones: readonly Milestone[]
}) {
  // If all milestones fit, no button is shown.
  const isStill = milestones.length <= fewAtOnce
  return (
    <div className={styles.carousel}>
      <div className={styles.buttons}>
        <button type="button" aria-label={previousLabel} data-hidden>
          <Arrow path="M19 8H1.5M8 1.5 1.5 8 8 14.5" />
        </button>
        <button type="button" aria-label={nextLabel} data-hidden={isStill || undefined}>
          <Arrow path="M1 8h17.5M12 1.5 18.5 8 12 14.5" />
        </button>
      </div>
      <div
        className={styles.rail}
        role="group"
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
        tabIndex={isStill ? undefined : 0}
      >
        <ol>
          <Milestones milestones={milestones} />
        </ol>
      </div>
    </div>
  )
}

const Arrow = ({ path }: { path: string }) => (
  <svg width="20" height="16" viewBox="0 0 20 16" aria-hidden="true">
    <path d={path} fill="none" stroke="currentColor" strokeWidth="1.25" />
  </svg>
)
