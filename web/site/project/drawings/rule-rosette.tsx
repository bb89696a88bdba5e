import { Woven } from '../../../brand/woven.tsx'
import styles from './rule-rosette.module.css'

const blades = { inner: 74, outer: 98, lobes: 24 }
const net = { inner: 22, outer: 98, lobes: 3 }
const core = { inner: 8, outer: 21, lobes: 7 }

/** The radius at each angle: halfway between the edges, plus or minus the swing. */
const rule = ({ inner, outer, lobes }: typeof blades) =>
  `r = ${(outer + inner) / 2} + ${(outer - inner) / 2} cos ${lobes}θ`

/** The whole figure follows from these parameters. */
export const rosetteRules = [
  { ink: 'copper', rule: rule(blades) },
  { ink: 'verdigris', rule: rule(net) },
  { ink: 'paper', rule: rule(core) },
]

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
        <circle r="99.4" />
      </svg>
    </div>
  )
}
