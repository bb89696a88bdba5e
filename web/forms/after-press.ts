/** How long after a pointer was released its click may still come: of a touch it does after the release. */
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

/** Follows what is pressed from then on. Calling it again changes nothing. */
export function watchPresses(): void {
  const early = { capture: true, passive: true }
  for (const event of ['pointerdown', 'mousedown']) addEventListener(event, press, early)
  for (const event of ['pointerup', 'pointercancel', 'mouseup']) addEventListener(event, release, early)
  addEventListener('blur', left)
  addEventListener('click', clicked, early)
}

/**
 * Runs at once, or, while something is pressed, after its click. Pressing a link or a button takes the focus from a field, and an error that
 * the field shows then would move what is pressed away from under the pointer, so that there would be no click.
 */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.add(run)
  else run()
}
