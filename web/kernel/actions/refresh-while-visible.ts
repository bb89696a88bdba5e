/**
 * Calls `refresh` at intervals while the page is visible, and when it becomes visible again. Returns a function that stops
 * this.
 */
export function refreshWhileVisible(refresh: () => void, interval: number): () => void {
  const refreshIfVisible = () => {
    if (document.visibilityState === 'visible') refresh()
  }
  const timer = setInterval(refreshIfVisible, interval)
  document.addEventListener('visibilitychange', refreshIfVisible)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', refreshIfVisible)
  }
}
