import type { api } from '#contract/api.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { storePicture } from './store-picture.ts'

export const uploadPicture: Handler<typeof api.uploadPicture> = ({ body }, context) =>
  storePicture(context, body.picture, 'picture')
