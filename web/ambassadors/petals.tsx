import { Woven } from '../brand/woven.tsx'
import { petalsFor } from './petals-for.ts'
import styles from './petals.module.css'

/** A flower with the same number of petals for each ambassador, woven from two opposite lines. */
export function Petals({ people }: { people: number }) {
  const lobes = petalsFor(people)
  const petals = { inner: 60, outer: 98, lobes, lean: 120 / lobes }
  const heart = { inner: 9, outer: 21, lobes: 12, lean: 8 }
  // Keeps neighboring copies equally close, on many narrow petals and on few wide ones.
  const twist = 10.8 / lobes
  return (
    <div className={styles.flower}>
      <svg className={`${styles.layer} ${styles.back}`} viewBox="-102 -102 204 204">
        <Woven
          figure={{ ...petals, lean: -petals.lean }}
          times={30}
          twist={-twist}
          shrink={0.021}
          className={styles.verdigris}
        />
      </svg>
      <svg className={styles.layer} viewBox="-102 -102 204 204">
        <Woven figure={petals} times={30} twist={twist} shrink={0.021} className={styles.copper} />
        {Array.from({ length: lobes }, (_, at) => (
          <circle
            key={at}
            cx="98"
            r="1.3"
            transform={`rotate(${(360 / lobes) * at})`}
            className={styles.tip}
          />
        ))}
      </svg>
      <svg className={`${styles.layer} ${styles.back}`} viewBox="-102 -102 204 204">
        <Woven figure={heart} times={5} twist={6} className={styles.paper} />
      </svg>
    </div>
  )
}
