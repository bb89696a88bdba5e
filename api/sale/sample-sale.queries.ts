import type { Tx } from '../db/database.ts'

/** As if somebody had set what is set now at that time. */
export async function backdateSale(db: Tx, by: string, at: Date): Promise<void> {
  await db.updateTable('sale').set({ updated_by: by, updated_at: at }).execute()
}
