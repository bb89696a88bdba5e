import type { BrowserContext, Frame, Page } from 'playwright-core'

/**
 * An action of hostile HTML: it ran a script, sent a request to another host, or opened a page. `frame` is the name of
 * its frame.
 */
export type Attack = { did: string; frame: string }

/**
 * Fires user events: pointer movement, focus, and clicks on everything except harmless links. Runs in the page, in its
 * own scope.
 */
const poke = () => {
  // The HTML may have shadowed functions of the document with elements of its own.
  const find = (inner: Document, selector: string) => [
    ...Document.prototype.querySelectorAll.call(inner, selector),
  ]
  const documentsIn = (inner: Document): Document[] => [
    inner,
    ...find(inner, 'iframe').flatMap((frame) => {
      const { contentDocument } = frame as HTMLIFrameElement
      return contentDocument ? documentsIn(contentDocument) : []
    }),
  ]
  for (const inner of documentsIn(document)) {
    const isSite = find(inner, 'main').length > 0
    for (const element of find(inner, isSite ? 'main *' : '*')) {
      for (const type of ['pointerenter', 'mouseenter', 'mouseover'])
        EventTarget.prototype.dispatchEvent.call(element, new MouseEvent(type))
      const kind = element.namespaceURI?.endsWith('svg') ? SVGElement : HTMLElement
      if (element.namespaceURI?.endsWith('MathML') !== true) kind.prototype.focus.call(element as HTMLElement)
      const isHonest = /^(https?|mailto):/.test((element as { protocol?: string }).protocol ?? '')
      const isOurs =
        isSite && Element.prototype.closest.call(element, 'button, form, summary, [role]') !== null
      if (!isHonest && !isOurs)
        EventTarget.prototype.dispatchEvent.call(element, new MouseEvent('click', { cancelable: true }))
    }
  }
}

/** Long enough for triggered requests to arrive. */
const settled = 150

export async function pokeAt(page: Page): Promise<void> {
  await page.evaluate(poke)
  await page.waitForTimeout(settled)
}

/** Each payload in a frame of its own, named by its index in the list. */
export const framesOf = (htmls: readonly string[]): string =>
  `<!doctype html><title>Frames</title>${htmls
    .map(
      (html, n) =>
        `<iframe name="${n}" srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`,
    )
    .join('')}`

/** Records everything forbidden that HTML does on pages of this context from now on. */
export async function watchAttacks(context: BrowserContext, url: string): Promise<Attack[]> {
  const attacks: Attack[] = []
  await context.exposeBinding('beacon', ({ frame }, did: string) => {
    attacks.push({ did, frame: outermost(frame) })
  })
  await context.addInitScript(() => {
    const { beacon } = globalThis as unknown as { beacon: (did: string) => void }
    for (const name of ['alert', 'confirm', 'prompt', 'print'])
      Object.defineProperty(globalThis, name, { value: () => beacon(`called ${name}`) })
  })
  await context.route(
    (address) => address.origin !== url && address.protocol.startsWith('http'),
    async (route) => {
      const request = route.request()
      attacks.push({
        did: `asked ${new URL(request.url()).host} for a ${request.resourceType()}`,
        frame: frameOf(() => request.frame()),
      })
      await route.abort()
    },
  )
  context.on('page', (page) => {
    if (context.pages().length > 1) attacks.push({ did: 'opened a page', frame: page.url() })
  })
  return attacks
}

const outermost = (frame: Frame): string => {
  let found = frame
  for (let parent = found.parentFrame(); parent?.parentFrame(); parent = found.parentFrame()) found = parent
  return found.name()
}

/** A request that opens a new page has no frame yet. */
function frameOf(find: () => Frame): string {
  try {
    return outermost(find())
  } catch {
    return ''
  }
}
