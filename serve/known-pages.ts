type KnownPages = {
  has: (path: string) => boolean
  /** Lists them anew; what was known stays known until then, and where that fails. */
  renew: () => Promise<void>
}

/** The addresses with parameters at which there is a page, as `list` finds them. */
export function makeKnownPages(
  list: () => Promise<readonly string[]>,
  onFailure: (failure: unknown) => void,
): KnownPages {
  let known: ReadonlySet<string> = new Set()
  let renewing: Promise<void> | null = null
  let isOutdated = false

  async function listAll(): Promise<void> {
    while (isOutdated) {
      // Before it is listed: a change while that goes on is listed in another round.
      isOutdated = false
      try {
        known = new Set(await list())
      } catch (failure) {
        onFailure(failure)
      }
    }
    renewing = null
  }

  return {
    has: (path) => known.has(path),
    renew() {
      isOutdated = true
      return (renewing ??= listAll())
    },
  }
}
