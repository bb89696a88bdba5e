type KnownPages = {
  /** An address that is not known is looked for once more where something changed since they were listed. */
  has: (path: string) => boolean | Promise<boolean>
  /** Something changed. Nothing is listed before somebody asks for an address that is not known. */
  outdate: () => void
  /** Lists them anew; what was known stays known until then, and where that fails. */
  renew: () => Promise<void>
}

/** The addresses with parameters at which there is a page, or was when they were listed, as `list` finds them. */
export function makeKnownPages(
  list: () => Promise<readonly string[]>,
  onFailure: (failure: unknown) => void,
): KnownPages {
  let known: ReadonlySet<string> = new Set()
  let listing: Promise<void> | null = null
  let isOutdated = false

  async function listAll(): Promise<void> {
    // Before it is listed: what changes while that goes on is not in it.
    isOutdated = false
    try {
      known = new Set(await list())
    } catch (failure) {
      onFailure(failure)
    }
    listing = null
  }

  /** Whoever waits shares a list that was begun since, however many changes follow. */
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
