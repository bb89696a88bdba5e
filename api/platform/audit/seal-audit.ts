import { SECOND } from '#contract/platform/durations.ts'
import type { Tx } from '../db/database.ts'
import { startEvery } from '../jobs/start-every.ts'
import type { Worker } from '../module.ts'
import type { Services } from '../services.ts'
import { sealEntries } from './audit.queries.ts'

/** Milliseconds between two batches. Together with a batch itself, an entry waits for at most 200 ms. */
const every = SECOND / 10
const atOnce = 1000

/** Adds everything that was committed to the hash chain. Does nothing if another instance is doing so. */
export async function sealAudit(db: Tx, isStopped: () => boolean = () => false): Promise<void> {
  while ((await sealEntries(db, atOnce)) === atOnce) if (isStopped()) return
}

/**
 * Seals the audit log in batches (decision 19). It polls, because a notification at commit would again make writers wait
 * for one another, and an entry of a program that was killed must be sealed as well.
 */
export const startSealer = (services: Services): Worker =>
  startEvery(services, {
    job: 'auditSeals',
    every,
    work: (isStopped) => sealAudit(services.db, isStopped),
    // Sign-ins and views of personal data are logged even then, and an entry can be changed unnoticed until it is sealed.
    worksInMaintenance: true,
    failed: 'the audit log cannot be sealed',
  })
