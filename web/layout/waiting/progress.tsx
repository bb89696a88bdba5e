import { busy } from '../../navigation/busy.ts'
import { useStore } from '../../state/create-store.ts'
import styles from './progress.module.css'

/** A hairline over the page while the next one is on its way. `<main>` says the same by `aria-busy`. */
export function Progress() {
  return <div className={styles.progress} data-busy={useStore(busy)} aria-hidden="true" />
}
