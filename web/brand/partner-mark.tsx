import styles from './brand.module.css'
import { Drawing, type DrawingProps } from './drawing.tsx'
import { guilloche } from './guilloche.ts'
import { partnerFigure } from './partner-figures.ts'

/**
 * A fictional company's mark in the color of the surrounding text. Seeds that end in different digits look unrelated.
 */
export function PartnerMark({ seed, size = 48, ...drawing }: DrawingProps & { seed: number }) {
  const { look, figures } = partnerFigure(seed)
  return (
    <Drawing radius={100} size={size} {...drawing}>
      <path className={styles[look]} d={figures.map(guilloche).join('')} />
    </Drawing>
  )
}
