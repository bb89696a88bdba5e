import type { CallOf, Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts'
import { readBrand as brandCall, readFacts as factsCall, readWords as wordsCall } from '#contract/content.ts'
import type { Services } from '../../services.ts'
import { readBrand, readFacts, readWords } from '../read-content.ts'
import { openPreview } from './preview-handlers.ts'

type Call = <E extends Endpoint>(endpoint: E, input: CallOf<E>) => Promise<OutputOf<E>>

/** The API that answers with the drafts laid over what is published; everything else as always. */
export async function previewCall(services: Services, call: Call, token: string): Promise<Call | undefined> {
  const content = await openPreview(services, token)
  if (!content) return undefined
  const context = { ...services, content } as never
  // By their paths: the built pages bring a copy of the contract.
  const answers = new Map<string, (input: never) => Promise<unknown>>([
    [wordsCall.path, (input) => readWords(input, context)],
    [factsCall.path, (input) => readFacts(input, context)],
    [brandCall.path, (input) => readBrand(input, context)],
  ])
  return async (endpoint, input) => {
    const answer = answers.get(endpoint.path)
    if (!answer) return call(endpoint, input)
    return (await answer(input as InputOf<typeof endpoint> as never)) as OutputOf<typeof endpoint>
  }
}
