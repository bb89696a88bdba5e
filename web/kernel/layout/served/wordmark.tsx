import { name } from '#content/brand.json'
import { Mark } from '../../brand/mark.tsx'
import styles from './wordmark.module.css'

/** The logo mark followed by the name. */
export function Wordmark() {
  return (
    <span className={styles.wordmark}>
      <Mark size={30} className={styles.mark} />
      <span>{name}</span>
    </span>
  )
}
