/** Maximum width in pixels of screens that start with the bar closed. */
const narrowWidthMax = 650
/** Distance from the right edge (pixels) at which the pointer opens the bar. */
const revealDistanceMax = 100

export const isOpenAtStart = (screenWidth: number): boolean => screenWidth > narrowWidthMax

export const isNearEdge = (pointerX: number, screenWidth: number): boolean =>
  screenWidth - pointerX <= revealDistanceMax
