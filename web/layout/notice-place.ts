export type Place = 'bottom' | 'top'
type Rect = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>
/** A control of the page, and its importance. */
type Control = Rect & { weight: number }

/** Returns the place where notices cover fewer controls. They stay where they are unless the other place is better. */
export function betterPlace(
  before: Place,
  notices: Readonly<Record<Place, Rect>>,
  controls: readonly Control[],
): Place {
  const other = before === 'top' ? 'bottom' : 'top'
  const covered = (place: Place) =>
    controls.reduce((sum, control) => sum + (isOver(notices[place], control) ? control.weight : 0), 0)
  return covered(other) < covered(before) ? other : before
}

const isOver = (one: Rect, other: Rect): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/**
 * Content that is shown once and must be saved, such as recovery codes, has the most weight, followed by a form's
 * button.
 */
export const weightOf = (control: Element): number =>
  control.closest('[data-keep-clear]') ? 100 : control instanceof HTMLButtonElement ? 5 : 1
