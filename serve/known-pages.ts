type KnownPages = {
  /** An unknown address triggers a new listing if something has changed since the last one. */
  has: (path: string) => boolean | Promise<boolean>
  /** Marks the list as outdated. It is listed again when an unknown address is requested. */
  outdate: () => void
  /** Lists the addresses again. Known ones stay known meanwhile, and if the listing fails. */
  renew: () => Promise<void>
}

/** Keeps the addresses of pages with parameters, as found by the last run of `list`. */
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

  /** All waiting requests share a listing started after them, however many changes follow. */
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
