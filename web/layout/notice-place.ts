export type Place = 'bottom' | 'top'
type Rect = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>
/** A control of the page, and how much it would be missed. */
export type Control = Rect & { weight: number }

/** Where notices cover less of what can be pressed. They stay where they are unless the other place is better. */
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

/** What is shown once and has to be saved, such as recovery codes, weighs most; without its button a form is stuck. */
export const weightOf = (control: Element): number =>
  control.closest('[data-keep-clear]') ? 100 : control instanceof HTMLButtonElement ? 5 : 1
