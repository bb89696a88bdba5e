import { createHash } from 'node:crypto'
import pg from 'pg'
import { DatabaseClient } from './database-client.ts'

/** A statement that comes for the third time among so many others is prepared. */
const preparedFrom = 3
const textsMax = 500
/** A connection keeps so many: each costs the server 20 to 700 kB. Those that were not used longest are given up. */
const preparedMax = 60
/** So often may a pooler have taken away what was prepared, before nothing is prepared any more. */
const takenAwayMax = 10
/** A longer one holds many rows, and hardly comes again in the same length. */
const lengthMax = 8_000

const isPreparable = (text: string): boolean =>
  text.length <= lengthMax && /^\s*(?:select|insert|update|delete|with)\b/i.test(text)

type Known = { times: number; hash: string | undefined; isRefused?: boolean }

/** Which texts come again, over all connections of a pool. */
class Texts {
  readonly #known = new Map<string, Known>()
  /** Part of the names: what another generation prepared is not used any more. */
  #generation = 1
  #takenAway = 0

  nameOf(text: string): string | undefined {
    // Whoever stands between gives us the connections of others again and again.
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

  /** From now on every connection prepares anew. Of several that fail with one generation, the first ends it. */
  endGenerationOf(name: string, error: unknown): void {
    if (!name.endsWith(`.${this.#generation}`)) return
    this.#generation += 1
    if (isTakenAway(error)) this.#takenAway += 1
  }
}

/** What `pg` knows of a connection, and its types leave out. */
type Wire = { parsedStatements: Record<string, string>; close(message: { type: 'S'; name: string }): void }
const wireOf = (client: pg.Client): Wire => (client as unknown as { connection: Wire }).connection

/** The names that a connection prepared, the one that was not used longest first. */
type Names = Set<string>

function keep(client: pg.Client, names: Names, name: string): void {
  names.delete(name)
  names.add(name)
  if (names.size > preparedMax) giveUp(client, names, names.values().next().value!)
}

/** Also within a transaction that failed, and where the server does not have it any more. */
function giveUp(client: pg.Client, names: Names, name: string): void {
  names.delete(name)
  const wire = wireOf(client)
  delete wire.parsedStatements[name]
  wire.close({ type: 'S', name })
}

/**
 * Whether a statement cannot be planned without its values: `on conflict (…) where state = $1` names an index that has a value
 * (42P10). Where it is wrong with its values, too, it fails again. Nothing was done.
 */
const needsValues = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '42P10'

/**
 * Whether what a connection prepared cannot be used any more: another instance has changed the schema (SQLSTATE 0A000, told
 * apart by where the server says it), or whoever stands between has taken it away or given us the connection of others
 * (26000, 42P05). Nothing was done.
 */
const isStale = (error: unknown): boolean =>
  isTakenAway(error) ||
  (error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery')

const isTakenAway = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '26000' || error.code === '42P05')

/** Whether a statement failed only because it was prepared. */
export const isPreparedInVain = (error: unknown): boolean => isStale(error) || needsValues(error)

/**
 * The connections of one pool, on which statements have an end. `prepares`: those that come again are prepared by name, so that
 * the server parses them once, and plans them once where that is as good.
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
      // A transaction is lost as a whole: `transaction` does it again.
      if (!isAlone) throw error
      return send(client, { text, values })
    }
  }

  // Looked up each time, as a test that counts statements puts its own there.
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
  // A pool takes any class, and gives each what it was given itself.
  return PoolClient as unknown as new () => pg.ClientBase
}
