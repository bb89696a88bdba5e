import { Woven } from '../brand/woven.tsx'
import styles from './twelve-petals.module.css'

const petals = { inner: 60, outer: 98, lobes: 12, lean: 10 }
const heart = { inner: 9, outer: 21, lobes: 12, lean: 8 }
const tips = Array.from({ length: 12 }, (_, at) => at * 30)

/** Twelve petals for twelve people, woven from one line that goes round and one that comes back. */
export function TwelvePetals() {
  return (
    <div className={styles.flower}>
      <svg className={`${styles.layer} ${styles.back}`} viewBox="-102 -102 204 204">
        <Woven
          figure={{ ...petals, lean: -10 }}
          times={30}
          twist={-0.9}
          shrink={0.021}
          className={styles.verdigris}
        />
      </svg>
      <svg className={styles.layer} viewBox="-102 -102 204 204">
        <Woven figure={petals} times={30} twist={0.9} shrink={0.021} className={styles.copper} />
        {tips.map((angle) => (
          <circle key={angle} cx="98" r="1.3" transform={`rotate(${angle})`} className={styles.tip} />
        ))}
      </svg>
      <svg className={`${styles.layer} ${styles.back}`} viewBox="-102 -102 204 204">
        <Woven figure={heart} times={5} twist={6} className={styles.paper} />
      </svg>
    </div>
  )
}
