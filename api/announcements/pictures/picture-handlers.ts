import type { api } from '#contract/api.ts'
import type { Handler } from '../../http/handler.ts'
import { takeInPicture } from './take-in-picture.ts'

export const uploadPicture: Handler<typeof api.uploadPicture> = ({ body }, services) =>
  takeInPicture(services, body.picture, 'picture')
