import { createHash } from 'node:crypto'
import pg from 'pg'
import { DatabaseClient } from './database-client.ts'

/** A statement is prepared on its third use. */
const preparedFrom = 3
const textsMax = 500
/**
 * The maximum per connection, because each costs the server 20 to 700 kB. The least recently used are
 * discarded.
 */
const preparedMax = 60
/** After a pooler has discarded prepared statements this many times, none are prepared anymore. */
const takenAwayMax = 10
/** Longer statements insert many rows and seldom repeat with the same length. */
const lengthMax = 8_000

const isPreparable = (text: string): boolean =>
  text.length <= lengthMax && /^\s*(?:select|insert|update|delete|with)\b/i.test(text)

type Known = { times: number; hash: string | undefined; isRefused?: boolean }

/** Counts repeated statements over all connections of a pool. */
class Texts {
  readonly #known = new Map<string, Known>()
  /** Part of the names: statements of an earlier generation are no longer used. */
  #generation = 1
  #takenAway = 0

  nameOf(text: string): string | undefined {
    // A pooler keeps giving us the connections of others.
    if (this.#takenAway >= takenAwayMax) return undefined
    const known = this.#known.get(text)
    if (!known) {
      if (isPreparable(text)) this.#remember(text, { times: 1, hash: undefined })
      return undefined
    }
    this.#known.delete(text)
    this.#remember(text, known)
    known.times += 1
    if (known.times < preparedFrom || known.isRefused) return undefined
    known.hash ??= createHash('sha256').update(text).digest('base64url').slice(0, 22)
    return `${known.hash}.${this.#generation}`
  }

  #remember(text: string, known: Known): void {
    this.#known.set(text, known)
    if (this.#known.size > textsMax) this.#known.delete(this.#known.keys().next().value!)
  }

  refuse(text: string): void {
    const known = this.#known.get(text)
    if (known) known.isRefused = true
  }

  /** Makes every connection prepare again. Of several failures of one generation, the first ends it. */
  endGenerationOf(name: string, error: unknown): void {
    if (!name.endsWith(`.${this.#generation}`)) return
    this.#generation += 1
    if (isTakenAway(error)) this.#takenAway += 1
  }
}

/** Internals of a `pg` connection that its types omit. */
type Wire = { parsedStatements: Record<string, string>; close(message: { type: 'S'; name: string }): void }
const wireOf = (client: pg.Client): Wire => (client as unknown as { connection: Wire }).connection

/** Names prepared on a connection, least recently used first. */
type Names = Set<string>

function keep(client: pg.Client, names: Names, name: string): void {
  names.delete(name)
  names.add(name)
  if (names.size > preparedMax) giveUp(client, names, names.values().next().value!)
}

/** Discards a prepared statement. Also works in a failed transaction, or if the server no longer has it. */
function giveUp(client: pg.Client, names: Names, name: string): void {
  names.delete(name)
  const wire = wireOf(client)
  delete wire.parsedStatements[name]
  wire.close({ type: 'S', name })
}

/**
 * Whether a statement cannot be planned without its values: `on conflict (…) where state = $1` names an index
 * with a value (42P10). If it is also wrong with its values, it fails again. Nothing was executed.
 */
const needsValues = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '42P10'

/**
 * Whether a prepared statement can no longer be used: another instance has changed the schema (SQLSTATE 0A000,
 * identified by its source), or a pooler has discarded it or given us another connection (26000, 42P05).
 * Nothing was executed.
 */
const isStale = (error: unknown): boolean =>
  isTakenAway(error) ||
  (error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery')

const isTakenAway = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '26000' || error.code === '42P05')

/** Whether a statement failed only because it was prepared. */
export const isPreparedInVain = (error: unknown): boolean => isStale(error) || needsValues(error)

/**
 * The connections of a pool, with a time limit per statement. `prepares`: repeated statements are prepared by
 * name, so that the server parses them once, and plans them once if that is as good.
 */
export function poolClient(prepares: boolean): new () => pg.ClientBase {
  const texts = new Texts()
  const namesOf = new WeakMap<pg.Client, Names>()

  async function runPrepared(client: pg.Client, name: string, text: string, values: unknown[]) {
    let names = namesOf.get(client)
    if (!names) namesOf.set(client, (names = new Set()))
    keep(client, names, name)
    const isAlone = client.getTransactionStatus() === 'I'
    try {
      return await send(client, { name, text, values })
    } catch (error) {
      if (!isPreparedInVain(error)) throw error
      if (needsValues(error)) texts.refuse(text)
      else texts.endGenerationOf(name, error)
      giveUp(client, names, name)
      // A transaction is aborted as a whole, and `transaction` repeats it.
      if (!isAlone) throw error
      return send(client, { text, values })
    }
  }

  // Looked up each time, because tests that count statements replace it.
  const send = (client: pg.Client, query: pg.QueryConfig) =>
    Reflect.apply(pg.Client.prototype.query, client, [query]) as unknown as Promise<pg.QueryResult>

  class PoolClient extends DatabaseClient {}
  PoolClient.prototype.query = function (this: DatabaseClient, ...given: unknown[]) {
    const [text, values, callback] = given
    const isOurs = typeof text === 'string' && callback === undefined
    const name = prepares && isOurs && Array.isArray(values) ? texts.nameOf(text) : undefined
    const answer =
      name === undefined
        ? (Reflect.apply(pg.Client.prototype.query, this, given) as unknown as Promise<pg.QueryResult>)
        : runPrepared(this, name, text as string, values as unknown[])
    return (isOurs ? this.watch(text, answer) : answer) as never
  }
  // A pool accepts any class, and passes its own options to each client.
  return PoolClient as unknown as new () => pg.ClientBase
}
