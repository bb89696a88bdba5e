import { guilloche } from '../../../kernel/brand/guilloche.ts'
import styles from './drawings.module.css'

/** The same pen at work, steadier with each step. */
const figures = [
  guilloche({ inner: 49.5, outer: 49.5, lobes: 8 }),
  guilloche({ inner: 14, outer: 49.5, lobes: 8, turns: 3, lean: 8 }),
  guilloche({ inner: 10, outer: 49.5, lobes: 34, turns: 9, lean: 4 }),
]

/** A line that enters on the left, draws the figure of step `at`, and leaves on the right. */
export function StepDrawing({ at, className }: { at: number; className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 -50 100 100" preserveAspectRatio="xMinYMid" aria-hidden="true">
      <path className={styles.copper} d={figures[at]} transform="translate(50)" />
    </svg>
  )
}
