import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'

const shortest = 10 * SECOND
const longest = 2 * MINUTE
const growth = 1.5
/** A page without activity for this long stops polling, so that it does not keep the session alive forever. */
const restsAfter = HOUR

export type Polling = {
  /** Called when the reader asks for an update. */
  now: () => void
  stop: () => void
}

/**
 * Polls while the page is visible, less often while nothing changes or the server does not respond. `poll` resolves to
 * whether something has changed and never rejects.
 */
export function startPolling(poll: () => Promise<boolean>, onRest: (isResting: boolean) => void): Polling {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = shortest
  let wokenAt = Date.now()
  let isPolling = false
  let isOver = false
  function plan() {
    clearTimeout(timer)
    if (isOver || document.hidden) return
    if (Date.now() - wokenAt >= restsAfter) onRest(true)
    else timer = setTimeout(() => void go(), wait)
  }
  async function go() {
    if (isPolling) return
    isPolling = true
    clearTimeout(timer)
    const isNews = await poll()
    isPolling = false
    wait = isNews ? shortest : Math.min(longest, wait * growth)
    plan()
  }
  function wake() {
    wokenAt = Date.now()
    wait = shortest
    onRest(false)
    void go()
  }
  const onSeen = () => (document.hidden ? clearTimeout(timer) : wake())
  document.addEventListener('visibilitychange', onSeen)
  plan()
  return {
    now: wake,
    stop: () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onSeen)
    },
  }
}
