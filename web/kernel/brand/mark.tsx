import styles from './brand.module.css'
import { Drawing, type DrawingProps } from './drawing.tsx'
import { markPath } from './mark-path.ts'

export { markPath }

/** The logo mark in the color of the surrounding text. */
export function Mark({ size = 32, ...drawing }: DrawingProps) {
  return (
    <Drawing radius={100} size={size} {...drawing}>
      <path className={styles.solid} d={markPath} />
    </Drawing>
  )
}
