/** Milliseconds after a pointer is released in which its click may still follow, as on touch screens. */
const clickDelay = 100

let isPressed = false
let timer: ReturnType<typeof setTimeout> | undefined
const waiting = new Set<() => void>()

const press = (): void => {
  clearTimeout(timer)
  isPressed = true
}

const releaseIn = (delay: number): void => {
  if (!isPressed) return
  clearTimeout(timer)
  timer = setTimeout(() => {
    isPressed = false
    const due = [...waiting]
    waiting.clear()
    for (const run of due) run()
  }, delay)
}
const release = (): void => releaseIn(clickDelay)
const left = ({ target }: Event): void => {
  if (target === window) release()
}
const clicked = (): void => releaseIn(0)

/** Starts tracking which element is pressed. Further calls have no effect. */
export function watchPresses(): void {
  const early = { capture: true, passive: true }
  for (const event of ['pointerdown', 'mousedown']) addEventListener(event, press, early)
  for (const event of ['pointerup', 'pointercancel', 'mouseup']) addEventListener(event, release, early)
  addEventListener('blur', left)
  addEventListener('click', clicked, early)
}

/**
 * Runs the function at once or, while an element is pressed, after its click. Pressing a link or button blurs a field,
 * and an error shown at that moment would move the pressed element away from the pointer, so that no click would
 * happen.
 */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.add(run)
  else run()
}
