import { SECOND } from '#contract/durations.ts'

/** Whether what is typed has reached the server, and if not, why. */
export type Keeping =
  | { state: 'nothing' }
  | { state: 'waiting'; keptAt: string | null }
  | { state: 'kept'; keptAt: string }
  | { state: 'hereOnly'; why: 'unreached' | 'signedOut' | 'refused' }

/** Why a text could not be kept: nobody answered, nobody is signed in, or this text will never be taken. */
export type NotKept = 'unreached' | 'signedOut' | 'refused'

type Options<Text> = {
  send: (text: Text, isLast: boolean) => Promise<{ savedAt: string }>
  explain: (failure: unknown) => NotKept
  onChange: (keeping: Keeping) => void
}

export const restAfterTyping = 1.5 * SECOND
/** Who types without a rest is not kept waiting for one. */
export const waitMax = 10 * SECOND
export const retryAfter = [3 * SECOND, 6 * SECOND, 15 * SECOND, 30 * SECOND, 60 * SECOND] as const

/** Sends what is typed a moment after the last key, one text at a time, and tries again for as long as it must. */
export class TextKeeper<Text> {
  #options: Options<Text>
  #text: Text | undefined
  #underWay: Text | undefined
  #dirtySince = 0
  #keptAt: string | null = null
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | undefined
  #isStopped = false

  constructor(options: Options<Text>) {
    this.#options = options
  }

  note(text: Text): void {
    if (this.#isStopped) return
    this.#dirtySince ||= Date.now()
    this.#text = text
    if (this.#failures === 0) this.#tell({ state: 'waiting', keptAt: this.#keptAt })
    // While it fails the next try has its time; more typing does not hasten it.
    if (this.#failures > 0 && this.#timer !== undefined) return
    const longest = this.#dirtySince + waitMax - Date.now()
    this.#wait(Math.max(0, Math.min(restAfterTyping, longest)))
  }

  /** Sends at once what has not been sent. `isLast` where the page may be gone before the answer comes. */
  flush(isLast = false): void {
    if (this.#isStopped) return
    // What is under way may be cut off with the page: it is sent once more.
    if (isLast) this.#text ??= this.#underWay
    if (this.#text === undefined) return
    if (isLast && this.#sending) void this.#send(true)
    else if (!this.#sending) this.#sending = this.#send(isLast).finally(() => (this.#sending = undefined))
  }

  /** What has not been sent is not to be. */
  drop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#text = undefined
    this.#underWay = undefined
    this.#dirtySince = 0
    this.#keptAt = null
    this.#tell({ state: 'nothing' })
  }

  /** Nothing more is sent; resolved once what was under way has arrived, so that it cannot come after what follows. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#sending
  }

  /** What followed has failed: the text is to be kept further on. */
  goOn(): void {
    this.#isStopped = false
    if (this.#text !== undefined) this.#wait(restAfterTyping)
  }

  #wait(delay: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.flush()
    }, delay)
  }

  async #send(isLast: boolean): Promise<void> {
    const text = this.#text
    if (text === undefined) return
    this.#text = undefined
    this.#underWay = text
    this.#dirtySince = 0
    try {
      const { savedAt } = await this.#options.send(text, isLast)
      this.#failures = 0
      this.#keptAt = savedAt
      if (this.#text === undefined) this.#tell({ state: 'kept', keptAt: savedAt })
    } catch (failure) {
      this.#text ??= text
      const why = this.#options.explain(failure)
      this.#tell({ state: 'hereOnly', why })
      // The same text would be refused again; the next one may not.
      if (why === 'refused') this.#text = undefined
      else this.#failures += 1
    } finally {
      if (this.#underWay === text) this.#underWay = undefined
    }
    if (this.#isStopped || this.#text === undefined) return
    const last = retryAfter.length
    this.#wait(this.#failures > 0 ? retryAfter[Math.min(this.#failures, last) - 1]! : restAfterTyping)
  }

  #tell(keeping: Keeping): void {
    this.#options.onChange(keeping)
  }
}
