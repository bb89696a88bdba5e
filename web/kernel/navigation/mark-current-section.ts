/** A section counts as reached within this many pixels below the links. */
const reach = 80

/** Marks the link to the section in view, on each page that has section links. */
export function markCurrentSection(): void {
  let isAsked = false
  const mark = () => {
    isAsked = false
    const list = document.querySelector<HTMLElement>('[data-sections]')
    // The links are hidden on narrow screens.
    if (!list?.offsetHeight) return
    const edge = list.getBoundingClientRect().bottom + reach
    const links = [...list.querySelectorAll('a')]
    const current = links.findLast(({ hash }) => {
      const section = document.getElementById(hash.slice(1))
      return section && section.getBoundingClientRect().top < edge
    })
    for (const link of links) link.ariaCurrent = link === current ? 'true' : null
  }
  const ask = () => {
    if (!isAsked) requestAnimationFrame(mark)
    isAsked = true
  }
  addEventListener('scroll', ask, { passive: true })
  ask()
}
