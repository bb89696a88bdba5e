import styles from './brand.module.css'
import { Drawing, type DrawingProps } from './drawing.tsx'
import { guilloche } from './guilloche.ts'

/** One line, eight swings, three turns: a coin's rim that opens into a star. */
export const markPath = guilloche({ inner: 22, outer: 98, lobes: 8, turns: 3, lean: 18, precision: 6 })

/** The logo mark in the colour of the text around it. */
export function Mark({ size = 32, ...drawing }: DrawingProps) {
  return (
    <Drawing radius={100} size={size} {...drawing}>
      <path className={styles.solid} d={markPath} />
    </Drawing>
  )
}
