import type { Api, EndpointName } from '#contract/api.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { levels } from '#contract/endpoint.ts'
import { levelOf } from '#contract/level-of.ts'
import { getMemberById } from '#api/members/member.queries.ts'
import { rightsOf } from '#api/members/rights.ts'
import { aToken, noLevels } from '#tests/api-tokens.ts'
import type { Scene } from './requests.ts'

/** Levels that the actor can give to a token. */
async function ownLevels({ started, actor }: Scene) {
  const rights = rightsOf(await getMemberById(started.services.db, actor.id))
  return { ...noLevels, ...Object.fromEntries(levels.map((level) => [level, levelOf(rights, level)])) }
}
const ownToken = async ({ started, actor }: Scene) => (await aToken(started, actor.id)).id

/** Tokens belong to the caller. Another test asserts that other people's tokens are not found. */
export const tokenRequests = {
  listApiTokens: async () => ({}),
  createApiToken: async (scene) => ({
    body: { name: 'Sample', levels: await ownLevels(scene) },
  }),
  rotateApiToken: async (scene) => ({ params: { id: await ownToken(scene) }, body: {} }),
  revokeApiToken: async (scene) => ({ params: { id: await ownToken(scene) }, body: { reason: 'Lost.' } }),
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }
