import { verifyAudit } from '#api/platform/audit/verify-audit.ts'
import { say } from '#api/platform/operations/print-message.ts'
import { runWithDatabase } from './reach-database.ts'

const said = {
  changed: 'was changed after it was written',
  missing: 'is missing',
  relinked: 'doesn’t follow the previous entry',
  unsealed: 'was written more than a minute ago and isn’t sealed',
}

await runWithDatabase('read', async (db) => {
  const { entries, head, brokenAt, hasKnown } = await verifyAudit(db, process.argv[2])
  if (brokenAt) say('failed', `Entry ${brokenAt.seq} of the audit log ${said[brokenAt.why]}.`)
  else if (hasKnown === false)
    say('failed', 'The audit log has no entry with that hash, so entries were removed.')
  else console.log(`The audit log is intact: ${entries} entries, last hash ${head}`)
  if (brokenAt || hasKnown === false) process.exitCode = 1
})
