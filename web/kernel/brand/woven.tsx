import { useId } from 'react'
import { guilloche, type Guilloche } from './guilloche.ts'

/**
 * One figure drawn many times, each copy rotated by `twist` degrees and, with `shrink`, smaller by that fraction of the
 * first. Dense copies form edges that no single line has. The drawing stays small, because it consists of one path and
 * references to it.
 */
export function Woven({
  figure,
  times,
  twist,
  shrink = 0,
  className,
}: {
  figure: Guilloche
  times: number
  twist: number
  shrink?: number
  className?: string | undefined
}) {
  const id = useId()
  return (
    <g className={className}>
      <defs>
        <path id={id} d={guilloche(figure)} vectorEffect="non-scaling-stroke" />
      </defs>
      {Array.from({ length: times }, (_, at) => (
        <use key={at} href={`#${id}`} transform={placeOf(at * twist, 1 - at * shrink)} />
      ))}
    </g>
  )
}

const short = (value: number) => String(Math.round(value * 1000) / 1000)

const placeOf = (turn: number, scale: number) =>
  scale === 1 ? `rotate(${short(turn)})` : `rotate(${short(turn)})scale(${short(scale)})`
