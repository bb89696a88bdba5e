import type { Database } from '../../api/db/database.ts'

/** One area of the console: how its tables are filled, and what its lists are asked. */
export type Part = {
  name: string
  /** Fills once, with analysed tables in the end. */
  fill(db: Database): Promise<void>
  questions: Record<string, (db: Database) => Promise<unknown>>
}
