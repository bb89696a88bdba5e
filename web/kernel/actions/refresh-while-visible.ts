import { HOUR } from '#contract/platform/durations.ts'

/** A page without activity for this long stops its requests, so that they don't keep the session alive forever. */
export const restsAfter = HOUR

/** Using the page counts as activity. */
const activities = ['pointerdown', 'keydown'] as const

/**
 * Calls `refresh` at intervals while the page is visible and in use, and when it becomes visible again. Returns a function
 * that stops this.
 */
export function refreshWhileVisible(refresh: () => void, interval: number): () => void {
  let activeAt = Date.now()
  const noteActivity = () => {
    activeAt = Date.now()
  }
  const refreshIfVisible = () => {
    if (document.visibilityState === 'visible') refresh()
  }
  const onTurn = () => {
    noteActivity()
    refreshIfVisible()
  }
  const timer = setInterval(() => {
    if (Date.now() - activeAt < restsAfter) refreshIfVisible()
  }, interval)
  document.addEventListener('visibilitychange', onTurn)
  for (const activity of activities) document.addEventListener(activity, noteActivity, true)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onTurn)
    for (const activity of activities) document.removeEventListener(activity, noteActivity, true)
  }
}
