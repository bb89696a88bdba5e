import { followOrders, orderEvent } from '#contract/money/order-changes.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { answerWithToken } from '../../kernel/call/call.ts'

/** The server sends something several times a minute. If it is silent for this long, the connection is lost. */
const silenceMax = MINUTE

export type Listener = {
  /** The server reports all changes from now on. */
  onOpen: () => void
  onChange: () => void
  /** The stream has ended, or could not be opened. */
  onEnd: () => void
}

/**
 * Follows the changes of an order as server-sent events. They are read with `fetch`, because `EventSource` can't send
 * the session's header. Returns a function that stops following.
 */
export function followChanges(orderId: string, { onOpen, onChange, onEnd }: Listener): () => void {
  const leaving = new AbortController()
  let silence: ReturnType<typeof setTimeout> | undefined
  const expectMore = () => {
    clearTimeout(silence)
    silence = setTimeout(() => leaving.abort(), silenceMax)
  }
  const read = async () => {
    expectMore()
    const transport = (url: string, init: RequestInit) => fetch(url, { ...init, signal: leaving.signal })
    const { body } = await answerWithToken(followOrders, {}, transport, true)
    if (!body) return
    let rest = ''
    let isOpen = false
    for await (const text of readText(body)) {
      expectMore()
      if (!isOpen) onOpen()
      isOpen = true
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      if (blocks.some((block) => isAbout(block, orderId))) onChange()
    }
  }
  let isLeft = false
  read()
    // The page polls instead.
    .catch(() => {})
    .finally(() => {
      clearTimeout(silence)
      if (!isLeft) onEnd()
    })
  return () => {
    isLeft = true
    leaving.abort()
  }
}

const isAbout = (block: string, orderId: string): boolean =>
  block === `event: ${orderEvent}\ndata: ${orderId}`

/** Not every browser can iterate over a stream. */
async function* readText(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield decoder.decode(value, { stream: true })
  }
}
