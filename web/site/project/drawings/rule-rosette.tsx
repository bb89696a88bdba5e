import { Woven } from '../../../brand/woven.tsx'
import styles from './rule-rosette.module.css'

/** The whole figure follows from the three lines of numbers beside it; they are the ones it is drawn from. */
const blades = { inner: 74, outer: 98, lobes: 24 }
const net = { inner: 22, outer: 98, lobes: 3 }
const core = { inner: 8, outer: 21, lobes: 7 }

const rules = ['r = 86 + 12 cos 24θ', 'r = 60 + 38 cos 3θ', 'r = 14.5 + 6.5 cos 7θ']

export function RuleRosette() {
  return (
    <div className={styles.machine}>
      <svg className={`${styles.layer} ${styles.back}`} viewBox="-100 -100 200 200">
        <Woven figure={net} times={36} twist={120 / 36} className={styles.net} />
      </svg>
      <svg className={styles.layer} viewBox="-100 -100 200 200">
        <Woven figure={blades} times={30} twist={0.62} shrink={0.0222} className={styles.blades} />
      </svg>
      <svg className={`${styles.layer} ${styles.back}`} viewBox="-100 -100 200 200">
        <Woven figure={core} times={18} twist={360 / 7 / 18} className={styles.core} />
      </svg>
      <svg className={styles.still} viewBox="-100 -100 200 200">
        <path d="M-120 0H-99M99 0h21M0-120V-99M0 99v21" />
        <circle r="99.4" />
      </svg>
      <p className={styles.rules}>
        {rules.map((rule) => (
          <span key={rule}>{rule}</span>
        ))}
      </p>
    </div>
  )
}
