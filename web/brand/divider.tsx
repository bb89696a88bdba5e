import styles from './brand.module.css'
import { Drawing } from './drawing.tsx'
import { guilloche } from './guilloche.ts'

const seal = guilloche({ inner: 26, outer: 97, lobes: 12, turns: 5, lean: 6 })

/** A small woven seal that ends in a hairline: a decorative divider between the parts of a page. */
export function Divider({ className }: { className?: string | undefined }) {
  return (
    <div className={className ? `${styles.divider} ${className}` : styles.divider} aria-hidden="true">
      <Drawing radius={100} size={28} className={styles.seal}>
        <path className={styles.line} d={seal} />
      </Drawing>
    </div>
  )
}
