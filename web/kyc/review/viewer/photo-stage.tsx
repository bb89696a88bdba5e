import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { KeyHint, useKeyShortcut } from '../keys/key-hint.tsx'
import { type ReviewKey, reviewKeys } from '../keys/review-keys.ts'
import { useKeys } from '../keys/use-keys.ts'
import styles from './viewer.module.css'

const arrows: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: 60, y: 0 },
  ArrowRight: { x: -60, y: 0 },
  ArrowUp: { x: 0, y: 60 },
  ArrowDown: { x: 0, y: -60 },
}

type Size = { width: number; height: number }
export type Sizes = { stage: Size; picture: Size }
/** A picture's view: screen pixels per picture pixel, offset of its center, and quarter turns. */
type PhotoView = { scale: number; x: number; y: number; quarters: 0 | 1 | 2 | 3 }
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

const transformOf = ({ scale, x, y, quarters }: PhotoView): string =>
  `translate(-50%, -50%) translate(${x}px, ${y}px) rotate(${quarters * 90}deg) scale(${scale})`

const tools = ['smaller', 'larger', 'whole', 'width', 'turn'] as const satisfies ReviewKey[]
type Tool = (typeof tools)[number]

/** Tools with an icon instead of a label. */
const signs: Partial<Record<ReviewKey, ReactNode>> = {
  smaller: <Sign path="M2 8h12" />,
  larger: <Sign path="M2 8h12M8 2v12" />,
}

function Sign({ path }: { path: string }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

type Props = {
  url: string
  name: string
  stage: RefObject<HTMLDivElement | null>
  /** Called when the picture is visible. */
  onShown: () => void
}

/** One picture, which can be zoomed, panned, and rotated by pointer, touch, and keyboard. */
export function PhotoStage({ url, name, stage, onShown }: Props) {
  const { t } = useMessages()
  const { seen, change, setPicture } = usePhotoView(stage)
  usePointers(stage, change)

  const actions: Record<Tool, () => void> = {
    larger: () => change(larger),
    smaller: () => change(smaller),
    whole: () => change((sizes, { quarters }) => whole(sizes, quarters)),
    width: () => change(fullWidth),
    turn: () => change(turn),
  }
  useKeys(actions)
  const isMagnified = seen !== undefined && !isWhole(seen.sizes, seen.view)
  function press(event: KeyboardEvent) {
    const by = arrows[event.key]
    if (!by || !isMagnified) return
    event.preventDefault()
    change((sizes, before) => move(sizes, before, by))
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- moved with the arrow keys, like a scrolling area */}
      <div
        ref={stage}
        className={styles.stage}
        role="group"
        aria-label={name}
        aria-describedby="photo-help"
        data-magnified={isMagnified || undefined}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the arrow keys work in it
        tabIndex={0}
        onKeyDown={press}
      >
        <img
          src={url}
          alt={name}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            setPicture({ width: naturalWidth, height: naturalHeight })
            onShown()
          }}
          style={seen ? { transform: transformOf(seen.view) } : { visibility: 'hidden' }}
        />
      </div>
      <Toolbar actions={actions} scale={seen?.view.scale} />
      <p className={styles.help} id="photo-help" hidden={!isMagnified}>
        {t('review.photo.help')}
      </p>
    </>
  )
}

/** How the picture is seen on its stage. If the stage is resized, the view is adapted. */
function usePhotoView(stage: RefObject<HTMLDivElement | null>) {
  const [stageSize, setStageSize] = useState<Size>()
  const [picture, setPicture] = useState<Size>()
  const [seen, setSeen] = useState<{ sizes: Sizes; view: PhotoView }>()
  useLayoutEffect(() => {
    const box = stage.current
    if (!box) return undefined
    const measure = () => setStageSize({ width: box.clientWidth, height: box.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [stage])
  useEffect(() => {
    if (!stageSize || !picture) return
    const sizes = { stage: stageSize, picture }
    setSeen((before) => ({ sizes, view: before ? resized(before.sizes, sizes, before.view) : whole(sizes) }))
  }, [stageSize, picture])
  const change = useCallback(
    (by: (sizes: Sizes, view: PhotoView) => PhotoView) =>
      setSeen((before) => before && { ...before, view: by(before.sizes, before.view) }),
    [],
  )
  return { seen, change, setPicture }
}

function Toolbar({ actions, scale }: { actions: Record<Tool, () => void>; scale: number | undefined }) {
  const { t } = useMessages()
  const shortcut = useKeyShortcut()
  return (
    <div className={styles.tools} role="group" aria-label={t('review.photo.tools')}>
      {tools.map((tool) => (
        <button
          key={tool}
          type="button"
          className={styles.tool}
          aria-label={tool in signs ? t(reviewKeys[tool].words) : undefined}
          aria-keyshortcuts={shortcut(tool)}
          onClick={actions[tool]}
        >
          {signs[tool] ?? (
            <>
              {t(reviewKeys[tool].words)}
              <KeyHint of={tool} />
            </>
          )}
        </button>
      ))}
      <output className={styles.scale}>
        {scale !== undefined && t('review.photo.scale', { percent: Math.round(scale * 100) })}
      </output>
    </div>
  )
}

type Change = (by: (sizes: Sizes, view: PhotoView) => PhotoView) => void
const wheelStep = 0.002

/** One pointer pans the picture, two pan and zoom, and the wheel zooms with Ctrl. */
function usePointers(stage: RefObject<HTMLElement | null>, change: Change): void {
  useEffect(() => {
    const box = stage.current
    if (!box) return undefined
    const down = new Map<number, Point>()
    const fromMiddle = ({ x, y }: Point): Point => {
      const { left, top, width, height } = box.getBoundingClientRect()
      return { x: x - left - width / 2, y: y - top - height / 2 }
    }
    const press = (event: PointerEvent) => {
      if (event.button !== 0) return
      down.set(event.pointerId, { x: event.clientX, y: event.clientY })
      box.setPointerCapture(event.pointerId)
    }
    const drag = (event: PointerEvent) => {
      if (!down.has(event.pointerId)) return
      const before = spanOf(down)
      down.set(event.pointerId, { x: event.clientX, y: event.clientY })
      const after = spanOf(down)
      const by = { x: after.middle.x - before.middle.x, y: after.middle.y - before.middle.y }
      const factor = before.length > 0 && after.length > 0 ? after.length / before.length : 1
      const at = fromMiddle(after.middle)
      change((sizes, view) => zoom(sizes, move(sizes, view, by), factor, at))
    }
    const lift = (event: PointerEvent) => void down.delete(event.pointerId)
    const wheel = (event: WheelEvent) => {
      // Without Ctrl, the wheel scrolls the page. A trackpad pinch is reported with Ctrl.
      if (!event.ctrlKey) return
      event.preventDefault()
      const factor = Math.exp(-event.deltaY * wheelStep)
      const at = fromMiddle({ x: event.clientX, y: event.clientY })
      change((sizes, view) => zoom(sizes, view, factor, at))
    }
    box.addEventListener('pointerdown', press)
    box.addEventListener('pointermove', drag)
    box.addEventListener('pointerup', lift)
    box.addEventListener('pointercancel', lift)
    box.addEventListener('wheel', wheel, { passive: false })
    return () => {
      box.removeEventListener('pointerdown', press)
      box.removeEventListener('pointermove', drag)
      box.removeEventListener('pointerup', lift)
      box.removeEventListener('pointercancel', lift)
      box.removeEventListener('wheel', wheel)
    }
  }, [stage, change])
}

/** The center of all pointers, and the distance between the first two. */
function spanOf(down: ReadonlyMap<number, Point>): { middle: Point; length: number } {
  const points = [...down.values()]
  const [one, two] = points
  const middle = {
    x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
    y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
  }
  return { middle, length: one && two ? Math.hypot(one.x - two.x, one.y - two.y) : 0 }
}
