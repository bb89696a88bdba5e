// The table of rights in SECURITY.md, from the contract: who may make each call.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { api } from '#contract/api.ts'
import type { Access, Endpoint } from '#contract/endpoint.ts'

const file = fileURLToPath(new URL('../SECURITY.md', import.meta.url))
const begin = '<!-- rights: written by `npm run make:rights-table` -->'
const end = '<!-- /rights -->'

/** Writes the table, or only says whether the one that is written is current. */
export function makeRightsTable(isCheck: boolean): boolean {
  const text = readFileSync(file, 'utf8')
  const [before, rest = ''] = text.split(begin)
  const [, after = ''] = rest.split(end)
  const made = `${before}${begin}\n${tableOf(Object.values<Endpoint>(api))}\n${end}${after}`
  if (!isCheck) writeFileSync(file, made)
  return made === text
}

function tableOf(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map((endpoint) => {
    const call = `\`${endpoint.method} ${endpoint.path}\``
    const cells = [call, whoOf(endpoint.access), proofOf(endpoint), recordOf(endpoint)]
    return `| ${cells.join(' | ')} |`
  })
  return [
    '| Call | Who | Fresh proof | Reading is recorded |',
    '| --- | --- | --- | --- |',
    ...rows.toSorted(),
  ].join('\n')
}

function whoOf(access: Access): string {
  if (access.who === 'anyone') return 'anyone'
  if (access.who === 'session') return 'the browser of the session (refresh cookie and XSRF token)'
  if (access.who === 'phone') return 'a phone that a member handed over to'
  if (access.who === 'member') return 'a member, for themselves'
  const staff =
    access.level === 'any'
      ? 'anyone of the staff'
      : access.level === 'admin'
        ? 'an administrator'
        : `${access.level} ${access.atLeast}`
  return access.orSelf ? `the member concerned; ${staff}` : staff
}

const proofOf = ({ errors }: Endpoint) => (errors.includes('step_up_required') ? 'asked for' : '')

const recordOf = ({ recordsReading, recordsItself }: Endpoint) =>
  recordsReading || recordsItself ? 'recorded' : ''

// Not `import.meta.main`: run.mjs may be what node was started with.
if (process.argv[1] === import.meta.filename) makeRightsTable(false)
