import { retainedCategories } from '#contract/people/privacy.ts'
import type { Tx } from '../../platform/db/database.ts'
import type {
  DataSubject,
  ErasureManner,
  Module,
  Personal,
  RetainedCategories,
  RetainedCategory,
} from '../../platform/module.ts'

const personalOf = (modules: readonly Module[]): Personal[] => modules.flatMap((noun) => noun.personal ?? [])

/** Erases everything that the modules store about the member, except data retained by law. Sends no notification. */
export async function eraseData(
  db: Tx,
  modules: readonly Module[],
  member: DataSubject,
  how: ErasureManner,
): Promise<void> {
  const retained = await findRetained(db, modules, member)
  for (const { erase } of personalOf(modules).toReversed()) await erase?.(db, member, retained, how)
}

export async function findRetained(
  db: Tx,
  modules: readonly Module[],
  member: DataSubject,
): Promise<RetainedCategories> {
  const retained = new Set<RetainedCategory>()
  for (const thing of retainedCategories)
    for (const { retains } of personalOf(modules))
      if (await retains?.[thing]?.(db, member, retained)) retained.add(thing)
  return retained
}
