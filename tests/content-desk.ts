import { api } from '#contract/api.ts'
import type { ContentItemDetail } from '#contract/publishing/console-content.ts'
import type { CallOf, Endpoint, OutputOf } from '#contract/platform/endpoint.ts'
import type { MemberChange } from '#api/people/members/member.queries.ts'
import { aSignedInMember, type TestMember } from './builders.ts'
import type { Answered, TestApi } from './setup/start-api.ts'

export type ContentDesk = {
  editor: TestMember
  call<E extends Endpoint>(endpoint: E, input: CallOf<E>): Promise<Answered<OutputOf<E>>>
  read(piece: string): Promise<ContentItemDetail>
  /** Saves changes based on the current version. */
  save(piece: string, changes: Record<string, unknown>): Promise<ContentItemDetail>
  publish(
    pieces: string[],
    more?: { newVersions?: ('terms' | 'privacy')[] },
  ): Promise<Answered<OutputOf<typeof api.publishContent>>>
  /** Saves and publishes, and throws if this fails. */
  put(piece: string, changes: Record<string, unknown>): Promise<void>
}

/**
 * Performs the actions of an editor through the API. With level 2 the editor can also change the official list, unless
 * `rights` say otherwise.
 */
export async function aContentDesk(
  started: TestApi,
  level: 1 | 2 = 2,
  rights: MemberChange = {},
): Promise<ContentDesk> {
  const editor = await aSignedInMember(started, {
    manage_news: level,
    manage_coins: level === 2 ? 2 : 0,
    ...rights,
  })
  const call: ContentDesk['call'] = (endpoint, input) =>
    started.call(endpoint, input, { token: editor.token })
  const done = <T>({ status, body, problem }: Answered<T>): T => {
    if (status >= 300) throw new Error(`answered ${status} ${JSON.stringify(problem)}`)
    return body
  }
  const read: ContentDesk['read'] = async (piece) =>
    done(await call(api.getContentItem, { query: { piece } }))
  const save: ContentDesk['save'] = async (piece, changes) => {
    const { version } = await read(piece)
    return done(await call(api.saveContentDraft, { body: { piece, version, changes } }))
  }
  const publish: ContentDesk['publish'] = async (names, more = {}) => {
    const pieces = []
    for (const piece of names) pieces.push({ piece, version: (await read(piece)).version })
    return call(api.publishContent, { body: { pieces, ...more } })
  }
  return {
    editor,
    call,
    read,
    save,
    publish,
    async put(piece, changes) {
      await save(piece, changes)
      done(await publish([piece]))
    },
  }
}
