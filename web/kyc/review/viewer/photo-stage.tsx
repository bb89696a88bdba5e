import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { useMessages } from '../../../i18n/messages.tsx'
import { KeyHint, useKeyShortcut } from '../keys/key-hint.tsx'
import { type ReviewKey, reviewKeys } from '../keys/review-keys.ts'
import { useKeys } from '../keys/use-keys.ts'
import {
  fullWidth,
  isWhole,
  larger,
  move,
  resized,
  smaller,
  transformOf,
  turn,
  whole,
  type PhotoView,
  type Size,
  type Sizes,
  zoom,
} from './photo-view.ts'
import styles from './viewer.module.css'

const arrows: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: 60, y: 0 },
  ArrowRight: { x: -60, y: 0 },
  ArrowUp: { x: 0, y: 60 },
  ArrowDown: { x: 0, y: -60 },
}

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
type Point = { x: number; y: number }

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
