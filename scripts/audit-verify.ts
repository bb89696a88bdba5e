import { verifyAudit } from '#api/audit/verify-audit.ts'
import { openDatabase } from '#api/db/database.ts'
import { StartRefused } from '#api/start-refused.ts'
import { reachDatabase } from './reach-database.ts'

const said = {
  changed: 'was changed after it was written',
  missing: 'is missing',
  relinked: 'does not follow the one before it',
}

try {
  const known = process.argv[2]
  const reached = await reachDatabase('read')
  const db = openDatabase(reached.url, () => undefined)
  try {
    const { entries, head, brokenAt, hasKnown } = await verifyAudit(db, known)
    if (brokenAt) console.error(`Entry ${brokenAt.seq} of the audit log ${said[brokenAt.why]}.`)
    else if (hasKnown === false)
      console.error('The audit log holds no entry with that hash: entries were cut off.')
    else console.log(`The audit log holds: ${entries} entries, the last with the hash ${head}`)
    if (brokenAt || hasKnown === false) process.exitCode = 1
  } finally {
    await db.destroy()
    await reached.close()
  }
} catch (error) {
  if (!(error instanceof StartRefused)) throw error
  console.error(error.message)
  process.exitCode = 1
}
