type KnownPages = {
  /**
   * Returns whether the path is known. An unknown path triggers a new listing if something has changed since the last
   * one.
   */
  has: (path: string) => boolean | Promise<boolean>
  /** Marks the list as outdated. It is loaded again when an unknown path is requested. */
  outdate: () => void
  /** Loads the list again. Known paths stay known in the meantime and if loading fails. */
  renew: () => Promise<void>
}

/** Keeps the paths of pages with parameters, as returned by the last run of `list`. */
export function makeKnownPages(
  list: () => Promise<readonly string[]>,
  onFailure: (failure: unknown) => void,
): KnownPages {
  let known: ReadonlySet<string> = new Set()
  let listing: Promise<void> | null = null
  let isOutdated = false

  async function listAll(): Promise<void> {
    // Reset before listing: a change during the listing is not included in it.
    isOutdated = false
    try {
      known = new Set(await list())
    } catch (failure) {
      onFailure(failure)
    }
    listing = null
  }

  /** All waiting requests share one listing that started after them, no matter how many changes follow. */
  async function catchUp(): Promise<void> {
    if (listing && isOutdated) await listing
    await (isOutdated ? (listing ??= listAll()) : listing)
  }

  const outdate = () => void (isOutdated = true)

  return {
    has: (path) => known.has(path) || (isOutdated || listing ? catchUp().then(() => known.has(path)) : false),
    outdate,
    renew() {
      outdate()
      return catchUp()
    },
  }
}
