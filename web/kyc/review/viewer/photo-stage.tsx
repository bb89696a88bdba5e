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
import type { ReviewKey } from '../keys/review-keys.ts'
import { useKeys } from '../keys/use-keys.ts'
import { reviewKeys } from '../keys/review-keys.ts'
import { usePointers } from './use-pointers.ts'
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
