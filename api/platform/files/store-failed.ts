/** The file store is temporarily unavailable: full, read-only, or unreachable. Answered as `unavailable`. */
export class StoreFailed extends Error {
  readonly code: string

  constructor(cause: unknown) {
    super('the file storage failed', { cause })
    this.name = 'StoreFailed'
    this.code = (cause as { code?: string } | undefined)?.code ?? 'unknown'
  }
}
