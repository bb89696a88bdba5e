import { parentPort, workerData } from 'node:worker_threads'
import decode from 'heic-decode'

/*
 * A separate thread for one HEIC picture: the decoder is slow, needs about 30 bytes per pixel, and frees its memory
 * only when its thread ends.
 */

const { bytes, pixelsMax } = workerData as { bytes: Uint8Array; pixelsMax: number }
const pictures = await decode.all({ buffer: bytes })
const picture = pictures[0]
if (!picture || picture.width * picture.height > pixelsMax) throw new Error('not a picture that is taken')
const { width, height, data } = await picture.decode()
parentPort!.postMessage({ width, height, data }, [data.buffer as ArrayBuffer])
