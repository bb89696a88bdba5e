import { Client, DatabaseError, type ClientConfig, type QueryResult } from 'pg'
import { SECOND } from '#contract/platform/durations.ts'
import { addressesOf, clientConfigOf } from '../config/database-address.ts'

/** In milliseconds. */
type TimeLimits = { statement: number; idleInTransaction: number }

/**
 * Milliseconds beyond the server's own limit, after which the server or something in between has stopped
 * answering.
 */
const answerTime = 2 * SECOND
const probeTime = 1.5 * SECOND

/** For addresses with several hosts: the one that last accepted writes. */
const writers = new Map<string, string>()
/** Addresses of poolers that refuse limits at connection start. */
const refusesLimits = new Set<string>()

export const isLimitRefused = (error: unknown): boolean =>
  error instanceof DatabaseError && /unsupported startup parameter/.test(error.message)

const isReadOnly = (error: unknown): boolean => error instanceof DatabaseError && error.code === '25006'

class NoWriter extends Error {
  /** PostgreSQL's code for "cannot connect now". */
  readonly code = '57P03'
  constructor() {
    super('No host of DATABASE_URL takes writes.')
  }
}

export type Given = Omit<ClientConfig, 'connectionString' | 'ssl'> & {
  url: string
  limits?: TimeLimits | undefined
}

/** Internals of a `pg` client and its connection that its types omit. */
type Inside = {
  host: string
  port: number
  _activeQuery: unknown
  connection: { stream: { destroy(error?: Error): void } }
  connectionParameters: Record<string, unknown>
}
const insideOf = (client: Client): Inside => client as unknown as Inside

/**
 * A connection to the database of an address. Of several hosts it uses the one that accepts writes, so that a
 * promoted replica is found. A connection without a timely answer is closed.
 */
export class DatabaseClient extends Client {
  readonly #url: string
  readonly #limits: TimeLimits | undefined
  /** Set if the transaction changed its own limit. */
  #statementTime: number | undefined
  #watch: NodeJS.Timeout | undefined

  constructor({ url, limits, ...more }: Given) {
    const first = addressesOf(url)[0]!
    const isAllowed = limits && !refusesLimits.has(url)
    super({
      ...more,
      ...clientConfigOf(first),
      ...(isAllowed && {
        statement_timeout: limits.statement,
        idle_in_transaction_session_timeout: limits.idleInTransaction,
      }),
    })
    this.#url = url
    this.#limits = limits
    this.on('end', () => clearTimeout(this.#watch))
    // A pool handles errors only once it has handed out a client. Until then a broken connection must fail its
    // waiting caller, not the program.
    this.on('error', () => undefined)
  }

  override connect(): Promise<Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
    const reached = this.#reach()
    if (!callback) return reached
    void tell(reached, callback as (error?: Error) => void)
    return undefined
  }

  async #reach(): Promise<Client> {
    const hasSeveral = addressesOf(this.#url).length > 1
    if (hasSeveral) {
      const { hostname, port } = new URL(await this.#findWriter())
      Object.assign(insideOf(this), { host: hostname, port: Number(port || 5432) })
    }
    try {
      await super.connect()
      if (hasSeveral && (await isStandby(this))) throw new NoWriter()
      if (this.#limits && refusesLimits.has(this.#url)) await this.#setLimits(this.#limits)
    } catch (error) {
      writers.delete(this.#url)
      if (isLimitRefused(error)) refusesLimits.add(this.#url)
      if (error instanceof NoWriter) this.destroy()
      throw error
    }
    return this
  }

  async #findWriter(): Promise<string> {
    const known = writers.get(this.#url)
    if (known) return known
    const found = await Promise.any(addressesOf(this.#url).map(requireWriter)).catch(() => {
      throw new NoWriter()
    })
    writers.set(this.#url, found)
    return found
  }

  /** A pooler may apply them to another of our connections, so only the limit on this side is reliable. */
  async #setLimits({ statement, idleInTransaction }: TimeLimits): Promise<void> {
    await super.query(
      `set statement_timeout = ${statement}; set idle_in_transaction_session_timeout = ${idleInTransaction}`,
    )
  }

  /** Closes the connection without waiting for the other side. */
  destroy(): void {
    insideOf(this).connection.stream.destroy()
  }

  /**
   * Runs for each statement: a late response, or one that says that this host accepts no writes, closes the connection.
   */
  watch<T>(text: string, answer: Promise<T>): Promise<T> {
    if (!this.#limits) return answer
    const limit = this.#limitOf(text)
    clearTimeout(this.#watch)
    if (limit > 0)
      this.#watch = setTimeout(() => {
        writers.delete(this.#url)
        this.destroy()
      }, limit + answerTime).unref()
    const watched = this.#watch
    const settle = () => clearTimeout(watched)
    answer.then(settle, (error: unknown) => {
      settle()
      if (!isReadOnly(error)) return
      writers.delete(this.#url)
      this.destroy()
    })
    return answer
  }

  #limitOf(text: string): number {
    const own = /^set local statement_timeout = '?(\d+)(s?)'?$/.exec(text)
    if (own) this.#statementTime = Number(own[1]) * (own[2] ? SECOND : 1)
    else if (/^(?:begin|start transaction|commit|rollback)$/i.test(text)) this.#statementTime = undefined
    return this.#statementTime ?? this.#limits!.statement
  }
}

async function tell(reached: Promise<unknown>, callback: (error?: Error) => void): Promise<void> {
  const failure = await reached.then(
    () => undefined,
    (error: Error) => error,
  )
  callback(failure)
}

async function isStandby(client: Client): Promise<boolean> {
  const asked = Reflect.apply(Client.prototype.query, client, ['select pg_is_in_recovery() as it'])
  const { rows } = await (asked as Promise<QueryResult<{ it: boolean }>>)
  return rows[0]!.it
}

async function requireWriter(address: string): Promise<string> {
  const client = new Client({ ...clientConfigOf(address), connectionTimeoutMillis: probeTime })
  client.on('error', () => undefined)
  const tooLate = setTimeout(() => void client.end().catch(() => undefined), probeTime)
  try {
    await client.connect()
    if (await isStandby(client)) throw new NoWriter()
    return address
  } finally {
    clearTimeout(tooLate)
    client.end().catch(() => undefined)
  }
}
