import styles from './brand.module.css'
import { Drawing, type DrawingProps } from './drawing.tsx'
import { guilloche } from './guilloche.ts'
import { rosetteFigures } from './rosette-figures.ts'

export type RosetteFigure = keyof typeof rosetteFigures

/** Drawn once and cached, because the figures never change. */
const paths = new Map<RosetteFigure, string[]>()

function rosettePaths(figure: RosetteFigure): string[] {
  const known = paths.get(figure)
  if (known) return known
  const drawn = rosetteFigures[figure].map(([, parameters]) => guilloche(parameters))
  paths.set(figure, drawn)
  return drawn
}

/** A rosette of several rings. Lines stay one pixel thin at any size. */
export function Rosette({
  figure = 'dial',
  className,
  ...drawing
}: DrawingProps & { figure?: RosetteFigure | undefined }) {
  return (
    <Drawing radius={200} className={className ? `${styles.metal} ${className}` : styles.metal} {...drawing}>
      {rosettePaths(figure).map((path, index) => (
        <path
          key={index}
          className={`${styles.line} ${styles.fine} ${styles[rosetteFigures[figure][index]![0]]}`}
          d={path}
        />
      ))}
    </Drawing>
  )
}
