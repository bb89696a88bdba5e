import { busy } from '../../navigation/busy.ts'
import { useStore } from '../../state/create-store.ts'
import styles from './progress.module.css'

/** A thin progress line while the next page loads. `<main>` announces the same with `aria-busy`. */
export function Progress() {
  return <div className={styles.progress} data-busy={useStore(busy)} aria-hidden="true" />
}
