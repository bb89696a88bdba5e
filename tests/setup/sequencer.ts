import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What waits for pages first, beside what computes; what has a worker of its own for each file last. */
const order = ['journeys', 'further-language', 'parts', 'screens', 'screens apart']

/**
 * Within a project what needs a window comes after what needs none, because files share a worker only with those before and
 * after them; and then as usual, what takes longest first.
 */
export default class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rankOf = ({ project, moduleId }: TestSpecification) =>
      2 * order.indexOf(project.name) + Number(moduleId.endsWith('.tsx'))
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
