import pg from 'pg'

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Plan[]
}
type Statement = { text: string; values: unknown[] }

/**
 * Records the statements that the program sends to the database while `work` runs, except those that only begin and end
 * transactions.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const { text, values } = statementIn(given)
    if (/^\s*(?:select|with|insert|update|delete)\b/i.test(text)) sent.push({ text, values })
    return Reflect.apply(query, this, given) as never
  }
  await work().finally(() => (pg.Client.prototype.query = query))
  return sent
}

/** A query is a text with its values or, if it is a prepared statement, one object. */
function statementIn([first, values]: readonly unknown[]): Statement {
  const given = typeof first === 'string' ? { text: first, values } : (first as Partial<Statement>)
  return { text: given.text ?? '', values: (given.values as unknown[] | undefined) ?? [] }
}

const isReading = (text: string): boolean =>
  /^\s*(?:select|with)\b/i.test(text) && !/\b(?:insert into|update|delete from)\b/i.test(text)

/** `pages`: the number of database pages read, which is the same on every machine. */
export type Way = {
  indexes: Set<string>
  scanned: Set<string>
  pages: number
  isSorted: boolean
  plans: object[]
}

/**
 * Returns the indexes that the database uses for the statements, and the large tables that it scans completely.
 * Read-only statements are executed for this.
 */
export async function explain(
  client: pg.Client,
  large: ReadonlySet<string>,
  statements: readonly Statement[],
): Promise<Way> {
  const way: Way = { indexes: new Set(), scanned: new Set(), pages: 0, isSorted: false, plans: [] }
  for (const { text, values } of statements) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (${isReading(text) ? 'analyze, ' : ''}format json) ${text}`,
      values,
    )
    const plan = rows[0]!['QUERY PLAN'][0].Plan
    way.pages += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
    way.plans.push({ text, values, plan })
    for (const node of nodesOf(plan)) {
      way.isSorted ||= node['Node Type'].endsWith('Sort')
      if (node['Index Name']) way.indexes.add(node['Index Name'])
      if (node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'] ?? ''))
        way.scanned.add(node['Relation Name']!)
    }
  }
  return way
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

export async function listLargeTables(client: pg.Client, rows: number): Promise<Set<string>> {
  const found = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > $1`,
    [rows],
  )
  return new Set(found.rows.map(({ name }) => name))
}
