/** Returns the URL on this site that a click should open in place, or null if the browser should handle the click. */
export function linkTarget(event: MouseEvent): URL | null {
  const isPlain =
    event.button === 0 &&
    !event.metaKey &&
    !event.ctrlKey &&
    !event.shiftKey &&
    !event.altKey &&
    !event.defaultPrevented
  if (!isPlain || !(event.target instanceof Element)) return null
  return addressOfLink(event.target.closest('a'))
}

export function addressOfLink(link: HTMLAnchorElement | SVGAElement | null): URL | null {
  if (!(link instanceof HTMLAnchorElement) || !link.href || link.hasAttribute('download')) return null
  if (link.target && link.target !== '_self') return null
  const url = new URL(link.href)
  const isHere = url.pathname === location.pathname && url.search === location.search
  // A blob URL has the same origin as its page.
  const isOurs = url.origin === location.origin && url.protocol === location.protocol
  return isOurs && !(isHere && url.hash) ? url : null
}
