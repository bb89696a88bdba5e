import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Tests that wait for pages come first, next to those that compute. Tests with a worker of their own for each file come
 * last.
 */
const order = ['journeys', 'further-language', 'parts', 'screens', 'screens apart']

/**
 * Within a project, tests that need a window come after those that do not, because files share a worker only with their
 * neighbors. Otherwise the slowest come first, as usual.
 */
export default class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rankOf = ({ project, moduleId }: TestSpecification) =>
      2 * order.indexOf(project.name) + Number(moduleId.endsWith('.tsx'))
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
