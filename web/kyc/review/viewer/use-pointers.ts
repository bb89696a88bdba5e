import { useEffect, type RefObject } from 'react'
import { move, zoom, type PhotoView, type Sizes } from './photo-view.ts'

type Change = (by: (sizes: Sizes, view: PhotoView) => PhotoView) => void
type Point = { x: number; y: number }

const wheelStep = 0.002

/** One pointer pans the picture, two pan and zoom, and the wheel zooms with Ctrl. */
export function usePointers(stage: RefObject<HTMLElement | null>, change: Change): void {
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
