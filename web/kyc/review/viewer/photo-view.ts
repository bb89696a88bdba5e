export type Size = { width: number; height: number }
export type Sizes = { stage: Size; picture: Size }
/** A picture's view: screen pixels per picture pixel, offset of its center, and quarter turns. */
export type PhotoView = { scale: number; x: number; y: number; quarters: 0 | 1 | 2 | 3 }
type Point = { x: number; y: number }

/** Maximum zoom, relative to the size that fits. */
const magnifiedMax = 12
const zoomStep = 1.25

const turned = ({ width, height }: Size, quarters: number): Size =>
  quarters % 2 === 0 ? { width, height } : { width: height, height: width }

const wholeScale = ({ stage, picture }: Sizes, quarters: number): number => {
  const { width, height } = turned(picture, quarters)
  return Math.min(stage.width / width, stage.height / height)
}

/** The whole picture, centered. */
export const whole = (sizes: Sizes, quarters: PhotoView['quarters'] = 0): PhotoView => ({
  scale: wholeScale(sizes, quarters),
  x: 0,
  y: 0,
  quarters,
})

/** As wide as the stage, aligned at the top. */
export function fullWidth(sizes: Sizes, view: PhotoView): PhotoView {
  const { width, height } = turned(sizes.picture, view.quarters)
  const scale = sizes.stage.width / width
  return clamped(sizes, { ...view, scale, x: 0, y: Math.max(0, height * scale - sizes.stage.height) / 2 })
}

export const isWhole = (sizes: Sizes, view: PhotoView): boolean =>
  view.scale <= wholeScale(sizes, view.quarters) * 1.001

/** A picture that was shown in full is still shown in full. */
export function turn(sizes: Sizes, view: PhotoView): PhotoView {
  const quarters = ((view.quarters + 1) % 4) as PhotoView['quarters']
  if (isWhole(sizes, view)) return whole(sizes, quarters)
  return clamped(sizes, { ...view, quarters, x: -view.y, y: view.x })
}

/** Zooms by a factor around a point, given from the center of the stage. */
export function zoom(sizes: Sizes, view: PhotoView, factor: number, at: Point = { x: 0, y: 0 }): PhotoView {
  const least = wholeScale(sizes, view.quarters)
  const scale = Math.min(least * magnifiedMax, Math.max(least, view.scale * factor))
  const done = scale / view.scale
  return clamped(sizes, {
    ...view,
    scale,
    x: at.x - (at.x - view.x) * done,
    y: at.y - (at.y - view.y) * done,
  })
}

export const larger = (sizes: Sizes, view: PhotoView): PhotoView => zoom(sizes, view, zoomStep)
export const smaller = (sizes: Sizes, view: PhotoView): PhotoView => zoom(sizes, view, 1 / zoomStep)

export const move = (sizes: Sizes, view: PhotoView, by: Point): PhotoView =>
  clamped(sizes, { ...view, x: view.x + by.x, y: view.y + by.y })

/** Adapts to a resized stage. A picture that was shown in full is shown in full again. */
export const resized = (before: Sizes, now: Sizes, view: PhotoView): PhotoView =>
  isWhole(before, view) ? whole(now, view.quarters) : zoom(now, view, 1)

/** Keeps the picture's edges from moving inside the stage's. */
function clamped({ stage, picture }: Sizes, view: PhotoView): PhotoView {
  const { width, height } = turned(picture, view.quarters)
  const limit = (value: number, room: number) => Math.min(room, Math.max(-room, value)) + 0
  return {
    ...view,
    x: limit(view.x, Math.max(0, (width * view.scale - stage.width) / 2)),
    y: limit(view.y, Math.max(0, (height * view.scale - stage.height) / 2)),
  }
}

export const transformOf = ({ scale, x, y, quarters }: PhotoView): string =>
  `translate(-50%, -50%) translate(${x}px, ${y}px) rotate(${quarters * 90}deg) scale(${scale})`
