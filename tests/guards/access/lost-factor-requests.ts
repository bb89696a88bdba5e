import { markOpened, insertLostFactor } from '#api/sessions/lost-factors/lost-factor.queries.ts'
import { stopLinkOf } from '#api/sessions/lost-factors/end-lost-factor.ts'
import { confirmTotpOfMember, insertTotp } from '#api/sessions/second-factor.queries.ts'
import { aSignedInMember } from '#tests/builders.ts'
import type { Scene } from './requests.ts'

async function aLostFactor({ started, owner }: Scene): Promise<string> {
  const { id } = await insertLostFactor(started.services.db, owner.id)
  return id
}

/** The members' recovery requests, and the actions of staff on them. */
export const lostFactorRequests = {
  requestAccountRecovery: async ({ started: { services }, owner }: Scene) => {
    const sealed = services.keys.seal('second factor', owner.id, 'JBSWY3DPEHPK3PXP')
    await insertTotp(services.db, owner.id, sealed)
    await confirmTotpOfMember(services.db, owner.id)
    return { body: { email: owner.email, password: owner.password } }
  },
  cancelRecoveryRequest: async (scene: Scene) => {
    const id = await aLostFactor(scene)
    const { keys, config } = scene.started.services
    const code = decodeURIComponent(stopLinkOf(keys, config, id, scene.owner.email).split('/').at(-1)!)
    return { body: { id, code } }
  },
  listRecoveryRequests: async () => ({}),
  verifyRecoveryRequest: async (scene: Scene) => ({
    body: { id: await aLostFactor(scene), how: 'In person, with the passport of the application.' },
  }),
  approveRecoveryRequest: async (scene: Scene) => {
    const id = await aLostFactor(scene)
    const opener = await aSignedInMember(scene.started, { manage_employee: 2 })
    await markOpened(scene.started.services.db, id, opener.id, 'In person.')
    return { body: { id } }
  },
  rejectRecoveryRequest: async (scene: Scene) => ({ body: { id: await aLostFactor(scene) } }),
}
