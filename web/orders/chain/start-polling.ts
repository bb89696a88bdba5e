import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import { restsAfter } from '../../kernel/actions/refresh-while-visible.ts'
import type { Listener } from './follow-changes.ts'

const shortest = 10 * SECOND
const longest = 2 * MINUTE
const growth = 1.5

export type Polling = {
  /** Called when the reader asks for an update. */
  now: () => void
  stop: () => void
}

type Options = {
  /** Resolves to whether something has changed, and never rejects. `isTold`: the server reported a change. */
  poll: (isTold: boolean) => Promise<boolean>
  onRest: (isResting: boolean) => void
  /** Lets the server report changes, if it can. Returns a function that stops this. */
  listen?: (listener: Listener) => () => void
}

/**
 * Polls while the page is visible, less often while nothing changes or the server does not respond. While the server
 * reports changes, polls are only a safeguard.
 */
export function startPolling({ poll, onRest, listen }: Options): Polling {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = shortest
  let wokenAt = Date.now()
  let isPolling = false
  /** Whether something changed during a poll. */
  let isOutdated = false
  let isOver = false
  const ear = listen && makeEar(listen, { onNews: () => void go(true), onEnd: planAgain })
  const isResting = () => Date.now() - wokenAt >= restsAfter
  function planAgain(wasListening: boolean) {
    if (wasListening) wait = shortest
    plan()
  }
  function plan() {
    clearTimeout(timer)
    const isAway = isOver || document.hidden
    if (isAway || isResting()) ear?.close()
    else timer = setTimeout(() => void go(), ear?.isOpen() ? longest : wait)
    if (!isAway && isResting()) onRest(true)
  }
  async function go(isTold = false) {
    if (isPolling) {
      isOutdated ||= isTold
      return
    }
    isPolling = true
    clearTimeout(timer)
    let isNews = await poll(isTold)
    while (isOutdated && !isOver) {
      isOutdated = false
      isNews = await poll(true)
    }
    isPolling = false
    wait = isNews ? shortest : Math.min(longest, wait * growth)
    plan()
    // If there is no stream, the page tries to open one as often as it polls.
    if (!isOver && !document.hidden && !isResting()) ear?.open()
  }
  function wake() {
    wokenAt = Date.now()
    wait = shortest
    onRest(false)
    void go()
  }
  const onSeen = () => (document.hidden ? plan() : wake())
  document.addEventListener('visibilitychange', onSeen)
  plan()
  if (!document.hidden) ear?.open()
  return {
    now: wake,
    stop: () => {
      isOver = true
      plan()
      document.removeEventListener('visibilitychange', onSeen)
    },
  }
}

/** Listens to the server, with at most one stream at a time. A stream that ended can be opened again. */
function makeEar(
  listen: NonNullable<Options['listen']>,
  { onNews, onEnd }: { onNews: () => void; onEnd: (wasOpen: boolean) => void },
) {
  let leave: (() => void) | undefined
  let isOpen = false
  return {
    isOpen: () => isOpen,
    open() {
      leave ??= listen({
        onOpen() {
          isOpen = true
          // Changes before this moment are not reported.
          onNews()
        },
        onChange: onNews,
        onEnd() {
          const wasOpen = isOpen
          isOpen = false
          leave = undefined
          onEnd(wasOpen)
        },
      })
    },
    close() {
      leave?.()
      leave = undefined
      isOpen = false
    },
  }
}
