import { verifyAudit } from '#api/audit/verify-audit.ts'
import { say } from '#api/operations/say.ts'
import { runWithDatabase } from './reach-database.ts'

const said = {
  changed: 'was changed after it was written',
  missing: 'is missing',
  relinked: 'does not follow the one before it',
}

await runWithDatabase('read', async (db) => {
  const { entries, head, brokenAt, hasKnown } = await verifyAudit(db, process.argv[2])
  if (brokenAt) say('failed', `Entry ${brokenAt.seq} of the audit log ${said[brokenAt.why]}.`)
  else if (hasKnown === false)
    say('failed', 'The audit log holds no entry with that hash: entries were cut off.')
  else console.log(`The audit log holds: ${entries} entries, the last with the hash ${head}`)
  if (brokenAt || hasKnown === false) process.exitCode = 1
})
